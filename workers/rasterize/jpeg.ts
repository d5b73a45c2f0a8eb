// Encodes JPEG on white, with libjpeg.
import { straightBytes, type Pixels } from '../pixels.js';
import { loadSharp } from './libvips.js';

/** Full chroma resolution: the usual 4:2:0 subsampling would blur the edges of a logo. */
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
