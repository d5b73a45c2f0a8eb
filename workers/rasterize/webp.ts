// Encodes WebP: lossless in this thread, and lossy with libwebp.
import { straightBytes, type Pixels } from '../pixels.js';
import { loadSharp } from './libvips.js';
import { encodeVp8l } from '../vp8l/encode.js';

/**
 * Returns the effort of libwebp for a picture of this size. The default, 4, takes 0.9 s for 4 megapixels and 4 s for 16
 * megapixels. An effort of 2 takes half of that time, and files are a tenth larger. An effort of 0 takes 0.6 s for 16
 * megapixels, and files are up to twice as large.
 */
function effortFor(pixels: number): { readonly effort: number; readonly alphaQuality?: number } {
  if (pixels > 8 * 2 ** 20) return { effort: 0, alphaQuality: 80 };
  if (pixels > 4 * 2 ** 20) return { effort: 0 };
  return { effort: pixels > 2 * 2 ** 20 ? 2 : 4 };
}

/** Encodes WebP. `quality` is 1 to 100 for lossy WebP, or null for lossless WebP. */
export async function encodeWebp(pixels: Pixels, quality: number | null): Promise<Uint8Array<ArrayBuffer>> {
  if (quality === null) return encodeVp8l(pixels);
  const sharp = await loadSharp();
  const { width, height } = pixels;
  const straight = straightBytes(pixels);
  const encoded = await sharp(straight, { raw: { width, height, channels: 4 } })
    .webp({ quality, ...effortFor(width * height) })
    .toBuffer();
  return new Uint8Array(encoded);
}
