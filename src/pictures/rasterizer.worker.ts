// Rasterizer with several drawing processes. Each process draws one picture at a time, so that a crash fails only one
// picture.
import { MINUTE_MS } from '../platform/time.js';
import type { RasterizeOutcome, Rasterizer } from './rasterizer.js';
import { NO_FENCE, type Fence } from '../platform/processes/fence.js';
import { startRasterizerProcess, type RasterizerProcess } from './rasterizer-process.worker.js';

export interface RasterizerOptions {
  /** URL of the compiled `workers/rasterize/rasterize.ts`, which the drawing thread imports. */
  readonly worker: URL;
  /** Maximum number of processes. If all running processes have a job, another process is started in advance. */
  readonly processes: number;
  /** Maximum processor time of one job, ms. */
  readonly timeoutMs: number;
  /** Maximum wall-clock time of one job, ms. It is long, because the machine may be very busy. */
  readonly silenceMs?: number;
  /** Sandbox of the processes (`fence.ts`). Default: none. */
  readonly fence?: Fence;
  /** Called for every process that crashes, is killed because of its job, or can't be started. */
  readonly onLoss?: (reason: string) => void;
}

const SILENCE_MS = 20_000;
/** Time without a job after which a process ends, so that an idle service uses little memory. */
const IDLE_MS = MINUTE_MS;

const BUSY: RasterizeOutcome = { ok: false, failure: 'busy', message: 'Too many pictures are waiting to be drawn.' };

/** Creates a pool of drawing processes. The number of processes follows the load. */
function createProcessPool({ worker, processes, timeoutMs, silenceMs, fence, onLoss }: Required<RasterizerOptions>) {
  /**
   * Processes in the order of their last use. The most recently used process is last. It gets the next job, so that
   * other processes become idle and end.
   */
  const pool: RasterizerProcess[] = [];
  /** Process without a job → timer that ends the process. */
  const expiries = new Map<RasterizerProcess, NodeJS.Timeout>();

  function start(): RasterizerProcess {
    const started = startRasterizerProcess({
      worker: worker.href,
      timeoutMs,
      silenceMs,
      fence,
      onEnd(reason) {
        remove(started);
        onLoss(reason);
      },
    });
    pool.unshift(started);
    expireLater(started);
    return started;
  }

  /** Removes a process from the pool. Returns false if it was already removed. */
  function remove(one: RasterizerProcess): boolean {
    clearTimeout(expiries.get(one));
    expiries.delete(one);
    const at = pool.indexOf(one);
    if (at !== -1) pool.splice(at, 1);
    return at !== -1;
  }

  function expireLater(one: RasterizerProcess): void {
    const expire = (): void => {
      remove(one);
      void one.kill();
    };
    expiries.set(one, setTimeout(expire, IDLE_MS).unref());
  }

  return {
    /**
     * Returns a process for a job: a process that is ready, a process that is starting, or a new process. Returns
     * undefined if the maximum number of processes is running and all of them have a job. Throws if there is not enough
     * memory for a new process.
     */
    take(): RasterizerProcess | undefined {
      const free = pool.filter((one) => one.isRunning() && !one.isBusy());
      const running = pool.filter((one) => one.isRunning()).length;
      const taken = free.findLast((one) => one.isReady()) ?? free.at(-1) ?? (running < processes ? start() : undefined);
      if (taken) clearTimeout(expiries.get(taken));
      return taken;
    },
    /**
     * Starts a process in advance if all processes have a job and there are fewer than the maximum. Throws if there is
     * not enough memory.
     */
    prepare(): void {
      if (pool.length < processes && pool.every((one) => one.isBusy())) start();
    },
    /** Returns a process to the pool. Must be called after each job. */
    release(one: RasterizerProcess): void {
      if (!remove(one)) return;
      pool.push(one);
      expireLater(one);
    },
    async close(): Promise<void> {
      for (const expiry of expiries.values()) clearTimeout(expiry);
      await Promise.all(pool.splice(0).map((one) => one.kill()));
    },
  };
}

export function openRasterizer(options: RasterizerOptions): Rasterizer {
  const { processes, timeoutMs, silenceMs = timeoutMs + SILENCE_MS } = options;
  const { fence = NO_FENCE, onLoss = () => undefined } = options;
  const pool = createProcessPool({ ...options, silenceMs, fence, onLoss });
  let closed = false;

  // `fork` throws when there is not enough memory.
  const reportNoMemory = (error: unknown): void => onLoss(`no drawing process can be started: ${String(error)}`);

  function prepareNext(): void {
    try {
      pool.prepare();
    } catch (error) {
      reportNoMemory(error);
    }
  }

  return {
    capacity: processes,
    async rasterize(job) {
      try {
        const taken = closed ? undefined : pool.take();
        if (taken === undefined) return BUSY;
        const drawing = taken.draw(job);
        prepareNext();
        const outcome = await drawing;
        pool.release(taken);
        return outcome;
      } catch (error) {
        reportNoMemory(error);
        return BUSY;
      }
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
