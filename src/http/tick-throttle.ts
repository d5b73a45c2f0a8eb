// Lets a crowd in a few at a time: a thousand sign-ins that arrive at once would otherwise be read in one turn of the
// event loop, and every picture would wait for all of them.

/**
 * Resolves in this turn of the event loop for the first `perTurn` that ask, for those after them in later turns, in
 * order.
 */
export function createTickThrottle(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  let isWatched = false;

  function watchForNext(): void {
    if (isWatched) return;
    isWatched = true;
    // Runs after everything else that has arrived by then was read.
    setImmediate(() => {
      isWatched = false;
      const admitted = waiting.splice(0, perTurn);
      left = perTurn - admitted.length;
      if (admitted.length > 0) watchForNext();
      for (const enter of admitted) enter();
    });
  }

  return () => {
    watchForNext();
    if (left > 0) {
      left--;
      return Promise.resolve();
    }
    return new Promise((enter) => waiting.push(enter));
  };
}
