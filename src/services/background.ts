// Work that an answer does not wait for, but the end of the process does.

export interface Background {
  /** Never throws; what goes wrong is reported. */
  start(work: () => Promise<unknown>): void;
  /** Resolves when all of it is done. */
  settle(): Promise<void>;
}

export function openBackground(onError: (error: unknown) => void): Background {
  const underWay = new Set<Promise<unknown>>();
  return {
    start(work) {
      // Begins after the answer is on its way, so that nobody can tell by its time whether there was any.
      const running = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .catch(onError)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
