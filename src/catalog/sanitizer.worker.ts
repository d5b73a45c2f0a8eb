// SVG sanitizer in child processes, for the length of an import: a drawing on which native code aborts ends one of them
// and is rejected, and the memory that drawing takes is freed with them.
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { SanitizeBatch, SanitizeReply } from '../../workers/sanitizer-protocol.js';
import type { Derivation } from './drawing.js';
import type { SanitizeOutcome, Sanitizer } from './sanitizer.js';
import { within } from '../platform/concurrency/deadline.js';
import { startWorkerProcess } from '../platform/processes/worker-process.js';
import { NO_FENCE, type Fence } from '../platform/processes/fence.js';

/**
 * The slowest real drawing takes 0.2 s, and a whole batch may hold some of those. As long for one that is painted, so that it is not
 * the machine's other work that decides how its pictures are drawn.
 */
const BATCH_TIMEOUT_MS = 30_000;
const ONE_TIMEOUT_MS = 5_000;
/** On a busy machine, a batch may take as many times its limit by the clock, as long as it has used less processor time. */
const MOST_LIMITS = 6;
const HEAP_MB = 256;

const NOTHING: SanitizeBatch = { svgs: [], derive: [], paint: false };

const CRASHED: SanitizeOutcome = { ok: false, reason: 'crashed', message: 'the rasterizer crashes or hangs on it' };

interface SanitizerOptions {
  readonly processes?: number;
  /** None by default. */
  readonly fence?: Fence;
  /** Limit for a batch, and for one drawing that is painted. */
  readonly drawingTimeoutMs?: number;
  /** A process that has nothing to do for so long is ended. Default: none. */
  readonly idleMs?: number;
}

export function openSanitizer({
  processes = availableParallelism(),
  fence = NO_FENCE,
  drawingTimeoutMs = BATCH_TIMEOUT_MS,
  idleMs,
}: SanitizerOptions = {}): Sanitizer {
  const idle: SanitizerProcess[] = [];
  const all = new Set<SanitizerProcess>();
  const limit = pLimit(processes);
  let closed = false;

  /** Once it has loaded its modules, which takes seconds beside much other work: the limit is that of the drawings. */
  async function started(): Promise<SanitizerProcess> {
    const one = startSanitizerProcess(fence, () => all.delete(one));
    all.add(one);
    await one.sanitize(NOTHING, BATCH_TIMEOUT_MS);
    return one;
  }

  function rest(one: SanitizerProcess): void {
    idle.push(one);
    if (idleMs === undefined) return;
    setTimeout(() => {
      const place = idle.indexOf(one);
      if (place === -1 || performance.now() - one.lastUsedMs() < idleMs) return;
      idle.splice(place, 1);
      void one.kill();
    }, idleMs).unref();
  }

  async function sanitizeBatch(batch: SanitizeBatch, timeoutMs: number): Promise<BatchOutcome> {
    if (closed) return 'ended';
    const one = idle.pop() ?? (await started());
    const outcome = await one.sanitize(batch, timeoutMs);
    if (typeof outcome !== 'string') rest(one);
    return outcome;
  }

  /** Without a painted form when painting it takes too long. What ends the process would end drawing processes. */
  async function sanitizeOne(svg: string, derive: Derivation): Promise<SanitizeOutcome> {
    const batch = { svgs: [svg], derive: [derive] };
    let outcome = await sanitizeBatch({ ...batch, paint: true }, drawingTimeoutMs);
    if (outcome === 'late') outcome = await sanitizeBatch({ ...batch, paint: false }, ONE_TIMEOUT_MS);
    return (typeof outcome === 'string' ? undefined : outcome[0]) ?? CRASHED;
  }

  return {
    sanitize: (svgs, derive = []) =>
      limit(async () => {
        const outcome = await sanitizeBatch({ svgs, derive, paint: true }, drawingTimeoutMs);
        if (typeof outcome !== 'string') return outcome;
        // One of them broke the process: each alone, to find out which.
        const outcomes: SanitizeOutcome[] = [];
        for (const [at, svg] of svgs.entries()) outcomes.push(await sanitizeOne(svg, derive[at] ?? 'nothing'));
        return outcomes;
      }),

    async close() {
      closed = true;
      await Promise.all([...all].map((one) => one.kill()));
    },
  };
}

/** `ended`: the process did; `late`: it took too long, and was killed. */
type BatchOutcome = readonly SanitizeReply[] | 'ended' | 'late';

type SanitizerProcess = ReturnType<typeof startSanitizerProcess>;

function startSanitizerProcess(fence: Fence, onEnd: () => void) {
  let settle: (outcome: BatchOutcome) => void = () => undefined;
  const child = startWorkerProcess<readonly SanitizeReply[]>({
    name: 'the sanitizing process',
    entry: 'sanitize/process-entry.js',
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    fence,
    onMessage: (replies) => settle(replies),
    onEnd() {
      settle('ended');
      onEnd();
    },
  });
  let usedMs = performance.now();
  return {
    lastUsedMs: () => usedMs,
    /** One batch at a time. `timeoutMs` limits its processor time, and by the clock it takes at most `MOST_LIMITS` times as long. */
    async sanitize(batch: SanitizeBatch, timeoutMs: number): Promise<BatchOutcome> {
      if (!child.isRunning()) return 'ended';
      const reply = new Promise<BatchOutcome>((resolve) => (settle = resolve));
      child.send(batch);
      const processorMs = child.processorMs();
      for (let limits = 1; ; limits++) {
        try {
          const outcome = await within(timeoutMs, reply);
          usedMs = performance.now();
          return outcome;
        } catch {
          if (limits < MOST_LIMITS && child.processorMs() - processorMs < timeoutMs) continue;
          void child.end('the sanitizing process took too long');
          return 'late';
        }
      }
    },
    /** Resolves when the process is gone. */
    kill: () => child.end('the sanitizing process was closed'),
  };
}
