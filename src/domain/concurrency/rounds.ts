// Rounds: work that is repeated at intervals, and whenever it is asked for, one run at a time.
import { waitAtMost } from './deadline.js';

interface Options {
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
  readonly work: () => Promise<void>;
  /** A round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

export interface Rounds {
  /** Runs the work after all runs before it, and rejects as it does. */
  readonly run: () => Promise<void>;
  readonly stop: () => void;
  /** Ends the rounds, and runs the work for the last time, waiting for it so long at most. */
  readonly close: (limitMs: number) => Promise<void>;
}

/** They hold no process that is to end. */
export function openRounds({ intervalMs, work, onError }: Options): Rounds {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function run(): Promise<void> {
    running = running.catch(() => undefined).then(work);
    return running;
  }

  function schedule(): void {
    if (!isClosed) timer = setTimeout(() => void run().catch(onError).finally(schedule), intervalMs).unref();
  }

  function stop(): void {
    isClosed = true;
    clearTimeout(timer);
  }

  schedule();
  return {
    run,
    stop,
    async close(limitMs) {
      stop();
      await waitAtMost(limitMs, run());
    },
  };
}
