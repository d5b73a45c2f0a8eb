// Writes WebP: lossless in this thread, lossy with libwebp.
import { straightColours, type Pixels } from './pixels.js';
import { loadSharp } from './sharp.js';
import { encodeVp8l } from './vp8l.js';

/** Beyond so many pixels libwebp looks less long for what is shorter: half the time, a fifth more bytes. */
const LARGE_PIXELS = 4 * 2 ** 20;
const EFFORT = { usual: 4, large: 2 } as const;

/** `quality` is 1..100; null is lossless. */
export async function encodeWebp(pixels: Pixels, quality: number | null): Promise<Uint8Array<ArrayBuffer>> {
  if (quality === null) return encodeVp8l(pixels);
  const sharp = await loadSharp();
  const { width, height } = pixels;
  const straight = new Uint8Array(straightColours(pixels).buffer);
  const encoded = await sharp(straight, { raw: { width, height, channels: 4 } }).webp({ quality, effort: width * height > LARGE_PIXELS ? EFFORT.large : EFFORT.usual }).toBuffer();
  return new Uint8Array(encoded);
}
