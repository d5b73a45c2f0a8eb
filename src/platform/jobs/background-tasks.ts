// Background tasks: they run after the response, and the process waits for them before it ends.
import { randomInt } from 'node:crypto';

/** Range in ms of a random delay of deferred work, so that its timing cannot be linked to the response. */
const DEFERRED_MS = { atLeast: 100, below: 1000 } as const;
const MAX_DEFERRED = 1000;

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>;

export function createBackgroundTasks(onError: (error: unknown) => void) {
  const underWay = new Set<Promise<unknown>>();
  const deferred = new Map<() => Promise<unknown>, NodeJS.Timeout>();

  /** Starts work in the background. Never throws; errors are reported. */
  function start(work: () => Promise<unknown>): void {
    // Starts after the response was sent, so that it delays no response.
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
     * Starts work within a second, at a random moment. The next requests are therefore equally fast, whether or not
     * there is work. Returns false, without running it, if too many tasks are deferred.
     */
    defer(work: () => Promise<unknown>): boolean {
      if (deferred.size >= MAX_DEFERRED) return false;
      deferred.set(
        work,
        setTimeout(() => begin(work), randomInt(DEFERRED_MS.atLeast, DEFERRED_MS.below)),
      );
      return true;
    },
    /** Resolves when all tasks have ended. Deferred tasks start immediately. */
    async settle(): Promise<void> {
      while (underWay.size + deferred.size > 0) {
        for (const work of deferred.keys()) begin(work);
        await Promise.all(underWay);
      }
    },
  };
}
