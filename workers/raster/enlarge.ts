// Cropping and enlargement of pictures.
import { straightBytes, words, type Pixels } from '../pixels.js';
import { loadSharp } from './sharp.js';

export interface Crop {
  /** Where it was. */
  readonly x: number;
  readonly y: number;
  readonly pixels: Pixels;
}

/** To what is not transparent and a margin around; undefined when there is nothing. */
export function crop(pixels: Pixels, margin: number): Crop | undefined {
  const { width, height, bytes, premultiplied } = pixels;
  const colors = words(pixels);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if ((colors[at] ?? 0) >>> 24 === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (bottom === -1) return undefined;
  [left, top] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  [right, bottom] = [Math.min(width, right + 1 + margin), Math.min(height, bottom + 1 + margin)];
  const across = (right - left) * 4;
  const cut = new Uint8Array(across * (bottom - top));
  for (let y = top; y < bottom; y++) {
    const from = (y * width + left) * 4;
    cut.set(bytes.subarray(from, from + across), (y - top) * across);
  }
  return { x: left, y: top, pixels: { width: right - left, height: bottom - top, bytes: cut, premultiplied } };
}

interface Target {
  readonly width: number;
  readonly height: number;
  /** `linear` takes half the time of the smoother default. */
  readonly kernel?: 'cubic' | 'linear';
}

export async function enlarge(pixels: Pixels, { width, height, kernel = 'cubic' }: Target): Promise<Pixels> {
  if (width === pixels.width && height === pixels.height) return pixels;
  const sharp = await loadSharp();
  const straight = straightBytes(pixels);
  const raw = { width: pixels.width, height: pixels.height, channels: 4 } as const;
  const { data } = await sharp(straight, { raw })
    .resize(width, height, { fit: 'fill', kernel })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, bytes: data, premultiplied: false };
}
