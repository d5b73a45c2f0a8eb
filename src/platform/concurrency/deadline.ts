// Deadline of a response, and time limit for a promise.

/** Monotonic clock and timers. Tests replace them. */
export interface Timers {
  /** Returns the time in ms, from an arbitrary start. */
  readonly now: () => number;
  /** Calls `act` after `ms`. Returns a function that cancels the call. */
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
 * Rejects with an Error if `work` takes longer than the limit. `work` then continues, and its result or error is
 * ignored. Pending sockets are read before the rejection. A reply that arrived in time is therefore accepted, even if
 * the event loop was blocked past the limit.
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
 * Returns the result of `work`, or undefined if `work` takes longer than the limit. `work` then continues. The timer
 * does not keep the process alive.
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

/** Deadline that all steps of a response share. */
export interface Deadline {
  /** Returns the time in ms since the deadline was created. */
  readonly elapsedMs: () => number;
  /**
   * Returns the result of `work`. If the deadline passes first, rejects with the error that `late` returns, and `work`
   * continues.
   */
  readonly within: <Result>(work: Promise<Result>) => Promise<Result>;
}

export function beginDeadline(limitMs: number, late: () => Error, timers: Timers = PROCESS_TIMERS): Deadline {
  const beganMs = timers.now();
  const elapsedMs = (): number => timers.now() - beganMs;
  return {
    elapsedMs,
    async within(work) {
      try {
        // The time is rounded up to whole ms. Node keeps a list of timers for each duration, so fractions of ms would
        // create many lists.
        return await within(Math.max(0, Math.ceil(limitMs - elapsedMs())), work, timers);
      } catch (error) {
        throw error instanceof TimeOver ? late() : error;
      }
    },
  };
}
