// Durations in ms, and checks that allow for wrong clocks.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Maximum time in ms by which a stored time may be in the future. A later time comes from a wrong clock. */
export const CLOCK_TOLERANCE_MS = 60 * SECOND_MS;

/**
 * Returns true if `thenMs` is less than `lengthMs` before `nowMs`. Returns false for a time in the future, because it
 * comes from a wrong clock.
 */
export function isWithin(thenMs: number, lengthMs: number, nowMs: number): boolean {
  return thenMs <= nowMs && nowMs - thenMs < lengthMs;
}

export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

const UNITS = [
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** Returns text such as "15 minutes". Uses the largest unit of which there are at least two, and rounds up. */
export function inWords(ms: number): string {
  const [name, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? ['second', SECOND_MS];
  const count = Math.max(1, Math.ceil(ms / unitMs));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
