// Mailboxes: work with the same key runs one after the other. Each queue has a maximum length, so that a flood is
// rejected.
import { AppError } from '../platform/errors.js';

const MAX_QUEUED = 32;
const MAX_WAIT_MS = 5000;

export function createMailboxes() {
  /** Waiting work by key. While work runs, its key is in the map, even if the list is empty. */
  const queues = new Map<string, (() => void)[]>();

  function wait(queue: (() => void)[]): Promise<void> {
    if (queue.length >= MAX_QUEUED)
      return Promise.reject(new AppError('busy', 'Too many changes to this account are queued.'));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        reject(new AppError('busy', 'Other changes to this account are taking too long.'));
      }, MAX_WAIT_MS);
      queue.push(begin);
    });
  }

  return {
    /**
     * Runs `work` after all earlier work with this key. If the queue is full or the wait is too long, throws AppError
     * `busy` without running `work`.
     */
    async enter<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(key) ?? [];
      if (queues.has(key)) await wait(queue);
      else queues.set(key, queue);
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else queues.delete(key);
      }
    },

    waiting: (): number => [...queues.values()].reduce((sum, { length }) => sum + length, 0),
  };
}
