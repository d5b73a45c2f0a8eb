// Thread entry: draws one SVG document into PNG or WebP bytes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { draw } from './draw.js';
import { encodePng } from './png.js';
import type { RasterReply, RasterTask } from './protocol.js';
import { encodeWebp } from './webp.js';

/**
 * Pixels lie outside the JavaScript heap, so they hardly make the collector run, and the next ones need fresh memory,
 * which is slow.
 */
const COLLECT_AFTER_BYTES = 2 * 2 ** 20;
const collectGarbage = minorCollector();
let uncollectedBytes = 0;

/** Resolves with a RasterReply, whose bytes change hands instead of being copied. */
export default async function rasterize(task: RasterTask): Promise<unknown> {
  try {
    const pixels = await draw(task);
    uncollectedBytes += pixels.bytes.length;
    const bytes = task.format === 'png' ? encodePng(pixels) : await encodeWebp(pixels, task.quality);
    return move({ [transferableSymbol]: bytes.buffer, [valueSymbol]: { ok: true, bytes } satisfies RasterReply });
  } catch (error) {
    return {
      ok: false,
      code: 'unprocessable',
      message: error instanceof Error ? error.message : String(error),
    } satisfies RasterReply;
  } finally {
    if (uncollectedBytes > COLLECT_AFTER_BYTES) {
      uncollectedBytes = 0;
      collectGarbage();
    }
  }
}

function minorCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  return () => collect({ type: 'minor' });
}
