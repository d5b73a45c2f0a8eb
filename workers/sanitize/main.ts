// Process entry of the sanitizer: a batch of drawings in, one reply for each out. Ends with its parent.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Derivation, SanitizeBatch, SanitizeReply } from './protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

/**
 * A drawn sample keeps some 25 kB outside of the heap until a collection, and V8, which does not see them, sees no need
 * for one.
 */
const DRAWN_PER_COLLECTION = 500;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
let drawn = 0;

/** A bug that one drawing meets must not cost the others of its batch. */
function sanitizeOne(svg: string, derive: Derivation): SanitizeReply {
  try {
    return sanitizeSvg(svg, derive);
  } catch (error) {
    return {
      ok: false,
      reason: 'undrawable',
      message: `the sanitizer failed: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}`,
    };
  }
}

process.on('message', ({ svgs, derive }: SanitizeBatch) => {
  drawn += svgs.length;
  if (drawn >= DRAWN_PER_COLLECTION) {
    drawn = 0;
    collectGarbage();
  }
  const replies: SanitizeReply[] = svgs.map((svg, at) => sanitizeOne(svg, derive[at] ?? 'nothing'));
  process.send?.(replies);
});
process.on('disconnect', () => process.exit());
