// The SVG that is served, drawn by a browser, is the picture that the PNG route serves.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseSlug, type Entry, type Slug } from '../../src/domain/catalog/entry.js';
import { withBrowser } from '../support/browser.js';
import { decode, openPictures, testRasterizer, type Parameters, type OpenedPictures } from '../support/pictures.js';

const REQUESTS = 240;
const BATCH = 24;
/** Drawings with filters of the catalog as it is installed. */
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
/** Parameters for any variant. Every SVG here has a size, or is drawn into the default box of PNG and WebP. */
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
/** Parameters for single-color variants. */
const COLORS: readonly Parameters[] = [
  { size: '128', color: 'f00' },
  { size: '128', color: '00f8' },
  { size: '96', color: 'teal', background: 'gold', radius: '10', padding: '10' },
  { width: '120', color: '33669940', rotate: '90' },
  { size: '128', color: 'brand' },
  { size: '128', color: '1d9bf080', greyscale: '1' },
];

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

  /** The largest differences first, as shares of 1. */
  async function compare(comparisons: readonly Comparison[]) {
    const { make } = pictures!;
    const results: { readonly text: string; readonly share: number }[] = [];
    for (let at = 0; at < comparisons.length; at += BATCH) {
      const made = comparisons.slice(at, at + BATCH).map(async ({ slug, parameters }) => {
        const { width, height, rgba } = await decode(await make('png', slug, parameters));
        const svg = Buffer.from(await make('svg', slug, parameters)).toString();
        const text = `${slug}?${new URLSearchParams(parameters).toString()}`;
        return { text, rgba, drawing: { svg, width, height } };
      });
      const batch = await Promise.all(made);
      const drawings = JSON.stringify(batch.map(({ drawing }) => drawing));
      const drawn = await page.evaluate<string[]>(`drawPictures(${drawings})`);
      for (const [index, { text, rgba }] of batch.entries())
        results.push({ text, share: difference(Buffer.from(drawn[index]!, 'base64'), rgba) / 255 });
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

  it('differs by less than 1 per cent where drawings have filters, and by less than 2 at 48 px', async () => {
    const comparisons = FILTERED.flatMap(([name, variant]) =>
      FILTERED_LAYOUTS.map((layout) => ({ slug: parseSlug(name)!, parameters: { ...layout, variant } })),
    );
    const results = await compare(comparisons);
    const allowed = (text: string): number => (text.includes('size=48') ? 0.02 : 0.01);
    expect(results.filter(({ text, share }) => !(share < allowed(text)))).to.deep.equal([]);
  });
});

/** Entries spread over the whole catalog, each with another layout; single-color ones also in colors. */
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

/** Text, because it runs in the page, whose names this program does not know. Base64 of RGBA with straight alpha. */
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
      // An SVG without a size is contained in the box, as it would be in an <img> of that size.
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

/** Largest mean difference of a channel, 0 to 255, on black or on white. */
function difference(one: Uint8Array, other: Uint8Array): number {
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

function onPage(rgba: Uint8Array, at: number, channel: number, page: number): number {
  const alpha = rgba[at + 3]! / 255;
  return rgba[at + channel]! * alpha + page * (1 - alpha);
}
