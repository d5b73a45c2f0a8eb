// The SVG route and the PNG route return the same picture. A browser renders the SVG.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseSlug, type Entry, type Slug } from '../../src/catalog/entry.js';
import { withBrowser } from '../support/browser.js';
import { decode, openPictures, testRasterizer, type Parameters, type OpenedPictures } from '../support/pictures.js';

const REQUESTS = 240;
const BATCH = 24;
/** Drawings with filters in the default catalog. */
const FILTERED: readonly (readonly [slug: string, variant: string])[] = [
  ['vite', 'default'],
  ['antigravity', 'default'],
  ['google-gemini', 'default'],
  ['google-keep', 'default'],
  ['lighthouse', 'default'],
  ['lipton', 'default'],
  ['rolldown', 'default'],
  ['appwrite', 'alternate'],
  ['ethereum', 'alternate'],
  ['meta-ai', 'alternate'],
  ['oxc', 'alternate'],
];
const FILTERED_LAYOUTS: readonly Parameters[] = [
  { size: '48' },
  { size: '150', trim: '1', flip: 'v' },
  { size: '256' },
  { size: '400' },
  { size: '512' },
  { size: '900' },
  { size: '256', padding: '6', rotate: '90', flip: 'h', background: 'ffeedd' },
];
/** Parameters for variants of any kind. Without a size, the picture is compared in the default size of PNG and WebP. */
const LAYOUTS: readonly Parameters[] = [
  { size: '128' },
  {},
  { width: '150' },
  { height: '90' },
  { width: '160', height: '64' },
  { size: '64', scale: '2' },
  { size: '128', padding: '15' },
  { size: '128', background: 'white' },
  { size: '128', background: '1d9bf080', padding: '10' },
  { size: '128', background: 'rebeccapurple', radius: '50', padding: '20' },
  { width: '140', background: 'ffd70040', radius: '20', padding: '5' },
  { size: '128', rotate: '90' },
  { width: '120', rotate: '270', padding: '10' },
  { size: '128', rotate: '180', flip: 'h' },
  { size: '128', flip: 'v' },
  { height: '100', flip: 'hv', background: 'eeee' },
  { size: '33', padding: '7' },
  { size: '300', scale: '1', padding: '40' },
  { padding: '25' },
  { background: '222', radius: '30', rotate: '90', padding: '12' },
  { size: '128', greyscale: '1' },
  { width: '120', greyscale: '1', background: 'ffd70080', rotate: '90', padding: '5' },
  { size: '128', on: 'dark' },
  { size: '128', on: 'light', background: 'fff' },
];
/** Parameters for variants with a single color. */
const COLORS: readonly Parameters[] = [
  { size: '128', color: 'f00' },
  { size: '128', color: '00f8' },
  { size: '96', color: 'teal', background: 'gold', radius: '10', padding: '10' },
  { width: '120', color: '33669940', rotate: '90' },
  { size: '128', color: 'brand' },
  { size: '128', color: '1d9bf080', greyscale: '1' },
];

/**
 * Drawings with lines that are thinner than a pixel at small sizes. The exception is `github`, which has no thin lines.
 */
const THIN: readonly string[] = ['ibeacon', 'starbucks', 'unilever', 'gnu', 'lufthansa', 'github'];
const SMALL_SIZES: readonly number[] = [16, 24, 32, 48];
const SMALL_LAYOUTS: readonly Parameters[] = [
  {},
  { background: 'white' },
  { background: 'f0f', radius: '10' },
  { background: 'f0f', radius: '25' },
  { background: 'f0f', radius: '50' },
];
/**
 * Factor of supersampling. The mean of 16 × 16 pixels differs from the exact coverage of one pixel by less than 0.01.
 */
const ENLARGED = 16;

interface Comparison {
  readonly slug: Slug;
  readonly parameters: Parameters;
}

describe('the same picture from every route', function () {
  const browser = withBrowser();
  let page: Page;
  let pictures: OpenedPictures | undefined;

  before(async () => {
    page = await browser().newPage();
    await page.setContent(`<!doctype html><title>pictures</title><script>${DRAW_IN_PAGE}</script>`);
    pictures = await openPictures(testRasterizer(), 'whole');
  });

  after(() => pictures?.close());

  /** Returns the pixels of both routes for each picture: RGBA, alpha not premultiplied. */
  async function drawBoth(comparisons: readonly Comparison[]) {
    const made = comparisons.map(async ({ slug, parameters }) => {
      const { width, height, rgba } = await decode(await pictures!.make('png', slug, parameters));
      const svg = Buffer.from(await pictures!.make('svg', slug, parameters)).toString();
      return { text: `${slug}?${new URLSearchParams(parameters).toString()}`, rgba, drawing: { svg, width, height } };
    });
    const batch = await Promise.all(made);
    const drawings = JSON.stringify(batch.map(({ drawing }) => drawing));
    const drawn = await page.evaluate<string[]>(`drawPictures(${drawings})`);
    return batch.map(({ text, rgba }, index) => ({ text, rgba, browser: Buffer.from(drawn[index]!, 'base64') }));
  }

  /** Returns the difference of each comparison, 0 to 1, the largest first. */
  async function compare(comparisons: readonly Comparison[]) {
    const results: { readonly text: string; readonly share: number }[] = [];
    for (let at = 0; at < comparisons.length; at += BATCH) {
      const batch = await drawBoth(comparisons.slice(at, at + BATCH));
      results.push(...batch.map(({ text, rgba, browser: drawn }) => ({ text, share: difference(drawn, rgba) / 255 })));
    }
    results.sort((one, other) => other.share - one.share);
    for (const { text, share } of results.slice(0, 3))
      process.stdout.write(`      ${(share * 100).toFixed(2)} %  ${text}\n`);
    return results;
  }

  it(`differs by less than 2 per cent on ${REQUESTS} requests`, async () => {
    const results = await compare(requests(pictures!.entries));
    expect(results).to.have.length(REQUESTS);
    expect(results.filter(({ share }) => !(share < 0.02))).to.deep.equal([]);
  });

  it('differs by less than 2 per cent in the corners of small backgrounds', async () => {
    const comparisons = SMALL_SIZES.flatMap((size) =>
      ['0', '10', '25', '50'].map((radius) => ({
        slug: parseSlug('github')!,
        parameters: { size: String(size), padding: '40', background: 'f0f', radius },
      })),
    );
    const results = await compare(comparisons);
    expect(results.filter(({ share }) => !(share < 0.02))).to.deep.equal([]);
  });

  /**
   * Renderers differ by up to 4 percent in lines that are thinner than a pixel. The test therefore calculates the exact
   * coverage of each pixel. The PNG must be closer to this coverage than the browser's picture.
   */
  it('is nearer to the coverage of small pixels than the browser is', async () => {
    const errors: { readonly text: string; readonly png: number; readonly browser: number }[] = [];
    for (const name of THIN)
      for (const size of SMALL_SIZES) {
        const slug = parseSlug(name)!;
        const sized = (px: number) =>
          SMALL_LAYOUTS.map((layout) => ({ slug, parameters: { ...layout, size: String(px) } }));
        const batch = await drawBoth(sized(size));
        for (const [at, { parameters }] of sized(size * ENLARGED).entries()) {
          const exact = reduced((await decode(await pictures!.make('png', slug, parameters))).rgba, size);
          const { text, rgba, browser: drawn } = batch[at]!;
          errors.push({ text, png: difference(exact, rgba) / 255, browser: difference(exact, drawn) / 255 });
        }
      }
    const mean = (route: 'png' | 'browser') => errors.reduce((sum, one) => sum + one[route], 0) / errors.length;
    process.stdout.write(
      `      mean: PNG ${(mean('png') * 100).toFixed(2)} %, browser ${(mean('browser') * 100).toFixed(2)} %\n`,
    );
    expect(mean('png')).to.be.below(mean('browser'));
    expect(errors.filter(({ png }) => !(png < 0.04))).to.deep.equal([]);
  });

  it('differs by less than 1 percent if drawings have filters, and by less than 2 at 48 px', async () => {
    const comparisons = FILTERED.flatMap(([name, variant]) =>
      FILTERED_LAYOUTS.map((layout) => ({ slug: parseSlug(name)!, parameters: { ...layout, variant } })),
    );
    const results = await compare(comparisons);
    const allowed = (text: string): number => (text.includes('size=48') ? 0.02 : 0.01);
    expect(results.filter(({ text, share }) => !(share < allowed(text)))).to.deep.equal([]);
  });
});

/**
 * Returns comparisons for entries from all parts of the catalog, each with a different layout. Entries with a single
 * color are also compared in other colors.
 */
function requests(entries: readonly Entry[]): Comparison[] {
  const step = Math.floor(entries.length / REQUESTS);
  return Array.from({ length: REQUESTS }, (_, index) => {
    const entry = entries[index * step]!;
    const recolorable = entry.variants.find((variant) => variant.recolorable);
    const colored = COLORS[index % COLORS.length]!;
    if (index % 3 === 0 && recolorable && (colored.color !== 'brand' || entry.hex !== null)) {
      return { slug: entry.slug, parameters: { ...colored, variant: recolorable.name } };
    }
    const layout = LAYOUTS[index % LAYOUTS.length]!;
    const variant = entry.variants[index % entry.variants.length]!;
    return { slug: entry.slug, parameters: layout.on === undefined ? { ...layout, variant: variant.name } : layout };
  });
}

/**
 * Source text of a function that runs in the page and cannot use variables of this module. It returns the RGBA of each
 * picture in base64, alpha not premultiplied.
 */
const DRAW_IN_PAGE = String.raw`
  async function drawPictures(pictures) {
    const drawn = [];
    for (const { svg, width, height } of pictures) {
      const image = new Image();
      const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      image.src = address;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      // Scales the image to fit into the box, as an <img> with the size of the box does.
      const factor = Math.min(width / image.naturalWidth, height / image.naturalHeight);
      const [w, h] = [image.naturalWidth * factor, image.naturalHeight * factor];
      context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
      URL.revokeObjectURL(address);
      const { data } = context.getImageData(0, 0, width, height);
      let binary = '';
      for (let at = 0; at < data.length; at += 8192) binary += String.fromCharCode(...data.subarray(at, at + 8192));
      drawn.push(btoa(binary));
    }
    return drawn;
  }
`;

/**
 * Reduces a picture by the factor `ENLARGED` to `size` × `size` px. Each resulting pixel is the mean of the original
 * pixels in its place.
 */
function reduced(rgba: Uint8Array, size: number): Float64Array {
  const wide = size * ENLARGED;
  const sums = new Float64Array(4 * size * size);
  for (let at = 0; at < rgba.length; at += 4) {
    const [x, y] = [(at / 4) % wide, Math.floor(at / 4 / wide)];
    const to = 4 * (Math.floor(y / ENLARGED) * size + Math.floor(x / ENLARGED));
    const alpha = rgba[at + 3]!;
    for (let channel = 0; channel < 3; channel++) sums[to + channel]! += rgba[at + channel]! * alpha;
    sums[to + 3]! += alpha;
  }
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = sums[at + 3]!;
    for (let channel = 0; channel < 3; channel++) sums[at + channel] = alpha === 0 ? 0 : sums[at + channel]! / alpha;
    sums[at + 3] = alpha / ENLARGED ** 2;
  }
  return sums;
}

/**
 * Returns the difference of two pictures, 0 to 255. It is the largest mean difference of a color channel, on a black
 * and on a white page.
 */
function difference(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) return 255;
  let worst = 0;
  for (const page of [0, 255]) {
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let at = 0; at < one.length; at += 4)
        sum += Math.abs(onPage(one, at, channel, page) - onPage(other, at, channel, page));
      worst = Math.max(worst, sum / (one.length / 4));
    }
  }
  return worst;
}

function onPage(rgba: ArrayLike<number>, at: number, channel: number, page: number): number {
  const alpha = rgba[at + 3]! / 255;
  return rgba[at + channel]! * alpha + page * (1 - alpha);
}
