// Time limit of a promise.

/**
 * Rejects with an Error when `work` takes longer; `work` goes on, and its own rejection is ignored then. A reply that has
 * arrived counts, though the event loop was too busy to read it: timers run before sockets are read.
 */
export function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(reject, new Error(`not done within ${Math.round(limitMs)} ms`));
    }, limitMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
