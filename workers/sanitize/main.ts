// Process entry of the sanitizer: a batch of drawings in, one reply for each out. Ends with its parent.
import type { Derivation, SanitizeBatch, SanitizeReply } from './protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

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
  const replies: SanitizeReply[] = svgs.map((svg, at) => sanitizeOne(svg, derive[at] ?? 'nothing'));
  process.send?.(replies);
});
process.on('disconnect', () => process.exit());
