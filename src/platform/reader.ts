// Reading what an answer needs from the stores: at once, and in time.

/** For whom an answer reads. */
export interface Reader {
  /** Those with equal keys share one place in each rotation: the account's id, without one the address. */
  readonly fairnessKey: string;
  /** For reading the stores; drawing may take longer. Rejects with AppError `unavailable` when the answer is due. */
  readonly inTime: <Result>(reading: Promise<Result>) => Promise<Result>;
}

/** The client of an answer that takes work. */
export interface WaitingClient extends Reader {
  /** Without an account: all of these share a small part of the queue and of the memory. */
  readonly isStranger: boolean;
  /** Aborts when the client no longer waits. A function, because most answers need none. */
  readonly signal: () => AbortSignal;
  /** Calls `act` when all of the answer was sent, or the client has left. */
  readonly onceAnswered: (act: () => void) => void;
}

interface Readings<Item, Result> {
  readonly items: readonly Item[];
  /** No promise for what is in memory. */
  readonly read: (item: Item) => Promise<Result> | Result;
  /** Readings that begin in one turn. */
  readonly perTurn: number;
  readonly turn: () => Promise<void>;
}

/**
 * Items with their results, in their order. A turn begins some of them, since an embedded store reads within the call; none
 * waits for another. Rejects as `inTime` does.
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
    // Until all are waited for.
    result.catch(() => undefined);
    results.push(result);
    if (reading instanceof Promise && ++begun % perTurn === 0) await turn();
  }
  const all = Promise.all(results);
  return begun === 0 ? all : inTime(all);
}
