// Fair queue: bounded, runs a few items at once, and lets keys take turns. No key's backlog delays another key's first
// item.
import { AppError } from '../errors.js';
import { addTo } from './lists-by-key.js';

interface Options {
  /** Number of items that run at once. */
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface QueuedItem {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options) {
  /** Waiting items by key; no list is empty. The first key is next. */
  const queues = new Map<string, QueuedItem[]>();
  /** Number of running items. */
  let running = 0;
  let waiting = 0;

  /**
   * Returns true if an item of this key would be rejected now. A place changes hands only if that makes the shares more
   * even. Otherwise keys with equal shares would take it from each other forever, and waste each time the cost of the
   * request so far.
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

  /** Starts as many items as may run. After an item starts, its key moves to the end of the rotation. */
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
     * Runs `work` in turn: keys take turns, and the items of one key stay in order. A lone key may fill the whole
     * queue. Throws AppError `busy` if the item can neither start nor wait, or if its place went to a key with fewer
     * items. Throws the signal's reason if it aborts before the work starts. In all these cases, the work has not
     * started.
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
    /** Number of items that have not started. */
    waiting: () => waiting,
  };
}

/** Returns the longest queue. Of equally long queues, it is the one served last. */
function longest(queues: ReadonlyMap<string, QueuedItem[]>): QueuedItem[] {
  return [...queues.values()].reduce((most, queue) => (queue.length >= most.length ? queue : most), []);
}
