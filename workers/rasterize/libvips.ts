// libvips, loaded when it is needed: it is large, and most pictures do not need it.
import type sharp from 'sharp';
import { straightBytes, type Pixels } from '../pixels.js';

export async function loadSharp(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  // Jobs run side by side in their own threads; every picture is drawn once.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

/** The same picture in another size. `pixels` are of no use after. */
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
