// A clock that stands still until the test moves it.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

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
