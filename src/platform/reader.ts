// Parallel reads from the stores for one response, with a time limit.

/** Client that sent the current request. The data for its response is read from the stores. */
export interface Reader {
  /** Key in fair queues: the account id, or the client address if there is no account. */
  readonly fairnessKey: string;
  /**
   * Limits the time of a read from the stores. Rejects with AppError `unavailable` if the read has not ended at the
   * deadline of the response. Drawing pictures has no such limit.
   */
  readonly inTime: <Result>(reading: Promise<Result>) => Promise<Result>;
}

/** Client that waits for a response that must be drawn or computed. */
export interface WaitingClient extends Reader {
  /**
   * True if the client has no account. All clients without an account together get only a small part of the drawing
   * queue and of the memory for pictures.
   */
  readonly isStranger: boolean;
  /**
   * Returns a signal that aborts when the client disconnects. It is created on demand, because most responses need
   * none.
   */
  readonly signal: () => AbortSignal;
  /** Calls `act` when the whole response was sent, or when the client has disconnected. */
  readonly onceAnswered: (act: () => void) => void;
}

interface Readings<Item, Result> {
  readonly items: readonly Item[];
  /** Reads an item. May return the result directly, without a promise, if the item is in memory. */
  readonly read: (item: Item) => Promise<Result> | Result;
  /** Number of reads that start at once. Before the next reads start, other requests can run. */
  readonly perTurn: number;
  readonly turn: () => Promise<void>;
}

/**
 * Returns the results of all items in order. Reads run in parallel. Only `perTurn` reads start at once, because reads
 * of an embedded store are synchronous and block the event loop. Rejects like `inTime`.
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
    // Prevents an unhandled rejection before the results are awaited.
    result.catch(() => undefined);
    results.push(result);
    if (reading instanceof Promise && ++begun % perTurn === 0) await turn();
  }
  const all = Promise.all(results);
  return begun === 0 ? all : inTime(all);
}
