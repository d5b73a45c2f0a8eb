// Writes WebP: libwebp does the work, loaded only when somebody asks for it.
import type { Sharp } from 'sharp';
import { straightColour, words, type Pixels } from './pixels.js';

/** In lossless mode libwebp's `quality` is effort. */
const LOSSLESS = { lossless: true, effort: 1, quality: 20 } as const;

export async function encodeWebp(pixels: Pixels, quality: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const image = await raw(pixels);
  const encoded = await image.webp(quality === null ? LOSSLESS : { quality }).toBuffer();
  return new Uint8Array(encoded);
}

async function raw(pixels: Pixels): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  const straight = words(pixels).map(straightColour);
  return sharp(new Uint8Array(straight.buffer), { raw: { width: pixels.width, height: pixels.height, channels: 4 } });
}
