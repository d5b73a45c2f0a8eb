// Runs the SVG sanitizer in child processes during an import. If a drawing crashes native code, only one process ends,
// and only this drawing is rejected. The end of a process also frees its memory.
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { SanitizeBatch, SanitizeReply } from '../../workers/sanitizer-protocol.js';
import type { Derivation } from './drawing.js';
import type { SanitizeOutcome, Sanitizer } from './sanitizer.js';
import { within } from '../platform/concurrency/deadline.js';
import { startWorkerProcess } from '../platform/processes/worker-process.js';
import { NO_FENCE, type Fence } from '../platform/processes/fence.js';

/**
 * Limit of processor time in ms for a batch, and for the first attempt with a single drawing. The slowest real drawing
 * takes 0.2 s. The limit is much higher, because a batch may contain many slow drawings. A single drawing that exceeds
 * the limit is stored without `painted` (its SVG for PNG and WebP).
 */
const BATCH_TIMEOUT_MS = 30_000;
/**
 * Limit of processor time in ms for a single drawing whose first attempt has exceeded its limit. The second attempt
 * does not make `painted`, the SVG for PNG and WebP. A drawing that exceeds this limit as well is rejected.
 */
const ONE_TIMEOUT_MS = 5_000;
/**
 * Maximum wall-clock time of a batch, as a multiple of its processor time limit. On a busy machine, a batch takes more
 * wall-clock time than processor time.
 */
const MOST_LIMITS = 6;
const HEAP_MB = 256;

const NOTHING: SanitizeBatch = { svgs: [], derive: [], paint: false };

const CRASHED: SanitizeOutcome = { ok: false, reason: 'crashed', message: 'the rasterizer crashes or hangs' };

interface SanitizerOptions {
  readonly processes?: number;
  /** Sandbox of the processes (`fence.ts`). Default: none. */
  readonly fence?: Fence;
  /**
   * Maximum processor time in ms for a batch of drawings. If the batch fails, each drawing is tried alone, first with
   * the same limit.
   */
  readonly drawingTimeoutMs?: number;
  /** Time in ms after which an unused process is ended. Default: no limit. */
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

  /**
   * Starts a process and waits until it has loaded its modules. On a busy machine, this takes seconds, which must not
   * count against the time limit of the first batch.
   */
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

  /**
   * Sanitizes one drawing. Omits `painted` (the SVG for PNG and WebP) if the drawing takes too long. Rejects a drawing
   * that ends its process, because the drawing would also end a worker that rasterizes pictures.
   */
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
        // One of the drawings has ended the process or has taken too long. To find it, each drawing is sanitized alone.
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

/** `ended`: the process ended by itself. `late`: the batch took too long, and the process was killed. */
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
    /**
     * Sanitizes a batch. Call it again only after the promise has settled. `timeoutMs` limits the processor time. The
     * limit of the wall-clock time is `MOST_LIMITS * timeoutMs`.
     */
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
    kill: () => child.end('the sanitizing process was closed'),
  };
}
