// Throttle by tick of the event loop: a thousand sign-ins that arrive at once would otherwise be parsed in one tick,
// and every picture would wait for all of them.

/**
 * The function returned resolves in this tick for the first `perTick` calls, for later calls in later ticks, in order.
 */
export function createTickThrottle(perTick: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = perTick;
  let isScheduled = false;

  function scheduleNext(): void {
    if (isScheduled) return;
    isScheduled = true;
    // Runs after everything else that has arrived by then was read.
    setImmediate(() => {
      isScheduled = false;
      const admitted = waiting.splice(0, perTick);
      left = perTick - admitted.length;
      if (admitted.length > 0) scheduleNext();
      for (const enter of admitted) enter();
    });
  }

  return () => {
    scheduleNext();
    if (left > 0) {
      left--;
      return Promise.resolve();
    }
    return new Promise((enter) => waiting.push(enter));
  };
}
