// Usage counters of an account and day: one for each bucket, and one for each publishable key.
import { BUCKETS, type Bucket } from '../accounts/plan.js';

export const KEY_COUNTER_PREFIX = 'key-';
export type KeyCounter = `${typeof KEY_COUNTER_PREFIX}${string}`;
export type UsageCounter = Bucket | KeyCounter;

/** Counter of the publishable key with this id. */
export function keyCounter(id: string): KeyCounter {
  return `${KEY_COUNTER_PREFIX}${id}`;
}

function isBucket(name: string): name is Bucket {
  return (BUCKETS as readonly string[]).includes(name);
}

export function isUsageCounter(name: string): name is UsageCounter {
  return isBucket(name) || name.startsWith(KEY_COUNTER_PREFIX);
}

/** An absent one is zero. */
export type CounterValues = Readonly<Partial<Record<UsageCounter, number>>>;

export function counterEntries(values: CounterValues): readonly (readonly [UsageCounter, number])[] {
  return Object.entries(values) as [UsageCounter, number][];
}

export function bucketEntries(values: CounterValues): readonly (readonly [Bucket, number])[] {
  return counterEntries(values).flatMap(([name, value]) => (isBucket(name) ? [[name, value] as const] : []));
}

/** Every bucket, and the publishable keys that were used, by their id. */
export function usedOf(values: CounterValues) {
  const used = Object.fromEntries(BUCKETS.map((bucket) => [bucket, values[bucket] ?? 0])) as Record<Bucket, number>;
  const ofKeys = counterEntries(values).filter(([name]) => !isBucket(name));
  const usedByKey = Object.fromEntries(
    ofKeys.map(([name, value]) => [name.slice(KEY_COUNTER_PREFIX.length), value] as const),
  );
  return { used, usedByKey };
}

/** One daily limit, and what is counted against it. */
export interface QuotaUse {
  /** Null is unlimited. */
  readonly limit: number | null;
  readonly used: number;
}

/** How many more are within the limit. */
export function remaining({ limit, used }: QuotaUse): number {
  return limit === null ? Infinity : Math.max(0, limit - used);
}

/** Counters of an admission; without `key`, it is one of the API key. */
export interface CountedQuotas {
  readonly bucket: QuotaUse;
  /** Quota of the publishable key. */
  readonly key: QuotaUse | undefined;
}

/** A publishable key with a limit of its own leaves the last tenth of each bucket to the API key. */
function sharedLimit(limit: number | null): number | null {
  return limit === null ? null : limit - Math.floor(limit / 10);
}

/** A holder of a publishable key learns of its own limit only. */
export function shownQuota({ bucket, key }: CountedQuotas): QuotaUse & { readonly of: 'bucket' | 'key' } {
  return key
    ? { of: 'key', limit: key.limit, used: key.used }
    : { of: 'bucket', limit: bucket.limit, used: bucket.used };
}

/** The one with less than `units` left; `account`: the bucket behind a publishable key. */
export function exceededQuota(
  { bucket, key }: CountedQuotas,
  units: number,
): (QuotaUse & { readonly of: 'bucket' | 'key' | 'account' }) | undefined {
  if (key && remaining(key) < units) return { of: 'key', limit: key.limit, used: key.used };
  const { limit, used } = bucket;
  const left = remaining({ limit: key && key.limit !== null ? sharedLimit(limit) : limit, used });
  return left < units ? { of: key ? 'account' : 'bucket', limit, used } : undefined;
}
