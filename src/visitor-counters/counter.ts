// Visitor counters as the operator configures them: name, origins, seed, label.
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { DAY_MS } from '../platform/time.js';

export type CounterName = string & { readonly __brand: 'CounterName' };

export const COUNTER_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const COUNTER_NAME_RULE = 'letters a-z, digits and "-", at most 64 characters, beginning with a letter or digit';

/** Any origin may count. */
export const ANY_ORIGIN = '*';

export interface CounterSettings {
  /** As browsers send them: `https://example.com`; or `ANY_ORIGIN`. */
  readonly origins: readonly string[];
  /** False: neither counted nor shown. */
  readonly enabled: boolean;
  /** Added to the visits that were counted. */
  readonly seed: number;
  /** Left text of its badge; undefined: the usual one. */
  readonly label: string | undefined;
}

export type CounterConfig = ReadonlyMap<CounterName, CounterSettings>;

/** True when a page of this origin may count and read; a request without `Origin` (a badge, a command) may. */
export function allowsOrigin({ origins }: CounterSettings, origin: string | undefined): boolean {
  return origin === undefined || origins.includes(origin) || origins.includes(ANY_ORIGIN);
}

/**
 * The day on which a visit counts: today, or the day after while a clock that is set back shows the day before again, so
 * that its counts are not lost.
 */
export function countedDay(stored: UtcDay, nowMs: number): UtcDay {
  const today = utcDay(nowMs);
  return stored === today || stored === utcDay(nowMs + DAY_MS) ? stored : today;
}
