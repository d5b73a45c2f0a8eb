// Rasterizer in a few drawing processes, each with one job at a time: a crash or hang fails one picture.
import { MINUTE_MS } from '../../domain/time.js';
import type { RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';
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

const BUSY: RasterOutcome = { ok: false, failure: 'busy', message: 'Too many pictures are waiting to be drawn.' };

interface IdleHost {
  readonly host: RasterHost;
  readonly expiry: NodeJS.Timeout;
}

export function openRasterizer(options: RasterizerOptions): Rasterizer {
  const { worker, processes, timeoutMs, silenceMs = timeoutMs + SILENCE_MS, onLoss = () => undefined } = options;
  const hosts = new Set<RasterHost>();
  /** The one that worked last comes last and is taken first: the others may expire. */
  const idle: IdleHost[] = [];
  let underWay = 0;
  let closed = false;

  function start(): RasterHost {
    const host = startRasterHost({
      worker: worker.href,
      timeoutMs,
      silenceMs,
      onEnd(reason) {
        hosts.delete(host);
        take(host);
        onLoss(reason);
      },
    });
    hosts.add(host);
    return host;
  }

  /** Out of the idle ones. */
  function take(host: RasterHost | undefined): RasterHost | undefined {
    const at = idle.findIndex((one) => one.host === host);
    if (at !== -1) idle.splice(at, 1).forEach(({ expiry }) => clearTimeout(expiry));
    return host;
  }

  /** Among the idle ones. */
  function release(host: RasterHost, place: 'push' | 'unshift' = 'push'): void {
    if (closed || !hosts.has(host)) return;
    const expiry = setTimeout(() => {
      take(host);
      hosts.delete(host);
      void host.kill();
    }, IDLE_MS).unref();
    idle[place]({ host, expiry });
  }

  return {
    capacity: processes,
    async rasterize(job) {
      if (closed || underWay >= processes) return BUSY;
      underWay++;
      try {
        const host = take(idle.at(-1)?.host) ?? start();
        // Starting takes some hundred times as long as a picture.
        if (idle.length === 0 && hosts.size < processes) release(start(), 'unshift');
        const outcome = await host.draw(job);
        release(host);
        return outcome;
      } catch (error) {
        // Without memory, `fork` throws.
        onLoss(`no drawing process can be started: ${String(error)}`);
        return BUSY;
      } finally {
        underWay--;
      }
    },
    async close() {
      closed = true;
      for (const { expiry } of idle) clearTimeout(expiry);
      await Promise.all([...hosts].map((host) => host.kill()));
    },
  };
}
