// Drawing, as the service sees it: a bounded queue, and behind it a process with the drawing threads. Whatever a picture
// does to that process costs this one picture; the others are drawn again by the next process.
import type { RasterHostMessage } from '../../../workers/protocol.js';
import { MINUTE_MS } from '../../domain/time.js';
import type { RasterJob, RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';
import { startRasterHost, type RasterHost } from './raster-host.js';

export interface RasterizerOptions {
  /** The compiled thread entry. */
  readonly worker: URL;
  /** At most this many jobs are drawn at once. */
  readonly threads: number;
  /** At most this many wait for a thread; beyond: busy. */
  readonly maxQueue: number;
  /** Counted from when a thread begins the job. */
  readonly timeoutMs: number;
  /** Beyond `timeoutMs`, how long the process may be silent although it has work. Generous: the machine may be very busy. */
  readonly silenceMs?: number;
  /** Told of every thread and process that crashed or was given up. */
  readonly onLoss?: (reason: string) => void;
}

const SILENCE_MS = 20_000;
/** Without work the process ends after this long, so that an idle service is small. */
const IDLE_MS = MINUTE_MS;

const BUSY: RasterOutcome = { ok: false, code: 'busy', message: 'Too many pictures are waiting to be drawn.' };
const UNDRAWABLE: RasterOutcome = { ok: false, code: 'unprocessable', message: 'This picture cannot be drawn.' };

interface Unanswered {
  readonly job: RasterJob;
  readonly settle: (outcome: RasterOutcome) => void;
}

export function openRasterizer(options: RasterizerOptions): Rasterizer {
  const { worker, threads, maxQueue, timeoutMs, silenceMs = SILENCE_MS, onLoss } = options;
  const late: RasterOutcome = { ok: false, code: 'unprocessable', message: `This picture takes longer than ${timeoutMs} ms to draw.` };
  /** By id, in the order in which they came, which is the order in which they are begun. */
  const unanswered = new Map<number, Unanswered>();
  /** One for each job that was being drawn when the process crashed: alone, to find out which of them did it. */
  const trials = new Set<Rasterizer>();
  let host: RasterHost | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;

  function rasterize(job: RasterJob): Promise<RasterOutcome> {
    if (closed || unanswered.size + trials.size >= threads + maxQueue) return Promise.resolve(BUSY);
    clearTimeout(idle);
    return new Promise((settle) => {
      const id = ++lastId;
      unanswered.set(id, { job, settle });
      if (host) host.send({ id, task: job });
      else restart();
    });
  }

  /** The next process, if there is work, is given all of it. */
  function restart(): void {
    host = undefined;
    if (unanswered.size === 0) return;
    const started = startRasterHost({ worker: worker.href, threads, timeoutMs, silenceMs, onMessage: take, onEnd: mourn });
    host = started;
    for (const [id, { job }] of unanswered) started.send({ id, task: job });
  }

  function take(message: RasterHostMessage): void {
    switch (message.kind) {
      case 'ready':
        break;
      case 'reply':
        answer(message.id, message.reply);
        break;
      case 'thread-lost':
        onLoss?.(`a drawing thread ended: ${message.message}`);
        answer(message.id, UNDRAWABLE);
        break;
      case 'hangs':
        onLoss?.(`a picture took longer than ${timeoutMs} ms`);
        void host?.kill();
        answer(message.id, late);
        restart();
    }
  }

  function answer(id: number, outcome: RasterOutcome): void {
    unanswered.get(id)?.settle(outcome);
    unanswered.delete(id);
    if (unanswered.size === 0) idle = setTimeout(endIdle, IDLE_MS).unref();
  }

  function endIdle(): void {
    void host?.kill();
    host = undefined;
  }

  /** The process ended of itself. */
  function mourn(reason: string, wasReady: boolean): void {
    onLoss?.(`the drawing process ${reason}`);
    if (!wasReady) {
      host = undefined;
      for (const id of [...unanswered.keys()]) answer(id, BUSY);
      return;
    }
    const [first, ...others] = [...unanswered].slice(0, threads);
    if (first && others.length === 0) answer(first[0], UNDRAWABLE);
    else if (first) for (const suspect of [first, ...others]) void tryAlone(...suspect);
    restart();
  }

  async function tryAlone(id: number, { job, settle }: Unanswered): Promise<void> {
    unanswered.delete(id);
    const trial = openRasterizer({ ...options, threads: 1, maxQueue: 0 });
    trials.add(trial);
    settle(await trial.rasterize(job));
    trials.delete(trial);
    await trial.close();
  }

  return {
    rasterize,
    async close() {
      closed = true;
      clearTimeout(idle);
      await Promise.all([host?.kill(), ...[...trials].map((trial) => trial.close())]);
      for (const { settle } of unanswered.values()) settle(BUSY);
      unanswered.clear();
    },
  };
}
