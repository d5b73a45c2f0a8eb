// Work that an answer does not wait for, but the end of the process does.
import { randomInt } from 'node:crypto';

/** Deferred work begins at a random moment between these, after the answer that it must not be connected with. */
const DEFERRED_MS = { atLeast: 100, below: 1000 } as const;
const MAX_DEFERRED = 1000;

export interface BackgroundTasks {
  /** Never throws; what goes wrong is reported. */
  start(work: () => Promise<unknown>): void;
  /**
   * As `start`, but within a second, at a random moment: requests behind the answer are as fast whether or not there is
   * anything to do. False when too much is deferred already; then it is not done.
   */
  defer(work: () => Promise<unknown>): boolean;
  /** Resolves when all of it is done; what was deferred begins now. */
  settle(): Promise<void>;
}

export function createBackgroundTasks(onError: (error: unknown) => void): BackgroundTasks {
  const underWay = new Set<Promise<unknown>>();
  const deferred = new Map<() => Promise<unknown>, NodeJS.Timeout>();

  function start(work: () => Promise<unknown>): void {
    // Begins after the answer is on its way, so that nobody waits for it.
    const running = new Promise((resolve) => setImmediate(resolve))
      .then(work)
      .catch(onError)
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  function begin(work: () => Promise<unknown>): void {
    clearTimeout(deferred.get(work));
    deferred.delete(work);
    start(work);
  }

  return {
    start,
    defer(work) {
      if (deferred.size >= MAX_DEFERRED) return false;
      deferred.set(
        work,
        setTimeout(() => begin(work), randomInt(DEFERRED_MS.atLeast, DEFERRED_MS.below)),
      );
      return true;
    },
    async settle() {
      while (underWay.size + deferred.size > 0) {
        for (const work of deferred.keys()) begin(work);
        await Promise.all(underWay);
      }
    },
  };
}
