// One line of work: each piece begins when the one before it has ended. Bounded, so that a flood is refused instead of
// kept.
import { AppError } from '../errors.js';

const MAX_WAITING = 32;
const MAX_WAIT_MS = 5000;

export interface Mailbox {
  /** Throws AppError `busy` when too many wait, or when its turn does not come in time; then it was not begun. */
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
  readonly isEmpty: boolean;
}

export function createMailbox(): Mailbox {
  const waiting: (() => void)[] = [];
  let working = false;

  function turn(): Promise<void> {
    if (!working) {
      working = true;
      return Promise.resolve();
    }
    if (waiting.length >= MAX_WAITING)
      return Promise.reject(new AppError('busy', 'Too many changes to this account are waiting.'));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new AppError('busy', 'Other changes to this account take too long.'));
      }, MAX_WAIT_MS);
      waiting.push(begin);
    });
  }

  return {
    async enter(work) {
      await turn();
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else working = false;
      }
    },
    get isEmpty() {
      return !working;
    },
  };
}
