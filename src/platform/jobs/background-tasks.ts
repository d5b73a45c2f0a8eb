// Background tasks: run after the answer, and awaited when the process ends.
import { randomInt } from 'node:crypto';

/** Deferred work begins at a random moment between these, so that its timing cannot be linked to the answer. */
const DEFERRED_MS = { atLeast: 100, below: 1000 } as const;
const MAX_DEFERRED = 1000;

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>;

export function createBackgroundTasks(onError: (error: unknown) => void) {
  const underWay = new Set<Promise<unknown>>();
  const deferred = new Map<() => Promise<unknown>, NodeJS.Timeout>();

  /** Never throws; errors are reported. */
  function start(work: () => Promise<unknown>): void {
    // Begins when the answer has been sent, so that it delays none.
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
    /**
     * As `start`, but within a second, at a random moment: the next requests are as fast whether or not there is
     * anything to do. False, without running it, when too many tasks are deferred.
     */
    defer(work: () => Promise<unknown>): boolean {
      if (deferred.size >= MAX_DEFERRED) return false;
      deferred.set(
        work,
        setTimeout(() => begin(work), randomInt(DEFERRED_MS.atLeast, DEFERRED_MS.below)),
      );
      return true;
    },
    /** Resolves when all tasks have ended; deferred ones begin now. */
    async settle(): Promise<void> {
      while (underWay.size + deferred.size > 0) {
        for (const work of deferred.keys()) begin(work);
        await Promise.all(underWay);
      }
    },
  };
}
