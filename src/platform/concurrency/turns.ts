// Turns of the event loop: long work in slices, callers in rotation, and all other requests between two slices.
import type { Steps } from './steps.js';

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  /** Waiting slices by caller, no list empty; the first caller is next. */
  const waiting = new Map<string, (() => void)[]>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
    });
  }

  function begin(): void {
    const [first] = waiting;
    if (!first) return;
    const [caller, queue] = first;
    const enter = queue.shift();
    waiting.delete(caller);
    if (queue.length > 0) waiting.set(caller, queue);
    if (waiting.size > 0) schedule();
    enter?.();
  }

  /**
   * For one piece of work: each call resolves when it is this caller's turn, one in each iteration of the event loop. What
   * follows is to be short. Work that has begun goes before the caller's other work.
   */
  function of(caller: string): () => Promise<void> {
    let place: 'push' | 'unshift' = 'push';
    return () =>
      new Promise((enter) => {
        const queue = waiting.get(caller);
        if (queue) queue[place](enter);
        else waiting.set(caller, [enter]);
        place = 'unshift';
        schedule();
      });
  }

  return {
    of,
    /** Each slice in a turn of its own. */
    async run<Result>(caller: string, steps: Steps<Result>): Promise<Result> {
      const turn = of(caller);
      for (;;) {
        await turn();
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
  };
}
