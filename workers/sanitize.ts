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

export default function sanitizeBatch({ svgs }: SanitizeBatch): SanitizeReply[] {
  drawn += svgs.length;
  if (drawn >= DRAWN_PER_COLLECTION) {
    // What was drawn for earlier batches is let go of after this one, in the next turn of the event loop.
    collectGarbage();
    drawn = 0;
  }
  return svgs.map((svg) => sanitizeSvg(svg));
}
