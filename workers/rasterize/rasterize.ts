// Rasterizes one SVG document to PNG, WebP or JPEG. Runs in the thread of a rasterizer process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pixelsOf } from './svg-pixels.js';
import { toGreyscale, type Pixels } from '../pixels.js';
import { encodeJpeg } from './jpeg.js';
import { encodePng } from './png.js';
import type { RasterizeReply, RasterizeTask } from '../rasterizer-protocol.js';
import { encodeWebp } from './webp.js';

/**
 * Garbage is collected when this many bytes of pixels have been drawn. Pixels are not part of the JavaScript heap, so
 * they rarely trigger a collection, and each picture would need new memory. Forced collections save a quarter of a
 * picture's processor time.
 */
const COLLECT_AFTER_BYTES = 2 * 2 ** 20;
const collectGarbage = minorCollector();
let uncollectedBytes = 0;

export default async function rasterize(task: RasterizeTask): Promise<RasterizeReply> {
  try {
    const pixels = await pixelsOf(task);
    if (task.greyscale === true) toGreyscale(pixels);
    uncollectedBytes += pixels.bytes.length;
    return { ok: true, bytes: await encode(pixels, task) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  } finally {
    // Collects garbage while the reply is being sent.
    setImmediate(freeMemory);
  }
}

function freeMemory(): void {
  if (uncollectedBytes <= COLLECT_AFTER_BYTES) return;
  uncollectedBytes = 0;
  collectGarbage();
}

function minorCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}

function encode(pixels: Pixels, { format, quality }: RasterizeTask): Uint8Array | Promise<Uint8Array> {
  switch (format) {
    case 'png':
      return encodePng(pixels);
    case 'webp':
      return encodeWebp(pixels, quality);
    case 'jpg':
      return encodeJpeg(pixels);
  }
}
