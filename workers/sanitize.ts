// Thread entry of the sanitiser: one batch of drawings in, one reply for each out.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SanitizeBatch, SanitizeReply } from './sanitize-protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

/** A drawn sample keeps some 25 kB outside of the heap until a collection, and V8, which does not see them, sees no need for one. */
const DRAWN_PER_COLLECTION = 500;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let drawn = 0;

export default async function sanitizeBatch({ svgs }: SanitizeBatch): Promise<SanitizeReply[]> {
  drawn += svgs.length;
  if (drawn >= DRAWN_PER_COLLECTION) {
    drawn = 0;
    collectGarbage();
    // What was collected is freed in a turn of the event loop, which the pool does not give a thread between two tasks.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return svgs.map((svg) => sanitizeSvg(svg));
}
