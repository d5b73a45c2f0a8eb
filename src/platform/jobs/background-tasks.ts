// Background tasks. They run after the response. The process waits for them before it ends.
import { randomInt } from 'node:crypto';

/**
 * Range of the random delay of deferred work in ms. Because of the delay, observers cannot link the work to the
 * response.
 */
const DEFERRED_MS = { atLeast: 100, below: 1000 } as const;
const MAX_DEFERRED = 1000;

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>;

export function createBackgroundTasks(onError: (error: unknown) => void) {
  const underWay = new Set<Promise<unknown>>();
  const deferred = new Map<() => Promise<unknown>, NodeJS.Timeout>();

  /** Starts work in the background. Never throws, because errors are reported to `onError`. */
  function start(work: () => Promise<unknown>): void {
    // Starts the work after the response, so that the work does not delay the response.
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
     * Starts work at a random time within a second, so that later response times do not reveal whether work was
     * deferred. Returns false and drops the work if too many tasks are deferred.
     */
    defer(work: () => Promise<unknown>): boolean {
      if (deferred.size >= MAX_DEFERRED) return false;
      deferred.set(
        work,
        setTimeout(() => begin(work), randomInt(DEFERRED_MS.atLeast, DEFERRED_MS.below)),
      );
      return true;
    },
    /** Starts all deferred tasks immediately. Resolves when all tasks have ended. */
    async settle(): Promise<void> {
      while (underWay.size + deferred.size > 0) {
        for (const work of deferred.keys()) begin(work);
        await Promise.all(underWay);
      }
    },
  };
}
