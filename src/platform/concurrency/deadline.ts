// Deadline of a response, and time limit of a promise.

/** Monotonic time and timers, which tests can replace. */
export interface Timers {
  /** Time in ms. */
  readonly now: () => number;
  /** Calls `act` later, and returns a function that cancels the call. */
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
 * Rejects with an Error if `work` takes longer than the limit. `work` continues, and its own rejection is then ignored.
 * A response that has arrived counts even if the event loop was too busy to read it, because timers run before sockets
 * are read.
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

/**
 * Returns the result of `work`, or undefined if it takes longer; `work` then continues. The wait does not keep the
 * process alive.
 */
export function waitAtMost<Result>(limitMs: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), limitMs).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

/** Deadline for all steps of a response. Each step has the time left by the previous ones. */
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
