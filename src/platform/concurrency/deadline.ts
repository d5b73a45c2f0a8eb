// Deadline of an answer, and the time limit of a promise.

/** Monotonic time and timers; tests have their own. */
export interface Timers {
  /** ms */
  readonly now: () => number;
  /** Returns what cancels it. */
  readonly after: (ms: number, act: () => void) => () => void;
}

const PROCESS_TIMERS: Timers = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Rejects with an Error when `work` takes longer; `work` goes on, and its own rejection is ignored then. A reply that has
 * arrived counts, though the event loop was too busy to read it: timers run before sockets are read.
 */
export function within<Result>(
  limitMs: number,
  work: Promise<Result>,
  timers: Timers = PROCESS_TIMERS,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(limitMs, () => {
      setImmediate(reject, new TimeOver(`not done within ${Math.round(limitMs)} ms`));
    });
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** As `work`, or undefined when it takes longer; `work` goes on then. The wait holds no process that is to end. */
export function waitAtMost<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), limitMs).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

/** One for all steps of an answer: each has what those before it have left. */
export interface Deadline {
  /** ms since it began. */
  readonly elapsedMs: () => number;
  /** As `work`, or rejects with the error of `late` when the time is over; `work` goes on then. */
  readonly within: <Result>(work: Promise<Result>) => Promise<Result>;
}

export function beginDeadline(limitMs: number, late: () => Error, timers: Timers = PROCESS_TIMERS): Deadline {
  const beganMs = timers.now();
  const elapsedMs = (): number => timers.now() - beganMs;
  return {
    elapsedMs,
    async within(work) {
      try {
        // Whole ms: Node keeps a list of timers for each duration.
        return await within(Math.max(0, Math.ceil(limitMs - elapsedMs())), work, timers);
      } catch (error) {
        throw error instanceof TimeOver ? late() : error;
      }
    },
  };
}
