// Pictures from the rasterizer: exact colors, alpha not premultiplied, and files that other decoders can read.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import fc from 'fast-check';
import sharp from 'sharp';
import { encodeJpeg } from '../../workers/rasterize/jpeg.js';
import { encodePng } from '../../workers/rasterize/png.js';
import { toGreyscale, type Pixels } from '../../workers/pixels.js';
import { encodeVp8l } from '../../workers/vp8l/encode.js';
import type { RasterizeJob, Rasterizer } from '../../src/pictures/rasterizer.js';
import { eventually } from '../support/auth.js';
import { decode, testRasterizer } from '../support/pictures.js';
import { repeated } from '../support/extent.js';

const FORMATS = ['png', 'webp'] as const;

function document(body: string, side = 16): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 16 16">${body}</svg>`;
}

function job(body: string, more: Partial<RasterizeJob> = {}): RasterizeJob {
  return { svg: document(body), width: 16, height: 16, format: 'png', quality: null, ...more };
}

describe('drawing threads', () => {
  let rasterizer: Rasterizer;

  before(() => {
    rasterizer = testRasterizer();
  });

  after(() => rasterizer.close());

  async function draw(asked: RasterizeJob): Promise<Uint8Array> {
    const outcome = await rasterizer.rasterize(asked);
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.bytes;
  }

  async function middle(asked: RasterizeJob): Promise<number[]> {
    const { rgba, width, height } = await decode(await draw(asked));
    const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
    return [...rgba.subarray(at, at + 4)];
  }

  for (const format of FORMATS) {
    it(`${format}: straight alpha, rounded half up`, async () => {
      const fills: [string, string, number[]][] = [
        ['#f00', '.5', [255, 0, 0, 128]],
        ['#00ff00', '.25', [0, 255, 0, 64]],
        ['#fff', '.1', [255, 255, 255, 26]],
        ['#336699', '1', [51, 102, 153, 255]],
        ['#000', '.9', [0, 0, 0, 230]],
        ['#ff0', '.004', [255, 255, 0, 1]],
      ];
      for (const [fill, opacity, rgba] of fills) {
        expect(
          await middle(job(`<rect width="16" height="16" fill="${fill}" fill-opacity="${opacity}"/>`, { format })),
          fill,
        ).to.deep.equal(rgba);
      }
    });

    it(`${format}: draws nothing for an empty drawing`, async () => {
      expect(await middle(job('<rect width="2" height="2"/>', { format }))).to.deep.equal([0, 0, 0, 0]);
    });

    it(`${format}: filters too`, async () => {
      const shadow =
        '<filter id="a"><feFlood flood-color="#00f" result="b"/><feComposite in="b" in2="SourceAlpha" operator="in"/></filter>';
      expect(await middle(job(`${shadow}<rect width="16" height="16" filter="url(#a)"/>`, { format }))).to.deep.equal([
        0, 0, 255, 255,
      ]);
    });

    it(`${format}: has the requested size for a document of any size, up to 4096 px`, async () => {
      const svg = document('<circle cx="8" cy="8" r="7" fill="red" opacity=".7"/>', 4096);
      const large = await sharp(await draw({ svg, width: 4096, height: 4096, format, quality: null })).metadata();
      expect([large.width, large.height, large.format]).to.deep.equal([4096, 4096, format]);
    });
  }

  it('webp: smaller with less quality', async () => {
    const body =
      '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><circle cx="8" cy="8" r="8" fill="url(#g)"/>';
    const sizes = [];
    for (const quality of [1, 50, 100]) {
      const bytes = await draw({ svg: document(body, 256), width: 256, height: 256, format: 'webp', quality });
      expect((await sharp(bytes).metadata()).width).to.equal(256);
      sizes.push(bytes.length);
    }
    expect(sizes).to.deep.equal(sizes.toSorted((a, b) => a - b));
  });

  it('reply to an unreadable document, and continue', async () => {
    for (const svg of [
      '',
      '<svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>',
      '\0',
      '<g>'.repeat(50_000),
    ]) {
      const outcome = await rasterizer.rasterize({ svg, width: 16, height: 16, format: 'png', quality: null });
      expect(outcome).to.include({ ok: false, failure: 'rejected' });
    }
    expect(await middle(job('<rect width="16" height="16" fill="red"/>'))).to.deep.equal([255, 0, 0, 255]);
  });

  it('draw in a process with lower priority', async function () {
    if (process.platform !== 'linux') this.skip();
    const own = getPriority();
    await draw(job('<rect/>'));
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('rasterize/process-entry'));
    expect(getPriority()).to.equal(own);
    expect(children).not.to.be.empty;
    // A process that has just been started still has normal priority.
    await eventually(
      () => children.every((child) => getPriority(Number(child)) === Math.max(own, 10)),
      'lower priority',
    );
  });
});

/** Random small pictures with few or many colors, some with runs of one color. */
const pixels: fc.Arbitrary<Pixels> = fc
  .record({
    width: fc.integer({ min: 1, max: 120 }),
    height: fc.integer({ min: 1, max: 60 }),
    colors: fc.integer({ min: 1, max: 1500 }),
    longestRun: fc.constantFrom(1, 3, 40, 5000),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
    opaque: fc.boolean(),
  })
  .map(({ width, height, colors, longestRun, seed, opaque }) => {
    let state = seed;
    const random = (below: number): number => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    const palette = Array.from({ length: colors }, () => [
      random(256),
      random(256),
      random(256),
      opaque ? 255 : random(256),
    ]);
    const pick = (): number[] => (random(3) === 0 ? [255, 255, 255, 255] : palette[random(colors)]!);
    const bytes = new Uint8Array(width * height * 4);
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + 4 * (1 + random(longestRun)));
      const distance = 4 * (1 + random(Math.max(1, at / 4)));
      const color = pick();
      // Writes either a run of one color, or a copy of earlier pixels.
      const again = random(2) === 0 && distance <= at;
      for (; at < end; at += 4)
        bytes.set(again ? bytes.slice(at - distance, at - distance + 4) : color[3] === 0 ? [0, 0, 0, 0] : color, at);
    }
    return { width, height, bytes, premultiplied: false };
  });

/** Returns 32 pseudo-random bits that depend only on x and y. */
function noise(x: number, y: number): number {
  const mixed = Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Copies the pixels, because an encoder changes its input. */
const copyOf = (given: Pixels): Pixels => ({ ...given, bytes: given.bytes.slice() });

describe('own encoders', () => {
  for (const [name, encode] of [
    ['PNG', encodePng],
    ['lossless WebP', encodeVp8l],
  ] as const) {
    it(`${name}: every pixel comes back as it was`, async () => {
      await fc.assert(
        fc.asyncProperty(pixels, async (given) => {
          const { rgba, width, height } = await decode(encode(copyOf(given)));
          expect([width, height]).to.deep.equal([given.width, given.height]);
          expect(Buffer.compare(rgba, given.bytes)).to.equal(0);
        }),
        { numRuns: repeated(100, 300) },
      );
    });

    it(`${name}: many premultiplied colors come back as straight ones`, async () => {
      const [width, height] = [256, 256];
      const [given, straight] = [new Uint8Array(width * height * 4), new Uint8Array(width * height * 4)];
      for (let at = 0; at < given.length; at += 4) {
        const alpha = (at >> 10) & 255;
        for (let channel = 0; channel < 3; channel++) {
          const value = Math.round((alpha * ((at >> 2) & 255)) / 255 / (channel + 1));
          given[at + channel] = value;
          straight[at + channel] = alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha));
        }
        given[at + 3] = straight[at + 3] = alpha;
      }
      const { rgba } = await decode(encode({ width, height, bytes: given, premultiplied: true }));
      expect(Buffer.compare(rgba, straight)).to.equal(0);
    });

    it(`${name}: gradients, diagonals, repeated tiles and rare values come back as they were`, async () => {
      for (const [width, height] of [
        [256, 256],
        [300, 77],
        [8, 2000],
        [5, 5],
        // This picture needs more memory than the encoder keeps for reuse.
        [700, 400],
      ] as const) {
        for (const paint of [
          (x: number, y: number) => [x, y, x + y, 255],
          (x: number, y: number) => [(x - y) & 255, 0, 7, (x * y) & 255 || 1],
          (x: number, y: number) => [((x % 9) * 28) & 255, ((y % 7) * 36) & 255, 3, 255],
          (x: number, y: number) => (((x >> 3) + (y >> 3)) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]),
          // In two channels, each value is half as frequent as the next lower value, so the encoder needs codes of all
          // lengths.
          (x: number, y: number) => [3 * Math.clz32(noise(x, y)), Math.clz32(noise(x, y)), noise(y, x) & 255, 255],
        ]) {
          const bytes = Uint8Array.from({ length: width * height }, () => 0);
          const rgba = new Uint8Array(bytes.length * 4);
          for (let at = 0; at < bytes.length; at++) rgba.set(paint(at % width, Math.floor(at / width)), at * 4);
          const decoded = await decode(encode(copyOf({ width, height, bytes: rgba, premultiplied: false })));
          expect(Buffer.compare(decoded.rgba, rgba), `${width}x${height}`).to.equal(0);
        }
      }
    });
  }

  /** Returns a picture of this number of colors, in which each pixel differs from the pixel at its left. */
  function ofColors(
    count: number,
    [width, height]: readonly [number, number],
    alpha: (color: number) => number,
  ): Pixels {
    const bytes = new Uint8Array(width * height * 4);
    for (let at = 0; at < width * height; at++) {
      const color = at % count;
      bytes.set([color & 255, color >> 8, 9, alpha(color)], at * 4);
    }
    return { width, height, bytes, premultiplied: false };
  }

  const opaque = (): number => 255;
  const chunkOf = (png: Uint8Array, type: string): Buffer | undefined => {
    const file = Buffer.from(png);
    const at = file.indexOf(type, 8, 'latin1');
    return at === -1 ? undefined : file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
  };

  it('PNG: has as few bits per pixel as its colors need', async () => {
    const [INDEXED, RGBA] = [3, 6];
    for (const [colors, bits, type] of [
      [1, 1, INDEXED],
      [2, 1, INDEXED],
      [3, 2, INDEXED],
      [4, 2, INDEXED],
      [5, 4, INDEXED],
      [16, 4, INDEXED],
      [17, 8, INDEXED],
      [256, 8, INDEXED],
      [257, 8, RGBA],
    ] as const) {
      // No width is a multiple of the number of pixels in a byte.
      const given = ofColors(colors, [37, 11], opaque);
      const png = encodePng(copyOf(given));
      expect([...chunkOf(png, 'IHDR')!.subarray(8, 10)], `${colors} colors`).to.deep.equal([bits, type]);
      expect(Buffer.compare((await decode(png)).rgba, given.bytes), `${colors} colors`).to.equal(0);
    }
  });

  it('PNG: lists the alpha of its palette up to the last translucent color', () => {
    const alphas = (alpha: (color: number) => number) => chunkOf(encodePng(ofColors(5, [37, 11], alpha)), 'tRNS');
    expect(alphas(opaque)).to.equal(undefined);
    expect([...alphas((color) => (color === 2 ? 7 : 255))!]).to.deep.equal([255, 255, 7]);
    expect([...alphas((color) => (color === 4 ? 254 : 255))!]).to.deep.equal([255, 255, 255, 255, 254]);
  });

  for (const [name, encode] of [
    ['PNG', encodePng],
    ['lossless WebP', encodeVp8l],
  ] as const) {
    it(`${name}: contains nothing of the picture before it`, async () => {
      const before = ofColors(5000, [401, 203], opaque);
      for (const colors of [1, 2, 3, 4, 5, 16, 17, 256, 257]) {
        encode(copyOf(before));
        const given = ofColors(colors, [37, 11], (color) => (color === 0 ? 3 : 255));
        expect(Buffer.compare((await decode(encode(copyOf(given)))).rgba, given.bytes), `${colors} colors`).to.equal(0);
      }
    });

    it(`${name}: reads pixels at any place of a larger buffer`, async () => {
      for (const colors of [2, 300]) {
        const given = ofColors(colors, [37, 11], opaque);
        for (const offset of [1, 2, 4]) {
          const larger = new Uint8Array(given.bytes.length + 9).fill(77);
          larger.set(given.bytes, offset);
          const bytes = larger.subarray(offset, offset + given.bytes.length);
          const { rgba } = await decode(encode({ ...given, bytes }));
          expect(Buffer.compare(rgba, given.bytes), `${colors} colors at ${offset}`).to.equal(0);
        }
      }
    });

    it(`${name}: a transparent pixel has no color`, async () => {
      for (const premultiplied of [false, true])
        for (const colors of [3, 300]) {
          const given = ofColors(colors, [37, 11], (color) => (color === 1 ? 0 : 255));
          const { rgba } = await decode(encode({ ...copyOf(given), premultiplied }));
          expect([...rgba.subarray(4, 8)], `${colors} colors`).to.deep.equal([0, 0, 0, 0]);
        }
    });

    it(`${name}: translucent colors are as gray as they are bright`, async () => {
      const premultiplied = [100, 50, 25, 128];
      const given: Pixels = { width: 1, height: 1, bytes: Uint8Array.from(premultiplied), premultiplied: true };
      toGreyscale(given);
      expect([...given.bytes]).to.deep.equal([59, 59, 59, 128]);
      expect([...(await decode(encode(given))).rgba]).to.deep.equal([118, 118, 118, 128]);
    });
  }

  it('JPEG: has a white background and the full resolution of colors', async () => {
    const stripes = ofColors(2, [32, 32], opaque);
    for (let at = 0; at < stripes.bytes.length; at += 4)
      stripes.bytes.set(
        [
          [255, 0, 0, 255],
          [0, 0, 255, 255],
          [0, 0, 0, 0],
        ][(at / 4) % 32 < 24 ? (((at / 4) % 32) >> 3) % 2 : 2]!,
        at,
      );
    const jpeg = await encodeJpeg(stripes);
    expect(await sharp(jpeg).metadata()).to.include({ format: 'jpeg', chromaSubsampling: '4:4:4', hasAlpha: false });
    const { rgba } = await decode(jpeg);
    for (const [x, color] of [
      [7, [255, 0, 0]],
      [8, [0, 0, 255]],
      [28, [255, 255, 255]],
    ] as const)
      for (const [channel, value] of color.entries())
        expect(rgba[(16 * 32 + x) * 4 + channel], `channel ${channel} at ${x}`).to.be.closeTo(value, 12);
  });

  it('lossless WebP: copies pixels from as far away as the format allows', async () => {
    const [width, height, colors] = [2048, 513, 300];
    const farthest = 2 ** 20 - 120;
    const [near, far] = await Promise.all(
      [farthest, farthest + 1].map(async (distance) => {
        const given: Pixels = {
          width,
          height,
          bytes: new Uint8Array(width * height * 4).fill(255),
          premultiplied: false,
        };
        for (let color = 0; color < colors; color++)
          for (const at of [color, distance + color])
            given.bytes.set([noise(color, 1), noise(color, 2), 7, 255], at * 4);
        const webp = encodeVp8l(copyOf(given));
        expect(Buffer.compare((await decode(webp)).rgba, given.bytes), `distance ${distance}`).to.equal(0);
        return webp.length;
      }),
    );
    expect(far! - near!).to.be.above(200);
  });

  it('lossless WebP: is not larger than its kind of picture needs', () => {
    const [width, height] = [200, 160];
    const white = [255, 255, 255, 255];
    const grayNoise = (x: number, y: number) => {
      const gray = noise(x, y) & 255;
      return [gray, gray, (gray + (noise(y, x) & 1)) & 255, 255];
    };
    const oneOfMany = (color: number) => [
      (color * 37) & 255,
      (color * 91) & 255,
      (color * 53 + (color >> 8)) & 255,
      255,
    ];
    const pictures: readonly (readonly [name: string, bytes: number, paint: (x: number, y: number) => number[]])[] = [
      ['two colors', 96, (x, y) => (((x >> 4) + (y >> 4)) % 2 === 0 ? white : [0, 0, 0, 255])],
      ['a dozen colors', 4736, (x, y) => [((x * y) >> 6) % 12, 0, 0, 255]],
      ['two hundred colors', 12_666, (x, y) => [((x * y) >> 5) % 200, 9, 9, 255]],
      ['a gradient', 480, (x, y) => [x, y, (x + y) >> 1, 255]],
      ['shades of gray with alpha', 76, (x, y) => [x, x, x, Math.max(1, y)]],
      ['repeated noise', 1882, (x, y) => [noise(x % 40, y % 20) & 255, noise(y % 20, x % 40) & 255, 7, 255]],
      // Between the shares of single pixels with which a picture certainly has a gradient, or none.
      ['a little noise', 11_972, (x, y) => (x < 34 ? [noise(x, y) & 255, noise(y, x) & 255, 7, 255] : white)],
      ['a little gray noise', 6298, (x, y) => (x < 34 ? grayNoise(x, y) : white)],
      ['scattered colors', 8202, (x, y) => (x < 34 ? oneOfMany(noise(x, y) % 300) : white)],
      ['a small gradient', 1462, (x, y) => (x < 34 ? [x * 7, y, (x * y) >> 5, 255] : white)],
    ];
    for (const [name, most, paint] of pictures) {
      const bytes = new Uint8Array(width * height * 4);
      for (let at = 0; at < width * height; at++) bytes.set(paint(at % width, Math.floor(at / width)), at * 4);
      const { length } = encodeVp8l({ width, height, bytes, premultiplied: false });
      expect(length, name).to.be.at.most(most);
    }
  });
});
