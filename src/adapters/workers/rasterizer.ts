// Rasterizer in a few drawing processes, each of which draws one picture at a time: a crash or hang fails that one.
import { MINUTE_MS } from '../../domain/time.js';
import type { RasterizeOutcome, Rasterizer } from '../../ports/rasterizer.js';
import { NO_FENCE, type Fence } from './fence.js';
import { UNBEGUN } from './pending-jobs.js';
import { startRasterizerProcess, type RasterizerProcess } from './rasterizer-process.js';

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
/** In one process: while it draws one, the next is there already, and no time is lost between them. */
const CHEAP_JOBS = 2;
/** Load of a process that is just starting, which takes some hundred times as long as a picture. */
const STARTING_LOAD = 1.5;

/** Tries of one job whose processes end before they begin with it. */
const MOST_TRIES = 5;

const BUSY: RasterizeOutcome = { ok: false, failure: 'busy', message: 'Too many pictures are waiting to be drawn.' };

/** Load in jobs. */
function loadOf(one: RasterizerProcess): number {
  return one.jobs() + (one.isReady() ? 0 : STARTING_LOAD);
}

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
    /** For one more job; undefined when all have as many as they take. Throws when there is no memory for a process. */
    take(): RasterizerProcess | undefined {
      let [best, running]: [RasterizerProcess | undefined, number] = [undefined, 0];
      for (const one of pool) {
        if (one.isRunning()) running++;
        if (one.isFree() && (best === undefined || loadOf(one) <= loadOf(best))) best = one;
      }
      best ??= running < processes ? start() : undefined;
      if (best) clearTimeout(expiries.get(best));
      return best;
    },
    /** Starts the next one, before it is needed. Throws when there is no memory for it. */
    prepare(): void {
      if (pool.length < processes && pool.every((one) => one.jobs() > 0)) start();
    },
    /** After each job. */
    release(one: RasterizerProcess): void {
      if (!remove(one)) return;
      pool.push(one);
      if (one.jobs() === 0) expireLater(one);
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
    cheapCapacity: processes * CHEAP_JOBS,
    async rasterize(job, lane = 'costly') {
      try {
        for (let tries = 0; tries < MOST_TRIES && !closed; tries++) {
          const taken = pool.take();
          if (taken === undefined) return BUSY;
          const drawing = taken.draw(job, lane);
          prepareNext();
          const outcome = await drawing;
          pool.release(taken);
          if (outcome !== UNBEGUN) return outcome;
        }
      } catch (error) {
        reportNoMemory(error);
      }
      return BUSY;
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
