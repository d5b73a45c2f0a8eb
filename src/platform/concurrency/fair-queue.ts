// Fair queue: bounded, a few items at once, keys in rotation. No key's backlog delays another key's first item.
import { AppError } from '../errors.js';
import { addTo } from './lists-by-key.js';

interface Options {
  /** Items under way. */
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface QueuedItem {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options) {
  /** Waiting items by key, no list empty; the first key is next. */
  const queues = new Map<string, QueuedItem[]>();
  /** Items under way. */
  let running = 0;
  let waiting = 0;

  /**
   * An item of this key would be rejected now. A place changes hands only where that makes the shares more even: keys with
   * equal shares would take it from each other for ever, and each time waste what a request costs before the work.
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

  /** Begins as many items as may run. The key of each then goes to the end of the rotation. */
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
     * Keys in rotation, the items of one key in their order. A lone key may fill the whole queue. Throws AppError `busy`
     * when it can neither begin nor wait, or when its turn went to a key with fewer items. Throws the signal's reason when
     * it aborts before the work begins. In all these cases the work was not begun.
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
    /** Items whose work has not begun. */
    waiting: () => waiting,
  };
}

/** Among equals the one that is served last. */
function longest(queues: ReadonlyMap<string, QueuedItem[]>): QueuedItem[] {
  return [...queues.values()].reduce((most, queue) => (queue.length >= most.length ? queue : most), []);
}
