// Rounds: work that is repeated at intervals, and whenever it is asked for, one run at a time.
import { waitAtMost } from './deadline.js';

interface Options {
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
  readonly work: () => Promise<void>;
  /** A round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** They hold no process that is to end. */
export function periodicTask({ intervalMs, work, onError }: Options) {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Runs the work after all runs before it, and rejects as it does. */
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
    /** Ends the rounds, and runs the work for the last time, waiting for it so long at most. */
    async close(limitMs: number): Promise<void> {
      stop();
      await waitAtMost(limitMs, run());
    },
  };
}
