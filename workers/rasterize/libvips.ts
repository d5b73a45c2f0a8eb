// Loads libvips on demand, because it is large and most pictures don't need it.
import type sharp from 'sharp';
import { straightBytes, type Pixels } from '../pixels.js';

export async function loadSharp(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  // Uses one thread and no cache, because each process draws one picture at a time, and draws no picture twice.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

/** Returns the picture in another size. Overwrites `pixels`. */
export async function resize(
  pixels: Pixels,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Pixels> {
  const sharp = await loadSharp();
  const raw = { width: pixels.width, height: pixels.height, channels: 4 } as const;
  const bytes = await sharp(straightBytes(pixels), { raw })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  return { width, height, bytes, premultiplied: false };
}
