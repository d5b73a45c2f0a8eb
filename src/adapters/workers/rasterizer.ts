// Rasterizer in a few drawing processes, each of which draws one picture at a time: a crash or hang fails that one.
import { MINUTE_MS } from '../../domain/time.js';
import type { RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';
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
  /** Called for every process that crashed or was killed for its job. */
  readonly onLoss?: (reason: string) => void;
}

const SILENCE_MS = 20_000;
/** Without work a process ends after this long, so that an idle service is small. */
const IDLE_MS = MINUTE_MS;
/** In one process: while it draws one, the next is there already, and no time is lost between them. */
const CHEAP_JOBS = 2;
/** Of a process that is just starting, which takes some hundred times as long as a picture. */
const STARTING_LOAD = 1.5;

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
function createHostPool({ worker, processes, timeoutMs, silenceMs, onLoss }: Required<RasterizerOptions>) {
  /** The one that worked last comes last and is taken first: the others may expire. */
  const hosts: StartedHost[] = [];

  function start(): StartedHost {
    const host = startRasterHost({
      worker: worker.href,
      timeoutMs,
      silenceMs,
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
      let best: StartedHost | undefined;
      for (const one of hosts) if (one.host.isFree() && (best === undefined || loadOf(one) <= loadOf(best))) best = one;
      best ??= hosts.length < processes ? start() : undefined;
      clearTimeout(best?.expiry);
      // The next one, before it is needed.
      if (hosts.length < processes && hosts.every((one) => one === best || one.host.jobs() > 0)) start();
      return best;
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
  const { processes, timeoutMs, silenceMs = timeoutMs + SILENCE_MS, onLoss = () => undefined } = options;
  const hosts = createHostPool({ ...options, silenceMs, onLoss });
  let closed = false;
  return {
    capacity: processes,
    cheapCapacity: processes * CHEAP_JOBS,
    async rasterize(job, lane = 'costly') {
      try {
        for (;;) {
          const started = closed ? undefined : hosts.take();
          if (started === undefined) return BUSY;
          const outcome = await started.host.draw(job, lane);
          hosts.release(started);
          if (outcome !== UNBEGUN) return outcome;
        }
      } catch (error) {
        // Without memory, `fork` throws.
        onLoss(`no drawing process can be started: ${String(error)}`);
        return BUSY;
      }
    },
    close() {
      closed = true;
      return hosts.close();
    },
  };
}
