// Timers for tests. Time only passes when the test calls `advance`.
import { setImmediate as tick } from 'node:timers/promises';
import type { Timers } from '../../src/platform/concurrency/deadline.js';

export interface StoppedTimers extends Timers {
  advance(ms: number): Promise<void>;
  /** Resolves with `result` after `advance` has advanced the time by `ms`. */
  resolved<Result>(ms: number, result: Result): Promise<Result>;
}

export function stoppedTimers(): StoppedTimers {
  let nowMs = 0;
  const due = new Map<() => void, number>();
  const after: Timers['after'] = (ms, act) => {
    due.set(act, nowMs + ms);
    return () => due.delete(act);
  };
  return {
    now: () => nowMs,
    after,
    resolved: (ms, result) => new Promise((resolve) => void after(ms, () => resolve(result))),
    async advance(ms) {
      await settled();
      nowMs += ms;
      for (const [act, atMs] of due)
        if (atMs <= nowMs) {
          due.delete(act);
          act();
        }
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await tick();
}
