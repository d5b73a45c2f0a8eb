// Sanitizes drawings from a service that the user does not trust.
import { openFence } from '../platform/processes/fence.js';
import { openSanitizer } from '../catalog/sanitizer.worker.js';
import type { SanitizeOutcome } from '../catalog/sanitizer.js';

/**
 * Sanitizes drawings. Returns one outcome per drawing, in order. The process that parses the drawings cannot access the
 * current folder.
 */
export async function sanitizeDrawings(svgs: readonly string[]): Promise<readonly SanitizeOutcome[]> {
  const sanitizer = openSanitizer({ fence: await openFence(process.cwd()) });
  try {
    return (await Promise.all(svgs.map((svg) => sanitizer.sanitize([svg])))).flat();
  } finally {
    await sanitizer.close();
  }
}
