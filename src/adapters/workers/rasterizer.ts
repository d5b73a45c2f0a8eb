// Rasterizer in a few drawing processes, each of which draws one picture at a time: a crash or hang fails that one.
import { MINUTE_MS } from '../../domain/time.js';
import type { RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';
import { NO_FENCE, type Fence } from './fence.js';
import { UNBEGUN } from './pending-jobs.js';
import { startRasterHost, type RasterHost } from './raster-host.js';

export interface RasterizerOptions {
  /** The compiled renderer, which the drawing thread imports. */
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

const BUSY: RasterOutcome = { ok: false, failure: 'busy', message: 'Too many pictures are waiting to be drawn.' };

interface StartedHost {
  readonly host: RasterHost;
  /** While it has no job. */
  expiry?: NodeJS.Timeout | undefined;
}

/** In jobs. */
function loadOf({ host }: StartedHost): number {
  return host.jobs() + (host.isReady() ? 0 : STARTING_LOAD);
}

/** Drawing processes that come and go with the work. */
function createHostPool({ worker, processes, timeoutMs, silenceMs, fence, onLoss }: Required<RasterizerOptions>) {
  /** The one that worked last comes last and is taken first: the others may expire. */
  const hosts: StartedHost[] = [];

  function start(): StartedHost {
    const host = startRasterHost({
      worker: worker.href,
      timeoutMs,
      silenceMs,
      fence,
      onEnd(reason) {
        remove(started);
        onLoss(reason);
      },
    });
    const started: StartedHost = { host };
    hosts.unshift(started);
    expireLater(started);
    return started;
  }

  /** False when it was gone. */
  function remove(started: StartedHost): boolean {
    clearTimeout(started.expiry);
    const at = hosts.indexOf(started);
    if (at !== -1) hosts.splice(at, 1);
    return at !== -1;
  }

  function expireLater(started: StartedHost): void {
    started.expiry = setTimeout(() => {
      remove(started);
      void started.host.kill();
    }, IDLE_MS).unref();
  }

  return {
    /** For one more job; undefined when all have as many as they take. Throws when there is no memory for a process. */
    take(): StartedHost | undefined {
      let [best, running]: [StartedHost | undefined, number] = [undefined, 0];
      for (const one of hosts) {
        if (one.host.isRunning()) running++;
        if (one.host.isFree() && (best === undefined || loadOf(one) <= loadOf(best))) best = one;
      }
      best ??= running < processes ? start() : undefined;
      clearTimeout(best?.expiry);
      return best;
    },
    /** Starts the next one, before it is needed. Throws when there is no memory for it. */
    prepare(): void {
      if (hosts.length < processes && hosts.every(({ host }) => host.jobs() > 0)) start();
    },
    /** After each job. */
    release(started: StartedHost): void {
      if (!remove(started)) return;
      hosts.push(started);
      if (started.host.jobs() === 0) expireLater(started);
    },
    async close(): Promise<void> {
      await Promise.all(hosts.splice(0).map(({ host, expiry }) => (clearTimeout(expiry), host.kill())));
    },
  };
}

export function openRasterizer(options: RasterizerOptions): Rasterizer {
  const { processes, timeoutMs, silenceMs = timeoutMs + SILENCE_MS } = options;
  const { fence = NO_FENCE, onLoss = () => undefined } = options;
  const hosts = createHostPool({ ...options, silenceMs, fence, onLoss });
  let closed = false;

  // Without memory, `fork` throws.
  const reportNoMemory = (error: unknown): void => onLoss(`no drawing process can be started: ${String(error)}`);

  function prepareNext(): void {
    try {
      hosts.prepare();
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
          const started = hosts.take();
          if (started === undefined) return BUSY;
          const drawing = started.host.draw(job, lane);
          prepareNext();
          const outcome = await drawing;
          hosts.release(started);
          if (outcome !== UNBEGUN) return outcome;
        }
      } catch (error) {
        reportNoMemory(error);
      }
      return BUSY;
    },
    close() {
      closed = true;
      return hosts.close();
    },
  };
}
