// Periodic task: work that is repeated at an interval and on request, one run at a time.
import { waitAtMost } from './deadline.js';

interface Options {
  /** Time in ms from the end of a run to the start of the next run. */
  readonly intervalMs: number;
  readonly work: () => Promise<void>;
  /** Called when a periodic run fails. The next periodic run tries again. */
  readonly onError: (error: unknown) => void;
}

/** Starts the periodic runs. Their timers do not keep the process alive. */
export function periodicTask({ intervalMs, work, onError }: Options) {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Runs the work after all earlier runs. Rejects if `work` rejects in this run. */
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
    /** Stops the periodic runs, then runs the work once more, and waits at most `limitMs` for this run. */
    async close(limitMs: number): Promise<void> {
      stop();
      await waitAtMost(limitMs, run());
    },
  };
}
