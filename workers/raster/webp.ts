// Writes WebP: lossless in this thread, lossy with libwebp.
import { straightColors, type Pixels } from '../pixels.js';
import { loadSharp } from './sharp.js';
import { encodeVp8l } from '../vp8l/encode.js';

/**
 * libwebp looks longer for what is shorter than a very large picture allows: of 16 megapixels, its usual effort takes 4
 * s, this one 0.6 s and up to twice the bytes.
 */
function effortFor(pixels: number): { readonly effort: number; readonly alphaQuality?: number } {
  if (pixels > 8 * 2 ** 20) return { effort: 0, alphaQuality: 80 };
  return { effort: pixels > 4 * 2 ** 20 ? 0 : 4 };
}

/** `quality` is 1..100; null is lossless. */
export async function encodeWebp(pixels: Pixels, quality: number | null): Promise<Uint8Array<ArrayBuffer>> {
  if (quality === null) return encodeVp8l(pixels);
  const sharp = await loadSharp();
  const { width, height } = pixels;
  const straight = new Uint8Array(straightColors(pixels).buffer);
  const encoded = await sharp(straight, { raw: { width, height, channels: 4 } })
    .webp({ quality, ...effortFor(width * height) })
    .toBuffer();
  return new Uint8Array(encoded);
}
