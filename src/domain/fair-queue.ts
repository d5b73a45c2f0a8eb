// Fair queue: bounded, a few items at once, keys in rotation: no key's backlog delays another's first item.
import { AppError } from '../errors.js';

interface Options {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export interface FairQueue {
  /**
   * Keys in rotation, the items of one key in their order; a lone key may fill the whole queue. Throws AppError `busy`
   * when there is no place, or when the place went to a key with fewer items; throws the signal's reason when it aborts
   * before the work begins. In all these cases the work was not begun.
   */
  run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether an item of this key would be rejected now. */
  isFull(key: string): boolean;
  /** Items whose work has not begun. */
  readonly waiting: () => number;
}

interface QueuedItem {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options): FairQueue {
  /** Waiting items by key, no list empty; the first key is next. */
  const queues = new Map<string, QueuedItem[]>();
  let running = 0;
  let waiting = 0;

  /**
   * A place changes hands only where that makes the shares more even: keys with equal shares would take it from each
   * other for ever, and each time waste what a request costs before the work.
   */
  function isFull(key: string): boolean {
    return running >= atOnce && waiting >= maxWaiting && (queues.get(key)?.length ?? 0) + 1 >= longest(queues).length;
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    if (isFull(key)) return Promise.reject(new AppError('busy'));
    if (waiting >= maxWaiting) {
      longest(queues).pop()?.reject(new AppError('busy'));
      waiting--;
    }
    return new Promise((begin, reject) => {
      const queue = queues.get(key) ?? [];
      const item: QueuedItem = { begin, reject };
      queue.push(item);
      queues.set(key, queue);
      waiting++;
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

  /** Gives the place of an item that has ended to the next one, whose key then goes to the end of the rotation. */
  function next(): void {
    const [first] = queues;
    if (!first) {
      running--;
      return;
    }
    const [key, queue] = first;
    queues.delete(key);
    queue.shift()?.begin();
    waiting--;
    if (queue.length > 0) queues.set(key, queue);
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted();
      if (running < atOnce) running++;
      else await wait(key, signal);
      try {
        return await work();
      } finally {
        next();
      }
    },
    isFull,
    waiting: () => waiting,
  };
}

/** Among equals the one that is served last. */
function longest(queues: ReadonlyMap<string, QueuedItem[]>): QueuedItem[] {
  return [...queues.values()].reduce((most, queue) => (queue.length >= most.length ? queue : most), []);
}
