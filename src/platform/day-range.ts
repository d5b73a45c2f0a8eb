// Day range of a report: defaults and limits.
import { invalidField } from './errors.js';
import { DAY_MS } from './time.js';
import { addDays, USAGE_KEPT_DAYS, utcDay, type UtcDay } from './utc-day.js';

export const MAX_RANGE_DAYS = 366;
export const DEFAULT_RANGE_DAYS = 30;

/** Range of days. Both days are included. */
export interface DayRange {
  readonly from: UtcDay;
  readonly to: UtcDay;
}

export const ALL_DAYS: DayRange = { from: '0000-01-01' as UtcDay, to: '9999-12-31' as UtcDay };

interface RequestedDays {
  readonly from?: UtcDay | undefined;
  readonly to?: UtcDay | undefined;
}

/**
 * Returns the range of days. By default, it ends today and has 30 days, or fewer if fewer days are kept. Throws
 * AppError `invalid_request` with the field and the allowed days.
 */
export function reportDays({ from, to }: RequestedDays, today: UtcDay): DayRange {
  const oldest = addDays(today, -USAGE_KEPT_DAYS);
  for (const [field, day] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (day === undefined) continue;
    if (day > today) throw invalidField(field, `in the future; today is ${today} (UTC)`, `${oldest}..${today}`);
    if (day < oldest)
      throw invalidField(
        field,
        `earlier than the ${USAGE_KEPT_DAYS} days for which usage is kept`,
        `${oldest}..${today}`,
      );
  }
  const last = to ?? today;
  const earliest = later(oldest, addDays(last, 1 - MAX_RANGE_DAYS));
  const first = from ?? later(oldest, addDays(last, 1 - DEFAULT_RANGE_DAYS));
  if (first > last) throw invalidField('from', 'later than `to`', `${earliest}..${last}`);
  if (first < earliest) throw invalidField('from', `more than ${MAX_RANGE_DAYS} days`, `${earliest}..${last}`);
  return { from: first, to: last };
}

export function daysOf({ from, to }: DayRange): UtcDay[] {
  const fromMs = Date.parse(from);
  const count = (Date.parse(to) - fromMs) / DAY_MS + 1;
  return Array.from({ length: count }, (_, at) => utcDay(fromMs + at * DAY_MS));
}

function later(one: UtcDay, other: UtcDay): UtcDay {
  return one > other ? one : other;
}
