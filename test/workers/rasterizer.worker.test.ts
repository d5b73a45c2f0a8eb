// Pictures from the rasterizer: exact colors, alpha not premultiplied, and files that other decoders can read.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import fc from 'fast-check';
import sharp from 'sharp';
import { encodePng } from '../../workers/rasterize/png.js';
import type { Pixels } from '../../workers/pixels.js';
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
});
