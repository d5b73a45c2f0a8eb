// Reads from the stores for a response: in parallel, and within the time limit.

/** The client for which a response reads. */
export interface Reader {
  /** Key in fair queues: the account's id, or the client address without one. */
  readonly fairnessKey: string;
  /**
   * Limits the time of reading the stores; drawing may take longer. Rejects with AppError `unavailable` when the
   * response is due.
   */
  readonly inTime: <Result>(reading: Promise<Result>) => Promise<Result>;
}

/** The client of a response that takes work. */
export interface WaitingClient extends Reader {
  /** True without an account. All such clients share a small part of the queue and of the memory. */
  readonly isStranger: boolean;
  /** Returns a signal that aborts when the client no longer waits. A function, because most responses need none. */
  readonly signal: () => AbortSignal;
  /** Calls `act` when the whole response was sent, or the client has left. */
  readonly onceAnswered: (act: () => void) => void;
}

interface Readings<Item, Result> {
  readonly items: readonly Item[];
  /** Reads an item. Returns no promise if the result is in memory. */
  readonly read: (item: Item) => Promise<Result> | Result;
  /** Number of reads that start in one turn. */
  readonly perTurn: number;
  readonly turn: () => Promise<void>;
}

/**
 * Returns the results of all items in order. Starts only some reads per turn, since an embedded store reads
 * synchronously. No read waits for another. Rejects like `inTime`.
 */
export async function readAll<Item, Result>(
  { inTime }: Reader,
  { items, read, perTurn, turn }: Readings<Item, Result>,
): Promise<readonly (readonly [Item, Result])[]> {
  const results: Promise<readonly [Item, Result]>[] = [];
  let begun = 0;
  for (const item of items) {
    const reading = read(item);
    const result = Promise.resolve(reading).then((value) => [item, value] as const);
    // Prevents an unhandled rejection until all results are awaited.
    result.catch(() => undefined);
    results.push(result);
    if (reading instanceof Promise && ++begun % perTurn === 0) await turn();
  }
  const all = Promise.all(results);
  return begun === 0 ? all : inTime(all);
}
