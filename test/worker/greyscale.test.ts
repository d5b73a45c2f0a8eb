// Greyscale over sanitized drawings: every notation of a color, and the picture of real ones against their grey pixels.
import { expect } from 'chai';
import { greyscaleSvg } from '../../src/domain/image/greyscale.js';
import type { Entry } from '../../src/domain/catalog/entry.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import { decode, openPictures, testRasterizer, type Decoded, type Pictures } from '../support/pictures.js';

const OTHER = '<path d="M0 0h4v4H0z" fill="#111111"/>';

function greyOf(inside: string): string {
  const outcome = sanitizeSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${OTHER}${inside}</svg>`);
  if (!outcome.ok) throw new Error(outcome.message);
  expect(outcome.recolorable).to.equal(false);
  return greyscaleSvg(outcome.svg);
}

const SHAPE = 'd="M4 4h16v16H4z"';

describe('greyscale of every notation', () => {
  const RED = '#363636';
  const table: readonly [string, string, string][] = [
    ['a name', `<path ${SHAPE} fill="Red"/>`, `fill="${RED}"`],
    ['short hex', `<path ${SHAPE} fill="#F00"/>`, `fill="${RED}"`],
    ['hex with alpha', `<path ${SHAPE} fill="#ff000080"/>`, `fill="${RED}" fill-opacity="0.501961"`],
    ['rgb()', `<path ${SHAPE} fill="rgb(255, 0, 0)"/>`, `fill="${RED}"`],
    ['rgb() in percent', `<path ${SHAPE} fill="rgb(100% 0% 0% / 50%)"/>`, `fill="${RED}" fill-opacity="0.5"`],
    ['hsl()', `<path ${SHAPE} fill="hsl(0 100% 50%)"/>`, `fill="${RED}"`],
    ['a style attribute', `<path ${SHAPE} style="fill: red"/>`, `fill="${RED}"`],
    ['a rule', `<style>.a{fill:red}</style><path ${SHAPE} class="a"/>`, `fill="${RED}"`],
    ['currentColor', `<g color="red"><path ${SHAPE} fill="currentColor"/></g>`, `fill="${RED}"`],
    ['a stroke', `<path ${SHAPE} fill="none" stroke="red"/>`, `stroke="${RED}"`],
    [
      'a stop',
      `<linearGradient id="a"><stop style="stop-color:red;stop-opacity:.5"/><stop offset="1"/></linearGradient>` +
        `<path ${SHAPE} fill="url(#a)"/>`,
      `stop-color="${RED}" stop-opacity="0.5"`,
    ],
    [
      'a flood',
      '<filter id="a"><feDropShadow dx="1" dy="1" stdDeviation="1" style="flood-color:rgb(255 0 0)"/></filter>' +
        `<path ${SHAPE} fill="red" filter="url(#a)"/>`,
      `flood-color="${RED}"`,
    ],
  ];
  for (const [name, inside, wanted] of table) {
    it(name, () => {
      const grey = greyOf(inside);
      expect(grey).to.include(wanted);
      expect(colorsIn(grey).filter((hex) => !isGrey(hex))).to.deep.equal([]);
    });
  }
});

function colorsIn(svg: string): readonly string[] {
  return [...svg.matchAll(/#[0-9a-f]{6}(?=")/g)].map(([hex]) => hex);
}

function isGrey(hex: string): boolean {
  return hex.slice(1, 3) === hex.slice(3, 5) && hex.slice(3, 5) === hex.slice(5);
}

/** Largest difference of level and alpha from the grey of the colored picture's pixels, weighted by alpha. */
function differenceFromGrey(colored: Decoded, grey: Decoded): number {
  let most = 0;
  for (let at = 0; at < grey.rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = colored.rgba.subarray(at, at + 4);
    const [level = 0, , , greyAlpha = 0] = grey.rgba.subarray(at, at + 4);
    const wanted = ((0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha) / 255;
    most = Math.max(most, Math.abs((level * greyAlpha) / 255 - wanted), Math.abs(greyAlpha - alpha));
  }
  return most;
}

describe('greyscale of real drawings', function () {
  this.timeout(300_000);
  let pictures: Pictures;
  before(async () => {
    pictures = await openPictures(testRasterizer());
  });
  after(() => pictures.close());

  /** Filters and blend modes mix colors in other ways than the page does, so their grey is not that of their mixture. */
  const MIXES = /<filter|mix-blend-mode=/;

  it('finds every color of every drawing in the catalog', async () => {
    for (const { slug, variants } of pictures.entries) {
      for (const { etag, name } of variants) {
        const svg = greyscaleSvg(await pictures.catalog.asset(etag));
        for (const [attribute = '', value = ''] of paintsOf(svg))
          expect(value, `${slug}/${name} ${attribute}`).to.match(/^(?:#(..)\1\1|none|currentColor|url\(#[^)]*\))$/);
      }
    }
  });

  it('leaves no color in any drawing that filters or blends', async () => {
    let drawn = 0;
    for (const { slug, variants } of pictures.entries) {
      for (const { etag, name } of variants) {
        if (!MIXES.test(await pictures.catalog.asset(etag))) continue;
        drawn += 1;
        const grey = await decode(await pictures.make('png', slug, { variant: name, size: '64', greyscale: '1' }));
        expect(allGrey(grey), `${slug}/${name}`).to.equal(true);
      }
    }
    expect(drawn).to.be.greaterThan(50);
  });

  it('is the grey of the colored picture, pixel for pixel, in PNG and WebP', async () => {
    const sample = several(pictures, 400);
    expect(sample).to.have.lengthOf.at.least(400);
    for (const [index, { slug }] of sample.entries()) {
      const parameters = { size: '96', ...(index % 5 === 0 && { background: 'ff880080', padding: '8', rotate: '90' }) };
      const colored = await decode(await pictures.make('png', slug, parameters));
      const grey = await decode(await pictures.make('png', slug, { ...parameters, greyscale: '1' }));
      expect(allGrey(grey), slug).to.equal(true);
      const svg = await pictures.catalog.asset(sample[index]!.variants[0].etag);
      if (MIXES.test(svg)) continue;
      const difference = differenceFromGrey(colored, grey);
      // Each channel of the colored picture is rounded, and once more for each translucent shape that overlaps.
      expect(difference, slug).to.be.at.most(4);
      if (index % 10 !== 0) continue;
      const webp = await decode(await pictures.make('webp', slug, { ...parameters, greyscale: '1' }));
      expect(Buffer.compare(webp.rgba, grey.rgba), slug).to.equal(0);
    }
  });
});

function paintsOf(svg: string): readonly (readonly string[])[] {
  return [...svg.matchAll(/ ((?:[\w-]*-)?color|fill|stroke|style)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

function allGrey({ rgba }: Decoded): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] !== 0 && (rgba[at] !== rgba[at + 1] || rgba[at + 1] !== rgba[at + 2])) return false;
  }
  return true;
}

/** Entries with several colors, spread over the catalog. */
function several({ entries }: Pictures, count: number): readonly Entry[] {
  const colorful = entries.filter(({ variants }) => !variants[0].recolorable);
  const step = Math.max(1, Math.floor(colorful.length / count));
  return colorful.filter((_, index) => index % step === 0);
}
