// Encodes JPEG with libjpeg, on a white background.
import { straightBytes, type Pixels } from '../pixels.js';
import { loadSharp } from './libvips.js';

/** 4:4:4 keeps the full color resolution. The usual 4:2:0 would blur the colored edges of a logo. */
const OPTIONS = { quality: 90, chromaSubsampling: '4:4:4' } as const;

export async function encodeJpeg(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const { width, height } = pixels;
  const encoded = await sharp(straightBytes(pixels), { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg(OPTIONS)
    .toBuffer();
  return new Uint8Array(encoded);
}
