// Periodic task: work that is repeated at an interval and on request, one run at a time.
import { waitAtMost } from './deadline.js';

interface Options {
  /** Time in ms from the end of a run to the next one. */
  readonly intervalMs: number;
  readonly work: () => Promise<void>;
  /** Called when a periodic run fails. The next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** Starts the periodic runs. They do not keep the process alive. */
export function periodicTask({ intervalMs, work, onError }: Options) {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Runs the work after all earlier runs. Rejects if this run rejects. */
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
    /** Stops the periodic runs, then runs the work once more. Waits at most `limitMs` for it. */
    async close(limitMs: number): Promise<void> {
      stop();
      await waitAtMost(limitMs, run());
    },
  };
}
