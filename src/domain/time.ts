// Lengths of time, in ms.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = [['hour', HOUR_MS], ['minute', MINUTE_MS], ['second', SECOND_MS]] as const;

/** For people, in the largest unit that it fills twice, rounded up: "15 minutes". */
export function inWords(ms: number): string {
  const [name, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? ['second', SECOND_MS];
  const count = Math.max(1, Math.ceil(ms / unitMs));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
