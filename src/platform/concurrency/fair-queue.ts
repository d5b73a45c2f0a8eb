// Fair queue of limited length. It runs a few items at once, and alternates between keys, so that many items of one key
// do not delay the first item of another key.
import { AppError } from '../errors.js';
import { addTo } from './lists-by-key.js';

interface Options {
  /** Maximum number of items that run at once. */
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface QueuedItem {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options) {
  /** Waiting items by key. Each list has at least one item. The first item of the first key runs next. */
  const queues = new Map<string, QueuedItem[]>();
  let running = 0;
  let waiting = 0;

  /**
   * Returns true if a new item of this key would be rejected now. In a full queue, a new item replaces an item of the
   * key with the most items. After the replacement, the new item's key must not have more items than that key.
   * Otherwise, two keys could replace each other's items forever.
   */
  function isFull(key: string): boolean {
    if (begins() || waiting < maxWaiting) return false;
    return (queues.get(key)?.length ?? 0) + 1 >= longest(queues).length;
  }

  const begins = (): boolean => waiting === 0 && running < atOnce;

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    if (isFull(key)) return Promise.reject(new AppError('busy'));
    if (waiting >= maxWaiting) {
      longest(queues).pop()?.reject(new AppError('busy'));
      waiting--;
    }
    waiting++;
    return new Promise((begin, reject) => {
      const item: QueuedItem = { begin, reject };
      addTo(queues, key, item);
      signal?.addEventListener('abort', () => leave(key, item, signal), { once: true });
    });
  }

  function leave(key: string, item: QueuedItem, signal: AbortSignal): void {
    const queue = queues.get(key) ?? [];
    const place = queue.indexOf(item);
    if (place === -1) return;
    queue.splice(place, 1);
    if (queue.length === 0) queues.delete(key);
    waiting--;
    item.reject(signal.reason);
  }

  /** Starts as many items as may run. The key of a started item then becomes the last key in the order. */
  function beginNext(): void {
    for (const [key, queue] of queues) {
      const item = queue[0];
      if (item === undefined || running >= atOnce) return;
      running++;
      queue.shift();
      waiting--;
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
      item.begin();
    }
  }

  return {
    /**
     * Runs `work` when it is the key's turn: keys alternate, and the items of one key stay in order. A single key may
     * fill the whole queue. Throws AppError `busy` if the queue is full, or if another key's item replaced this one.
     * Throws the signal's reason if the signal aborts before `work` starts. In all these cases, `work` does not run.
     */
    async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
      signal?.throwIfAborted();
      if (begins()) running++;
      else await wait(key, signal);
      try {
        return await work();
      } finally {
        running--;
        beginNext();
      }
    },
    isFull,
    waiting: () => waiting,
  };
}

/** Returns the longest queue. If several have the same length, returns the one that was added to the map last. */
function longest(queues: ReadonlyMap<string, QueuedItem[]>): QueuedItem[] {
  return [...queues.values()].reduce((most, queue) => (queue.length >= most.length ? queue : most), []);
}
