// A clock that only advances when the test advances it.

export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/time.js';

export interface Clock {
  readonly now: () => number;
  readonly date: () => Date;
  readonly advance: (ms: number) => void;
}

export function clockAt(startMs = Date.UTC(2026, 4, 1, 12)): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    date: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
