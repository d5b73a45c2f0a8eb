// Fair queue: bounded, items at once in a few places, keys in rotation: no key's backlog delays another's first item.
import { AppError } from '../../errors.js';
import { addTo } from '../collections/lists-by-key.js';

interface Options {
  /** Places that items under way have together. */
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface QueuedItem {
  readonly places: number;
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options) {
  /** Waiting items by key, no list empty; the first key is next. */
  const queues = new Map<string, QueuedItem[]>();
  /** Places taken. */
  let taken = 0;
  let waiting = 0;

  /**
   * An item of this key would be rejected now. A place changes hands only where that makes the shares more even: keys with
   * equal shares would take it from each other for ever, and each time waste what a request costs before the work.
   */
  function isFull(key: string, places = 1): boolean {
    if (begins(places) || waiting < maxWaiting) return false;
    return (queues.get(key)?.length ?? 0) + 1 >= longest(queues).length;
  }

  /** Nothing passes what waits for several places. */
  const begins = (places: number): boolean => waiting === 0 && taken + places <= atOnce;

  function wait(key: string, places: number, signal: AbortSignal | undefined): Promise<void> {
    if (isFull(key, places)) return Promise.reject(new AppError('busy'));
    if (waiting >= maxWaiting) {
      longest(queues).pop()?.reject(new AppError('busy'));
      waiting--;
    }
    waiting++;
    return new Promise((begin, reject) => {
      const item: QueuedItem = { places, begin, reject };
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
    beginNext();
  }

  /** Begins what there are places for; the key of each then goes to the end of the rotation. */
  function beginNext(): void {
    for (const [key, queue] of queues) {
      const item = queue[0];
      if (item === undefined || taken + item.places > atOnce) return;
      taken += item.places;
      queue.shift();
      waiting--;
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
      item.begin();
    }
  }

  return {
    /**
     * Keys in rotation, the items of one key in their order; a lone key may fill the whole queue. Throws AppError `busy`
     * when it can neither begin nor wait, or when its turn went to a key with fewer items; throws the signal's reason when
     * it aborts before the work begins. In all these cases the work was not begun. An item may take several places: the
     * next ones wait until they are free.
     */
    async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal, places = 1): Promise<Result> {
      signal?.throwIfAborted();
      if (begins(places)) taken += places;
      else await wait(key, places, signal);
      try {
        return await work();
      } finally {
        taken -= places;
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
