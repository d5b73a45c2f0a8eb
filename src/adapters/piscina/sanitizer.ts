// The sanitiser on threads of its own, for the length of an import.
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { SanitizeBatch, SanitizeReply } from '../../../workers/sanitize-protocol.js';
import type { SanitizeOutcome, Sanitizer } from '../../ports/sanitizer.js';

/** The slowest real drawing takes 0.2 s; a whole batch may hold some of those. */
const BATCH_TIMEOUT_MS = 30_000;
const ONE_TIMEOUT_MS = 5_000;

export function openSanitizer({ threads = availableParallelism() }: { threads?: number } = {}): Sanitizer {
  const pool = new Piscina<SanitizeBatch, SanitizeReply[]>({
    filename: new URL('../../../workers/sanitize.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 2_000,
    concurrentTasksPerWorker: 1,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });

  async function sanitizeOne(svg: string): Promise<SanitizeOutcome> {
    try {
      const [outcome] = await pool.run({ svgs: [svg] }, { signal: AbortSignal.timeout(ONE_TIMEOUT_MS) });
      if (outcome !== undefined) return outcome;
    } catch {
      // Told below: what matters is that this drawing was the one.
    }
    return { ok: false, reason: 'undrawable', message: 'the sanitiser did not finish with it' };
  }

  return {
    async sanitize(svgs) {
      try {
        return await pool.run({ svgs }, { signal: AbortSignal.timeout(BATCH_TIMEOUT_MS) });
      } catch {
        // One of them broke the thread: each alone, to find out which.
        const outcomes: SanitizeOutcome[] = [];
        for (const svg of svgs) outcomes.push(await sanitizeOne(svg));
        return outcomes;
      }
    },
    close: () => pool.destroy(),
  };
}
