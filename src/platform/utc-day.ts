// UTC days. Requests are counted by UTC day.
import { DAY_MS, SECOND_MS } from './time.js';

export type UtcDay = string & { readonly __brand: 'UtcDay' };

export const USAGE_KEPT_DAYS = 400;

const UTC_DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the day of a time in ms since the epoch, as `YYYY-MM-DD`. */
export function utcDay(nowMs: number): UtcDay {
  const number = Math.floor(nowMs / DAY_MS);
  if (latest?.number !== number) latest = { number, day: new Date(nowMs).toISOString().slice(0, 10) as UtcDay };
  return latest.day;
}

/** Parses `YYYY-MM-DD`. Returns undefined if the text is not a calendar date. */
export function parseUtcDay(text: string): UtcDay | undefined {
  if (!UTC_DAY_PATTERN.test(text)) return undefined;
  const ms = Date.parse(text);
  // The date parser accepts invalid dates, for example February 30 as March 2, so the result is compared with the text.
  return !Number.isNaN(ms) && utcDay(ms) === text ? (text as UtcDay) : undefined;
}

export const dayNumber = (day: UtcDay): number => Date.parse(day) / DAY_MS;
export const dayOfNumber = (number: number): UtcDay => utcDay(number * DAY_MS);

export function addDays(day: UtcDay, days: number): UtcDay {
  return utcDay(Date.parse(day) + days * DAY_MS);
}

/** Last result. It is cached, because formatting a day takes as long as all other work of counting a request. */
let latest: { readonly number: number; readonly day: UtcDay } | undefined;

/** Returns the whole seconds until the UTC day ends, 1 to 86400. */
export function secondsLeftInDay(nowMs: number): number {
  return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / SECOND_MS);
}
