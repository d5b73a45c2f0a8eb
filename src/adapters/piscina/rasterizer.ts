// The drawing threads: a fixed number, a bounded queue in front, and a time limit that costs a hanging job its thread.
import { Piscina } from 'piscina';
import type { RasterJob, RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';
import type { RasterReply, RasterTask } from '../../../workers/protocol.js';

export interface RasterizerOptions {
  /** The compiled thread entry. */
  readonly worker: URL;
  /** At most this many jobs are drawn at once. */
  readonly threads: number;
  /** At most this many wait for a thread; beyond: busy. */
  readonly maxQueue: number;
  /** Counted from when a thread begins the job. */
  readonly timeoutMs: number;
  /** Told of every thread that crashed or was given up. */
  readonly onThreadLost?: (reason: unknown) => void;
}

/** Threads without work end after this long, so that an idle service is small. */
const IDLE_THREAD_MS = 30_000;
/** Longest time for a thread to come up; generous, since the machine may be very busy. */
const BOOT_LIMIT_MS = 20_000;
/** JavaScript's part only; pixels live outside it. */
const THREAD_HEAP_MB = 128;

const BUSY: RasterOutcome = { ok: false, code: 'busy', message: 'Too many pictures are waiting to be drawn.' };

export function openRasterizer({ worker, threads, maxQueue, timeoutMs, onThreadLost }: RasterizerOptions): Rasterizer {
  const pool = new Piscina<RasterTask, RasterReply>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: IDLE_THREAD_MS,
    recordTiming: false,
    // A thread that waits for its next job without turning its event loop never gives the drawn pixels' memory back.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  // Without a listener, a thread that fails between jobs would end the process.
  pool.on('error', (error) => onThreadLost?.(error));
  // The pool's own queue cannot tell when a job begins, so it is never given more jobs than it has threads.
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;
  const isClosed = (): boolean => closed;

  async function rasterize(job: RasterJob): Promise<RasterOutcome> {
    if (isClosed() || (running >= threads && waiting.length >= maxQueue)) return BUSY;
    if (running < threads) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return isClosed() ? BUSY : await draw(job);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async function draw(job: RasterJob): Promise<RasterOutcome> {
    const limit = startTimeLimit(timeoutMs);
    try {
      return await pool.run({ ...job, startedAt: limit.startedAt }, { signal: limit.signal });
    } catch (error) {
      if (isClosed()) return BUSY;
      onThreadLost?.(error);
      const message = limit.signal.aborted ? `This picture takes longer than ${timeoutMs} ms to draw.` : 'This picture cannot be drawn.';
      return { ok: false, code: 'unprocessable', message };
    } finally {
      limit.stop();
    }
  }

  return {
    rasterize,
    async close() {
      closed = true;
      await pool.destroy();
      for (const next of waiting.splice(0)) next();
    },
  };
}

interface TimeLimit {
  readonly startedAt: SharedArrayBuffer;
  readonly signal: AbortSignal;
  stop(): void;
}

/** Aborts when the job has been drawn for too long, by what the thread wrote into `startedAt`. */
function startTimeLimit(timeoutMs: number): TimeLimit {
  const startedAt = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const started = new Float64Array(startedAt);
  const controller = new AbortController();
  const bootDeadline = Date.now() + BOOT_LIMIT_MS;
  const check = (): void => {
    const began = started[0] ?? 0;
    const deadline = began === 0 ? bootDeadline : began + timeoutMs;
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) controller.abort();
    else timer = setTimeout(check, Math.min(leftMs, timeoutMs));
  };
  let timer = setTimeout(check, timeoutMs);
  return { startedAt, signal: controller.signal, stop: () => clearTimeout(timer) };
}
