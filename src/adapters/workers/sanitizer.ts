// SVG sanitizer in child processes, for the length of an import: a drawing on which native code aborts ends one of them
// and is rejected, and the memory that drawing takes is freed with them.
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { Derivation, SanitizeBatch, SanitizeReply } from '../../../workers/sanitize/protocol.js';
import type { SanitizeOutcome, Sanitizer } from '../../ports/sanitizer.js';
import { awaitReply, startChildProcess, type PendingReply } from './child-process.js';

/** The slowest real drawing takes 0.2 s; a whole batch may hold some of those. */
const BATCH_TIMEOUT_MS = 30_000;
const ONE_TIMEOUT_MS = 5_000;
const HEAP_MB = 256;

const CRASHED: SanitizeOutcome = { ok: false, reason: 'undrawable', message: 'the renderer crashes or hangs on it' };

export function openSanitizer({ processes = availableParallelism() }: { processes?: number } = {}): Sanitizer {
  const idle: SanitizerHost[] = [];
  const all = new Set<SanitizerHost>();
  const limit = pLimit(processes);
  let closed = false;

  function start(): SanitizerHost {
    const host = startSanitizerHost(() => all.delete(host));
    all.add(host);
    return host;
  }

  /** Undefined when the process ended or hung over it. */
  async function sanitizeBatch(batch: SanitizeBatch, timeoutMs: number): Promise<readonly SanitizeReply[] | undefined> {
    if (closed) return undefined;
    const host = idle.pop() ?? start();
    const replies = await host.sanitize(batch, timeoutMs);
    if (replies !== undefined) idle.push(host);
    return replies;
  }

  async function sanitizeOne(
    svg: string,
    derive: Derivation,
    ways: readonly Pick<SanitizeBatch, 'paint'>[],
  ): Promise<SanitizeOutcome> {
    for (const way of ways) {
      const [outcome] = (await sanitizeBatch({ svgs: [svg], derive: [derive], ...way }, ONE_TIMEOUT_MS)) ?? [];
      if (outcome !== undefined) return outcome;
    }
    return CRASHED;
  }

  return {
    sanitize: (svgs, derive = []) =>
      limit(async () => {
        const replies = await sanitizeBatch({ svgs, derive, paint: true }, BATCH_TIMEOUT_MS);
        if (replies !== undefined) return replies;
        // One of them broke the process: each alone, to find out which.
        const ways = svgs.length === 1 ? [{ paint: false }] : [{ paint: true }, { paint: false }];
        const outcomes: SanitizeOutcome[] = [];
        for (const [at, svg] of svgs.entries()) outcomes.push(await sanitizeOne(svg, derive[at] ?? 'nothing', ways));
        return outcomes;
      }),

    async close() {
      closed = true;
      await Promise.all([...all].map((host) => host.kill()));
    },
  };
}

interface SanitizerHost {
  /** One batch at a time. Undefined when the process ended, or was killed because it took too long. */
  sanitize(batch: SanitizeBatch, timeoutMs: number): Promise<readonly SanitizeReply[] | undefined>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

function startSanitizerHost(onEnd: () => void): SanitizerHost {
  let pending: PendingReply<readonly SanitizeReply[] | undefined> | undefined;
  const child = startChildProcess<SanitizeBatch, readonly SanitizeReply[]>({
    name: 'the sanitizing process',
    entry: 'import/main.js',
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    onMessage: (replies) => pending?.settle(replies),
    onEnd() {
      pending?.settle(undefined);
      onEnd();
    },
  });
  return {
    async sanitize(batch, timeoutMs) {
      if (!child.isRunning()) return undefined;
      pending = awaitReply(timeoutMs, () => void child.end('the sanitizing process took too long'));
      child.send(batch);
      return pending.reply;
    },
    kill: () => child.end('the sanitizing process was closed'),
  };
}
