// Rasterizing of one SVG document into PNG, WebP or JPEG bytes.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pixelsOf } from './svg-pixels.js';
import { toGreyscale, type Pixels } from '../pixels.js';
import { encodeJpeg } from './jpeg.js';
import { encodePng } from './png.js';
import type { RasterizeJob } from '../../src/ports/rasterizer.js';
import type { RasterizeReply } from '../rasterizer-protocol.js';
import { encodeWebp } from './webp.js';

/**
 * Pixels lie outside the JavaScript heap, so they hardly make the collector run, and the next ones need fresh memory,
 * which is slow.
 */
const COLLECT_AFTER_BYTES = 2 * 2 ** 20;
const collectGarbage = minorCollector();
let uncollectedBytes = 0;

export default async function rasterize(job: RasterizeJob): Promise<RasterizeReply> {
  try {
    const pixels = await pixelsOf(job);
    if (job.greyscale === true) toGreyscale(pixels);
    uncollectedBytes += pixels.bytes.length;
    return { ok: true, bytes: await encode(pixels, job) };
  } catch (error) {
    return { ok: false, code: 'unprocessable', message: error instanceof Error ? error.message : String(error) };
  }
}

function encode(pixels: Pixels, { format, quality }: RasterizeJob): Uint8Array | Promise<Uint8Array> {
  switch (format) {
    case 'png':
      return encodePng(pixels);
    case 'webp':
      return encodeWebp(pixels, quality);
    case 'jpg':
      return encodeJpeg(pixels);
  }
}

/** To be called between pictures, so that the next one finds memory that is in the caches of the processor. */
export async function freeMemory(): Promise<void> {
  if (uncollectedBytes <= COLLECT_AFTER_BYTES) return;
  uncollectedBytes = 0;
  collectGarbage();
  // The drawn pixels' memory is given back in a turn of the event loop.
  await turn();
}

function minorCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}
