// Enlargement of pictures.
import { straightBytes, type Pixels } from '../pixels.js';
import { loadSharp } from './sharp.js';

export async function enlarge(
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
