// Greyscale of every drawing in the catalog, compared pixel by pixel with the gray of the colored picture.
import { expect } from 'chai';
import type { Entry } from '../../src/catalog/entry.js';
import { greyscaleSvg } from '../../src/pictures/greyscale.js';
import { decode, openPictures, testRasterizer, type Decoded, type OpenedPictures } from '../support/pictures.js';

/**
 * Returns the largest difference between the greyscale picture and the gray of the colored picture. Compares the alpha,
 * and the gray level multiplied by the alpha.
 */
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

describe('greyscale of the catalog', () => {
  let pictures: OpenedPictures;
  before(async () => {
    pictures = await openPictures(testRasterizer(), 'whole');
  });
  after(() => pictures.close());

  /**
   * Drawings that are not compared. Filters and blend modes don't mix colors linearly, so the greyscale of the drawing
   * differs from the gray of the colored pixels.
   */
  const MIXES = /<filter|mix-blend-mode/;

  it('finds every color of every drawing in the catalog', async () => {
    for (const { slug, variants } of pictures.entries) {
      for (const { etag, name } of variants) {
        const svg = greyscaleSvg(await pictures.catalog.drawing(etag));
        for (const [attribute = '', value = ''] of paintsOf(svg))
          expect(value, `${slug}/${name} ${attribute}`).to.match(/^(?:#(..)\1\1|none|currentColor|url\(#[^)]*\))$/);
      }
    }
  });

  it('leaves no color in any drawing with filters or blend modes', async () => {
    let drawn = 0;
    for (const { slug, variants } of pictures.entries) {
      for (const { etag, name } of variants) {
        if (!MIXES.test(await pictures.catalog.drawing(etag))) continue;
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
    const rough: string[] = [];
    for (const [index, { slug }] of sample.entries()) {
      const parameters = { size: '96', ...(index % 5 === 0 && { background: 'ff880080', padding: '8', rotate: '90' }) };
      const colored = await decode(await pictures.make('png', slug, parameters));
      const grey = await decode(await pictures.make('png', slug, { ...parameters, greyscale: '1' }));
      expect(allGrey(grey), slug).to.equal(true);
      const svg = await pictures.catalog.drawing(sample[index]!.variants[0].etag);
      if (MIXES.test(svg)) continue;
      const difference = differenceFromGrey(colored, grey);
      // Allows for rounding: the channels are rounded again for each translucent layer of a pixel. Opaque shapes also
      // have translucent layers, because the smooth edges of their fill and stroke overlap.
      expect(difference, slug).to.be.at.most(10);
      if (difference > 4) rough.push(slug);
      if (index % 10 !== 0) continue;
      const webp = await decode(await pictures.make('webp', slug, { ...parameters, greyscale: '1' }));
      expect(Buffer.compare(webp.rgba, grey.rgba), slug).to.equal(0);
    }
    expect(rough.length, rough.join()).to.be.below(5);
  });
});

function paintsOf(svg: string): readonly (readonly string[])[] {
  return [...svg.matchAll(/ ((?:[\w-]*-)?color|fill|stroke)="([^"]*)"/g)].map(([, name = '', value = '']) => [
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

/** Returns entries with several colors, taken evenly from the whole catalog. */
function several({ entries }: OpenedPictures, count: number): readonly Entry[] {
  const colorful = entries.filter(({ variants }) => !variants[0].recolorable);
  const step = Math.max(1, Math.floor(colorful.length / count));
  return colorful.filter((_, index) => index % step === 0);
}
