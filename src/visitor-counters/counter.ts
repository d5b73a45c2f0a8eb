// Visitor counters as the operator configures them: name, origins, seed and label.
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { DAY_MS } from '../platform/time.js';

export type CounterName = string & { readonly __brand: 'CounterName' };

export const COUNTER_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const COUNTER_NAME_RULE = 'letters a-z, digits and "-", at most 64 characters, starting with a letter or digit';

/** Allows every origin to count. */
export const ANY_ORIGIN = '*';

export interface CounterSettings {
  /** Origins as browsers send them, such as `https://example.com`, or `ANY_ORIGIN`. */
  readonly origins: readonly string[];
  /** False if the counter is neither counted nor shown. */
  readonly enabled: boolean;
  /** Added to the counted visits. */
  readonly seed: number;
  /** Left text of its badge. Undefined means the default label. */
  readonly label: string | undefined;
}

export type CounterConfig = ReadonlyMap<CounterName, CounterSettings>;

/** Returns true when a page of this origin may count and read. A request without `Origin` (a badge, a command) may do both. */
export function allowsOrigin({ origins }: CounterSettings, origin: string | undefined): boolean {
  return origin === undefined || origins.includes(origin) || origins.includes(ANY_ORIGIN);
}

/**
 * Returns the day on which a visit counts. This is today. If a clock that was set back shows the previous day again, it is the
 * stored day, so that the stored counts are not lost.
 */
export function countedDay(stored: UtcDay, nowMs: number): UtcDay {
  const today = utcDay(nowMs);
  return stored === today || stored === utcDay(nowMs + DAY_MS) ? stored : today;
}
