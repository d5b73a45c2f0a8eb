// Analytics of an account: its counted requests and its responses, by day.
import type { AccountId } from '../accounts/account.js';
import { daysOf, reportDays } from '../platform/day-range.js';
import { NO_RESPONSES, type DayResponses } from './day-responses.js';
import { BUCKETS, type Bucket, type Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { ResponseHistory } from './response-history.js';
import type { UsageHistory } from './usage-history.js';

/**
 * Maximum number of slugs returned per day. The store keeps more slugs, because its counts are slightly inexact. If it
 * kept only this many, one of the most requested slugs could be missing.
 */
export const MAX_TOP_SLUGS = 10;

interface AnalyticsQuery {
  readonly accountId: AccountId;
  /**
   * Current UTC day, by the clock that decides on which day a request is counted. In the cluster, this is the Redis
   * server's clock, which may differ from the clock of this process.
   */
  readonly today: UtcDay;
  readonly from?: UtcDay | undefined;
  readonly to?: UtcDay | undefined;
}

interface UsageQuery extends AnalyticsQuery {
  readonly tier: Tier;
  readonly bucket?: Bucket | undefined;
}

type BucketCounts = Readonly<Partial<Record<Bucket, number>>>;

export type Analytics = ReturnType<typeof createAnalytics>;
export type UsageAnalytics = Awaited<ReturnType<Analytics['usage']>>;

interface Ports {
  readonly usage: Pick<UsageHistory, 'range'>;
  readonly responses: Pick<ResponseHistory, 'range'>;
}

/**
 * Both methods reject with AppError: `invalid_request` for an invalid range (`reportDays`), or `unavailable` if the
 * store cannot be reached.
 */
export function createAnalytics({ usage, responses }: Ports) {
  return {
    /** Returns all days of the range, oldest first. Each day has the counts of the requested buckets. */
    async usage({ accountId, today, tier, bucket, ...requested }: UsageQuery) {
      const range = reportDays(requested, today);
      const buckets = bucket === undefined ? BUCKETS : [bucket];
      const counted = new Map((await usage.range(accountId, range)).map(({ day, used }) => [day, used]));
      const days = daysOf(range).map((date) => {
        const used = counted.get(date);
        const ofBucket = (each: Bucket): number => used?.[each] ?? 0;
        return { date, total: sum(buckets.map(ofBucket)), buckets: byBucket(buckets, ofBucket) };
      });
      const totals = byBucket(buckets, (each) => sum(days.map((day) => day.buckets[each] ?? 0)));
      return { ...range, tier, totals, days };
    },

    async responses({ accountId, today, ...requested }: AnalyticsQuery) {
      const range = reportDays(requested, today);
      const found = new Map((await responses.range(accountId, range)).map((day) => [day.day, day]));
      const days = daysOf(range).map((date) => {
        const { responses: counted, slugs }: DayResponses = found.get(date) ?? NO_RESPONSES;
        return { date, responses: counted, topSlugs: slugs.slice(0, MAX_TOP_SLUGS) };
      });
      return { ...range, days };
    },
  };
}

function byBucket(buckets: readonly Bucket[], countOf: (bucket: Bucket) => number): BucketCounts {
  return Object.fromEntries(buckets.map((bucket) => [bucket, countOf(bucket)]));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
