// Bounded queue in front of a few concurrent workers, served round-robin by key: no key's backlog delays another's
// first item.
import { AppError } from '../errors.js';

interface Options {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export interface FairQueue {
  /**
   * Keys take turns, the items of one key in their order; a lone key may fill the whole queue. Throws AppError `busy`
   * when there is no place, or when the place went to a key that has fewer; throws the signal's reason when it aborts
   * before the work begins. In all these cases the work was not begun.
   */
  run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether an item of this key would be rejected now. */
  isFull(key: string): boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createFairQueue({ atOnce, maxWaiting }: Options): FairQueue {
  /** Waiting items by key, none of them empty; the first key is next. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  /** Among equals the one that is served last. */
  function longest(): Waiting[] {
    return [...lines.values()].reduce((heavy, line) => (line.length >= heavy.length ? line : heavy), []);
  }

  /**
   * A place changes hands only where that makes the shares more even: keys with equal shares would take it from each
   * other for ever, and each time cost what is counted before the work.
   */
  function isFull(key: string): boolean {
    return running >= atOnce && waiting >= maxWaiting && (lines.get(key)?.length ?? 0) + 1 >= longest().length;
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    if (isFull(key)) return Promise.reject(new AppError('busy'));
    if (waiting >= maxWaiting) {
      longest().pop()?.reject(new AppError('busy'));
      waiting--;
    }
    return new Promise((begin, reject) => {
      const line = lines.get(key) ?? [];
      const item: Waiting = { begin, reject };
      line.push(item);
      lines.set(key, line);
      waiting++;
      signal?.addEventListener('abort', () => leave(key, item, signal), { once: true });
    });
  }

  function leave(key: string, item: Waiting, signal: AbortSignal): void {
    const line = lines.get(key) ?? [];
    const place = line.indexOf(item);
    if (place === -1) return;
    line.splice(place, 1);
    if (line.length === 0) lines.delete(key);
    waiting--;
    item.reject(signal.reason);
  }

  /** Hands the place of what has ended to the next item, whose key then goes behind all others. */
  function next(): void {
    const [first] = lines;
    if (!first) {
      running--;
      return;
    }
    const [key, line] = first;
    lines.delete(key);
    line.shift()?.begin();
    waiting--;
    if (line.length > 0) lines.set(key, line);
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
  };
}
