// Rasterizer in a few drawing processes. Each draws one picture at a time, so a crash or hang fails one picture.
import { MINUTE_MS } from '../platform/time.js';
import type { RasterizeOutcome, Rasterizer } from './rasterizer.js';
import { NO_FENCE, type Fence } from '../platform/processes/fence.js';
import { startRasterizerProcess, type RasterizerProcess } from './rasterizer-process.worker.js';

export interface RasterizerOptions {
  /** File of the compiled `workers/rasterize/rasterize.ts`, which the drawing thread imports. */
  readonly worker: URL;
  /** At most this many; when all have a job, the next one is started before it is needed. */
  readonly processes: number;
  /** Processor time that one job may take, ms. */
  readonly timeoutMs: number;
  /** Time by the clock on the wall that one job may take, ms. Generous: the machine may be very busy. */
  readonly silenceMs?: number;
  /** None by default. */
  readonly fence?: Fence;
  /** Called for every process that crashed or was killed for its job. */
  readonly onLoss?: (reason: string) => void;
}

const SILENCE_MS = 20_000;
/** Without work a process ends after this long, so that an idle service is small. */
const IDLE_MS = MINUTE_MS;

const BUSY: RasterizeOutcome = { ok: false, failure: 'busy', message: 'Too many pictures are waiting to be drawn.' };

/** Drawing processes that come and go with the work. */
function createProcessPool({ worker, processes, timeoutMs, silenceMs, fence, onLoss }: Required<RasterizerOptions>) {
  /** The one that worked last comes last and is taken first: the others may expire. */
  const pool: RasterizerProcess[] = [];
  /** Timers of those without a job. */
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

  /** False when it was gone. */
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
     * Returns a process for one more job: one that is ready, else one that is starting, else a new one. Undefined when all have
     * a job. Throws when there is no memory for a process.
     */
    take(): RasterizerProcess | undefined {
      const free = pool.filter((one) => one.isRunning() && !one.isBusy());
      const running = pool.filter((one) => one.isRunning()).length;
      const taken = free.findLast((one) => one.isReady()) ?? free.at(-1) ?? (running < processes ? start() : undefined);
      if (taken) clearTimeout(expiries.get(taken));
      return taken;
    },
    /** Starts the next process before it is needed. Throws when there is no memory for it. */
    prepare(): void {
      if (pool.length < processes && pool.every((one) => one.isBusy())) start();
    },
    /** After each job. */
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

  // Without memory, `fork` throws.
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
