// Writes WebP: lossless in this thread, lossy with libwebp.
import { straightColours, type Pixels } from './pixels.js';
import { loadSharp } from './sharp.js';
import { encodeVp8l } from './vp8l.js';

/** `quality` is 1..100; null is lossless. */
export async function encodeWebp(pixels: Pixels, quality: number | null): Promise<Uint8Array<ArrayBuffer>> {
  if (quality === null) return encodeVp8l(pixels);
  const sharp = await loadSharp();
  const { width, height } = pixels;
  const straight = new Uint8Array(straightColours(pixels).buffer);
  const encoded = await sharp(straight, { raw: { width, height, channels: 4 } }).webp({ quality }).toBuffer();
  return new Uint8Array(encoded);
}
