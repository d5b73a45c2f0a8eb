// Visitor counters as the operator configures them: name, origins, seed and label.
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { DAY_MS } from '../platform/time.js';

export type CounterName = string & { readonly __brand: 'CounterName' };

export const COUNTER_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const COUNTER_NAME_RULE = 'letters a-z, digits and "-", at most 64 characters, starting with a letter or digit';

/** Value in `origins` that allows all origins. */
export const ANY_ORIGIN = '*';

export interface CounterSettings {
  /** Allowed origins as browsers send them, such as `https://example.com`, or `ANY_ORIGIN`. */
  readonly origins: readonly string[];
  /** False if requests of this counter are rejected. */
  readonly enabled: boolean;
  /** Number that is added to the counted visits. */
  readonly seed: number;
  /** Text on the left side of the badge. Undefined means the default label. */
  readonly label: string | undefined;
}

export type CounterConfig = ReadonlyMap<CounterName, CounterSettings>;

/**
 * Returns true if a web page of this origin may use the counter. Requests without `Origin` (a badge, a command) are
 * always allowed.
 */
export function allowsOrigin({ origins }: CounterSettings, origin: string | undefined): boolean {
  return origin === undefined || origins.includes(origin) || origins.includes(ANY_ORIGIN);
}

/**
 * Returns the day to which a visit is added: today. If the clock was set back and shows the day before the stored day,
 * returns the stored day, so that its counts are not lost.
 */
export function countedDay(stored: UtcDay, nowMs: number): UtcDay {
  const today = utcDay(nowMs);
  return stored === today || stored === utcDay(nowMs + DAY_MS) ? stored : today;
}
