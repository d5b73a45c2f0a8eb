// Time limit of a promise.

/**
 * Rejects with an Error when `work` takes longer; `work` goes on, and its own rejection is ignored then. A reply that has
 * arrived counts, though the event loop was too busy to read it: timers run before sockets are read.
 */
export async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      setImmediate(reject, new Error(`not done within ${Math.round(limitMs)} ms`));
    }, limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
