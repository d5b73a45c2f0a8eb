// Mailbox: pieces of work run one after the other, with a bounded queue, so that a flood is rejected.
import { AppError } from '../errors.js';

const MAX_QUEUED = 32;
const MAX_WAIT_MS = 5000;

export interface Mailbox {
  /**
   * Runs `work` after all before it. Throws AppError `busy`, without running it, when the queue is full or its wait too
   * long.
   */
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
  /** No work is running or queued. */
  readonly isEmpty: boolean;
  /** Work in the queue, not the one that runs. */
  readonly waiting: number;
}

export function createMailbox(): Mailbox {
  const queue: (() => void)[] = [];
  let isWorking = false;

  function wait(): Promise<void> {
    if (!isWorking) {
      isWorking = true;
      return Promise.resolve();
    }
    if (queue.length >= MAX_QUEUED)
      return Promise.reject(new AppError('busy', 'Too many changes to this account are queued.'));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        reject(new AppError('busy', 'Other changes to this account take too long.'));
      }, MAX_WAIT_MS);
      queue.push(begin);
    });
  }

  return {
    async enter(work) {
      await wait();
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else isWorking = false;
      }
    },
    get isEmpty() {
      return !isWorking;
    },
    get waiting() {
      return queue.length;
    },
  };
}

export interface Mailboxes<Key> {
  /** As `Mailbox.enter`, in the mailbox of this key. */
  enter<Result>(key: Key, work: () => Promise<Result>): Promise<Result>;
  /** Work in the queues of all keys. */
  readonly waiting: () => number;
}

/** One mailbox for each key, for as long as it has work. */
export function createMailboxes<Key>(): Mailboxes<Key> {
  const mailboxes = new Map<Key, Mailbox>();
  return {
    async enter(key, work) {
      const mailbox = mailboxes.get(key) ?? createMailbox();
      mailboxes.set(key, mailbox);
      try {
        return await mailbox.enter(work);
      } finally {
        // When the last work ends as another times out, both get here, and the map may have a newer mailbox already.
        if (mailbox.isEmpty && mailboxes.get(key) === mailbox) mailboxes.delete(key);
      }
    },
    waiting: () => [...mailboxes.values()].reduce((sum, mailbox) => sum + mailbox.waiting, 0),
  };
}
