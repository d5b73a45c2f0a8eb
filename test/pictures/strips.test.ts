// Strips (pictures that show several entries): the entries, the date of their last change, who may request them, and
// what changes their ETag.
import { expect } from 'chai';
import type { AccountCatalog } from '../../src/catalog/account-catalogs.js';
import type { Entry, Lookup, Slug } from '../../src/catalog/entry.js';
import { monogramBackground } from '../../src/pictures/monogram.js';
import type { ComposedPicture, PlannedPicture } from '../../src/pictures/pictures.js';
import { TILE_COLORS, type StripLayout } from '../../src/pictures/strip.js';
import { createStrips, stripPicture, type StripRequest } from '../../src/pictures/strips.js';
import { cssHex } from '../../src/platform/text/color.js';
import { someEntry, someVariant } from '../support/entries.js';
import { thrownBy } from '../support/thrown.js';

const LAYOUT: StripLayout = {
  ...{ theme: 'light', perLine: 50, side: 64, gap: 0, tile: 'none', tileColors: TILE_COLORS, inset: 0 },
  ...{ isBalanced: true, isSized: true },
} as const;
const OLD = '2026-01-01T00:00:00Z';
const NEW = '2026-03-01T00:00:00Z';
const PUBLISHED = '2026-02-01T00:00:00Z';

describe('a strip', () => {
  const entries: Readonly<Record<string, Entry>> = {
    old: someEntry('old', { updatedAt: OLD, title: 'Old', domain: 'old.example' }),
    new: someEntry('new', { updatedAt: NEW, title: 'New' }),
    mine: someEntry('mine', { updatedAt: OLD, own: true }),
    soft: someEntry('soft', { variants: [someVariant({ recolorable: false, painted: 'with-bitmaps' })] }),
  };
  const aliases: Readonly<Record<string, string>> = { former: 'old' };

  async function planned(
    names: readonly string[],
    {
      publishedAt = PUBLISHED,
      hasOwn = false,
      ...request
    }: Partial<StripRequest> & { readonly publishedAt?: string | null; readonly hasOwn?: boolean } = {},
  ) {
    const composed: ComposedPicture[] = [];
    const find = async (name: Slug): Promise<Lookup> => {
      const entry = entries[name];
      const to = aliases[name];
      if (entry) return { kind: 'entry', entry };
      return to === undefined ? { kind: 'missing' } : { kind: 'moved', to: to as Slug };
    };
    const from = { find, own: hasOwn ? {} : undefined, drawingsOf: () => () => '<svg viewBox="0 0 1 1"/>' };
    const strips = createStrips({
      catalog: { state: () => (publishedAt === null ? undefined : { generation: 1, entries: 2, publishedAt }) },
      pictures: { planComposed: (picture) => (composed.push(picture), {} as PlannedPicture) },
      brands: { ownerOf: async ({ anyHost }) => (anyHost === 'old.example' ? ('old' as Slug) : undefined) },
    });
    const outcome = await strips.plan(from as unknown as AccountCatalog, {
      ...{ names: names as Slug[], layout: LAYOUT, hasTitles: false, fallback: null, format: 'svg' },
      ...request,
    });
    return { outcome, picture: composed[0] };
  }

  for (const [what, names, publishedAt, changed] of [
    ['newest drawing', ['old', 'new', 'old'], PUBLISHED, NEW],
    ['only drawing, whenever the catalog was published', ['old'], NEW, OLD],
    ['catalog, from which one is missing', ['old', 'no-such'], PUBLISHED, PUBLISHED],
    ['drawing that is newer than the catalog', ['new', 'no-such'], PUBLISHED, NEW],
    ['catalog, of which nothing is known', ['old', 'no-such'], null, undefined],
  ] as const)
    it(`has the date of its ${what}`, async () => {
      const { picture } = await planned(names, { publishedAt, fallback: 'monogram' });
      expect(picture?.lastModified).to.deep.equal(changed === undefined ? undefined : new Date(changed));
    });

  for (const [what, names, hasOwn, isPrivate, isOwn] of [
    ['public entries', ['old', 'new'], true, false, undefined],
    ['one own brand among them', ['old', 'mine'], true, true, true],
    ['a name that may become that of an own brand', ['old', 'no-such'], true, false, true],
    ['a name that is missing, of an account without own brands', ['old', 'no-such'], false, false, undefined],
  ] as const)
    it(`is private to the account only with own brands: ${what}`, async () => {
      const { outcome, picture } = await planned(names, { hasOwn, fallback: 'skip' });
      expect(picture?.isPrivate ?? false).to.equal(isPrivate);
      expect(outcome.kind === 'strip' ? outcome.picture.isOwn : 'no strip').to.equal(isOwn);
    });

  it('finds entries by slug, alias and domain', async () => {
    const { outcome, picture } = await planned(['old', 'former', 'old.example']);
    expect(outcome).to.include({ kind: 'strip', entries: 3 });
    expect(picture).to.include({ width: 192, height: 64, cells: 3, format: 'svg', filename: 'strip.svg' });
  });

  it('names each missing one once, or leaves it out, or draws its initials', async () => {
    const names = ['no-such', 'old', 'nobody.com', 'no-such'];
    expect((await planned(names)).outcome).to.deep.equal({
      kind: 'missing',
      names: ['no-such', 'nobody.com'],
      counted: [
        { kind: 'slug', name: 'no-such' },
        { kind: 'domain', name: 'nobody.com' },
      ],
    });
    expect((await planned(names, { fallback: 'skip' })).outcome).to.include({ kind: 'strip', entries: 1 });
    expect((await planned(names, { fallback: 'monogram' })).outcome).to.include({ kind: 'strip', entries: 4 });
    expect((await planned(['no-such'], { fallback: 'skip' })).outcome.kind).to.equal('missing');
    expect((await planned(['no-such'], { fallback: 'monogram' })).outcome).to.include({ entries: 1 });
  });

  it('draws initials on round tiles of half the area of a cell, in the color of each name', async () => {
    const { picture } = await planned(['acme', 'apple'], { fallback: 'monogram' });
    const svg = (await picture?.compose()) ?? '';
    const tiles = ['acme', 'apple'].map((name) => cssHex(monogramBackground({ name })));
    expect(new Set(tiles).size, 'one letter, two colors').to.equal(2);
    for (const tile of tiles) expect(svg).to.include(`<rect width="256" height="256" rx="56.32" fill="${tile}"/>`);
    // Each tile contains its letter as a nested picture.
    const places = [
      ...svg.matchAll(/<svg x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"[^>]*viewBox="0 0 256 256">/g),
    ];
    expect(places.filter((_, at) => at % 2 === 0).map(([, ...place]) => place)).to.deep.equal([
      ['9.3726', '9.3726', '45.2548', '45.2548'],
      ['73.3726', '9.3726', '45.2548', '45.2548'],
    ]);
  });

  it('shows the drawing with bitmaps in a PNG only', async () => {
    const read = async (format: 'svg' | 'png') => (await planned(['soft'], { format })).picture?.key;
    expect(await read('png'))
      .to.include('with-bitmaps')
      .and.not.include(someVariant().etag);
    expect(await read('svg'))
      .to.include(someVariant().etag)
      .and.not.include('with-bitmaps');
  });

  it('is another picture for other drawings, places and titles that are shown', async () => {
    const keyOf = async (names: readonly string[], request: Partial<StripRequest> = {}) =>
      (await planned(names, request)).picture?.key;
    const base = await keyOf(['old', 'new']);
    expect(await keyOf(['former', 'new'])).to.equal(base);
    const others = [
      await keyOf(['new', 'old'], { hasTitles: true }),
      await keyOf(['old', 'new'], { hasTitles: true }),
      await keyOf(['old']),
      await keyOf(['old', 'new'], { layout: { ...LAYOUT, gap: 1 } }),
      await keyOf(['old', 'new'], { layout: { ...LAYOUT, theme: 'auto' } }),
    ];
    expect(new Set([base, ...others]).size).to.equal(others.length + 1);
  });

  it('is a PNG of at most 4096 px a side', () => {
    const variant = someVariant();
    const form = { drawing: variant.etag, extent: variant, paint: null };
    const item = { title: 'One', forms: { light: form } };
    const picture = (count: number, side: number, format: 'png' | 'svg', perLine: number) =>
      stripPicture(
        {
          items: Array.from({ length: count }, () => item),
          layout: { ...LAYOUT, side, perLine },
          hasTitles: false,
          readings: new Map(),
        },
        { format, filename: 'strip', lastModified: undefined, isPrivate: false },
      );
    for (const perLine of [1, 100]) {
      expect(Math.max(picture(64, 64, 'png', perLine).width, picture(64, 64, 'png', perLine).height)).to.equal(4096);
      expect(thrownBy(() => picture(65, 64, 'png', perLine)).details?.[0]).to.include({
        field: 'size',
        reason: 'the picture would have a side of 4160 px',
      });
      expect(() => picture(65, 64, 'svg', perLine)).to.not.throw();
    }
  });

  it('has at most two million characters of drawings', async () => {
    const readings = new Map([
      ['a', () => 'x'.repeat(1_000_000)],
      ['b', () => 'y'.repeat(1_000_001)],
    ]);
    const item = (drawing: string) => ({
      title: 'One',
      forms: { light: { drawing, extent: { width: 1, height: 1 }, paint: null } },
    });
    const { compose } = stripPicture(
      { items: [item('a'), item('b')], layout: LAYOUT, hasTitles: false, readings },
      { format: 'svg', filename: 'strip', lastModified: undefined, isPrivate: false },
    );
    expect(await compose().catch((error: unknown) => error)).to.have.property('code', 'unprocessable');
  });
});
