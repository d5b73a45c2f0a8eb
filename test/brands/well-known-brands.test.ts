// The drawings that 300 well-known brands of the imported catalog show on light and dark backgrounds.
import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import type { Background, Entry, Slug } from '../../src/catalog/entry.js';
import { cssHex } from '../../src/platform/text/color.js';
import { composeSvg } from '../../src/pictures/compose-svg.js';
import { pictureSpec } from '../../src/pictures/picture-spec.js';
import { pictureRequest, type PictureQuery } from '../../src/pictures/picture-request.js';
import { visibilityOn } from '../../workers/thumbnail/visibility.js';
import { openImportedCatalog } from '../support/imported-catalog.js';

type Decision = readonly [slug: string, main: string, light: string, dark: string];

const decided = readFileSync(new URL('../../../test/data/well-known-brands.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/) as unknown as Decision);

/**
 * Brands that must keep their default drawing on light backgrounds, because its colors are visible there. Earlier
 * versions replaced it.
 */
const SAME_ON_LIGHT =
  'microsoft slack figma amazon cloudflare telegram whatsapp spotify nvidia mcdonalds tesla adobe-photoshop';

describe('pictures of well-known brands', () => {
  let catalog: Awaited<ReturnType<typeof openImportedCatalog>>;

  before(async () => {
    catalog = await openImportedCatalog();
  });

  after(() => catalog.close());

  async function entryOf(slug: string): Promise<Entry> {
    const found = await catalog.store.find(slug as Slug);
    return found.kind === 'entry' ? found.entry : expect.fail(`${slug}: ${found.kind}`);
  }

  async function pictureOf(entry: Entry, query: PictureQuery) {
    const { variant, picture } = pictureSpec(entry, pictureRequest('svg', query));
    const drawing = (await catalog.store.drawing(variant.etag)) ?? expect.fail(`${entry.slug}: no drawing`);
    return { variant, paint: picture.paint, svg: composeSvg(drawing, picture) };
  }

  const paintOf = ({ paint }: Awaited<ReturnType<typeof pictureOf>>): string | undefined =>
    paint === null || paint === 'currentColor' ? undefined : cssHex(paint);

  /**
   * Returns a code for the drawing on this background. `=`: the unchanged default. `parts`: the default with some colors
   * changed. `other`: another drawing. A single-color drawing is returned as its color.
   */
  async function shownOn(entry: Entry, on: Background): Promise<string> {
    const [main, shown] = [await pictureOf(entry, {}), await pictureOf(entry, { on })];
    if (shown.svg === main.svg) return '=';
    return paintOf(shown) ?? (shown.variant.derived === true ? 'parts' : 'other');
  }

  it('are the default, or the decided replacement', async () => {
    const differing: string[] = [];
    for (const [slug, main, light, dark] of decided) {
      const entry = await entryOf(slug);
      const row = [
        slug,
        paintOf(await pictureOf(entry, {})) ?? 'colors',
        await shownOn(entry, 'light'),
        await shownOn(entry, 'dark'),
      ].join(' ');
      if (row !== [slug, main, light, dark].join(' ')) differing.push(row);
    }
    expect(differing.join('\n')).to.equal('');
    expect(decided).to.have.length(300);
  });

  it('are the default if no other paint of the pale parts would keep the rest', async () => {
    for (const [slug, on] of [
      ['clerk', 'light'],
      ['commitizen', 'light'],
      ['prettier', 'light'],
      ['vapor', 'dark'],
    ] as const)
      expect(await shownOn(await entryOf(slug), on), slug).to.equal('=');
  });

  it('are exactly the default if it is visible', () => {
    const light = new Map(decided.map(([slug, , onLight]) => [slug, onLight]));
    for (const slug of SAME_ON_LIGHT.split(' ')) expect(light.get(slug), slug).to.equal('=');
    expect([...light.values()].filter((shown) => shown === '=').length).to.be.at.least(290);
  });

  it('are visible if the default is changed', async () => {
    const unseen: string[] = [];
    for (const [slug, , light, dark] of decided)
      for (const [on, shown] of Object.entries({ light, dark }) as [Background, string][]) {
        if (shown === '=') continue;
        const { svg } = await pictureOf(await entryOf(slug), { on });
        const options = { fitTo: { mode: 'width', value: 256 }, font: { loadSystemFonts: false } } as const;
        const { pixels, width, height } = new Resvg(svg, options).render();
        if (!visibilityOn({ pixels, width, height }, on).visible) unseen.push(`${slug} on ${on}`);
      }
    expect(unseen).to.deep.equal([]);
  });
});
