// Thread entry: draws one SVG document into PNG or WebP bytes.
import { setPriority } from 'node:os';
import { Resvg } from '@resvg/resvg-js';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Pixels } from './pixels.js';
import { encodePng } from './png.js';
import type { RasterReply, RasterTask } from './protocol.js';
import { encodeWebp } from './webp.js';

/** Drawing gives way to answering. On Linux this is the priority of the calling thread only; elsewhere of the whole process, so not there. */
const NICENESS = 10;
if (process.platform === 'linux') setPriority(NICENESS);

/** Resolves with a RasterReply, whose bytes change hands instead of being copied. */
export default async function rasterize(task: RasterTask): Promise<unknown> {
  new Float64Array(task.startedAt)[0] = Date.now();
  try {
    const bytes = await encode(task);
    return move({ [transferableSymbol]: bytes.buffer, [valueSymbol]: { ok: true, bytes } satisfies RasterReply });
  } catch (error) {
    return { ok: false, code: 'unprocessable', message: error instanceof Error ? error.message : String(error) } satisfies RasterReply;
  }
}

async function encode(task: RasterTask): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = draw(task);
  return task.format === 'png' ? encodePng(pixels) : encodeWebp(pixels, task.quality);
}

function draw({ svg, width, height }: RasterTask): Pixels {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render();
  if (image.width !== width || image.height !== height) {
    throw new Error(`drawn ${image.width} x ${image.height} px instead of ${width} x ${height}`);
  }
  return { width, height, premultiplied: image.pixels };
}
