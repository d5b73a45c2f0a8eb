// Billing periods: steps of an interval from the anchor, in UTC, the last day of shorter months included.
import type { Price } from './objects.js';

const DAY_SECONDS = 86_400;

/** In seconds since the epoch, `steps` intervals after `anchor`. */
function stepFrom(anchor: number, { interval, interval_count: count }: Price['recurring'], steps: number): number {
  if (interval === 'day') return anchor + steps * count * DAY_SECONDS;
  if (interval === 'week') return anchor + steps * count * 7 * DAY_SECONDS;
  const start = new Date(anchor * 1000);
  const end = new Date(start);
  const months = steps * count * (interval === 'year' ? 12 : 1);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end.getTime() / 1000;
}

/** The first end of a period after `after`. */
export function nextPeriodEnd(anchor: number, recurring: Price['recurring'], after: number): number {
  let steps = 1;
  while (stepFrom(anchor, recurring, steps) <= after) steps += 1;
  return stepFrom(anchor, recurring, steps);
}
