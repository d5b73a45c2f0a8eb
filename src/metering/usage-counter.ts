// Usage counters per account and day: one per bucket, and one per publishable key.
import { BUCKETS, type Bucket } from '../accounts/plan.js';

export const KEY_COUNTER_PREFIX = 'key-';
export type KeyCounter = `${typeof KEY_COUNTER_PREFIX}${string}`;
export type UsageCounter = Bucket | KeyCounter;

export function keyCounter(id: string): KeyCounter {
  return `${KEY_COUNTER_PREFIX}${id}`;
}

function isBucket(name: string): name is Bucket {
  return (BUCKETS as readonly string[]).includes(name);
}

export function isUsageCounter(name: string): name is UsageCounter {
  return isBucket(name) || name.startsWith(KEY_COUNTER_PREFIX);
}

/** Counts by counter name. A missing counter is zero. */
export type CounterValues = Readonly<Partial<Record<UsageCounter, number>>>;

export function counterEntries(values: CounterValues): readonly (readonly [UsageCounter, number])[] {
  return Object.entries(values) as [UsageCounter, number][];
}

export function bucketEntries(values: CounterValues): readonly (readonly [Bucket, number])[] {
  return counterEntries(values).flatMap(([name, value]) => (isBucket(name) ? [[name, value] as const] : []));
}

/** Returns the counts by bucket, and the counts by id of the publishable key. Keys without requests are missing. */
export function usedOf(values: CounterValues) {
  const used = Object.fromEntries(BUCKETS.map((bucket) => [bucket, values[bucket] ?? 0])) as Record<Bucket, number>;
  const ofKeys = counterEntries(values).filter(([name]) => !isBucket(name));
  const usedByKey = Object.fromEntries(
    ofKeys.map(([name, value]) => [name.slice(KEY_COUNTER_PREFIX.length), value] as const),
  );
  return { used, usedByKey };
}

export interface QuotaUse {
  /** Requests per UTC day; null means unlimited. */
  readonly limit: number | null;
  readonly used: number;
}

export function remaining({ limit, used }: QuotaUse): number {
  return limit === null ? Infinity : Math.max(0, limit - used);
}

/** Quotas that count a request. `key`: quota of the publishable key; undefined if the request has an API key. */
export interface CountedQuotas {
  readonly bucket: QuotaUse;
  readonly key: QuotaUse | undefined;
}

/**
 * Returns the part of a bucket's limit that publishable keys with a daily limit may use. The last tenth is reserved for
 * the API key.
 */
function sharedLimit(limit: number | null): number | null {
  return limit === null ? null : limit - Math.floor(limit / 10);
}

/** Returns the quota that the client sees. The holder of a publishable key sees only the key's quota. */
export function shownQuota({ bucket, key }: CountedQuotas): QuotaUse & { readonly of: 'bucket' | 'key' } {
  return key
    ? { of: 'key', limit: key.limit, used: key.used }
    : { of: 'bucket', limit: bucket.limit, used: bucket.used };
}

/**
 * Returns the quota with fewer than `units` requests left, or undefined if all quotas have enough. If the account's
 * bucket rejects a request with a publishable key, `of` is `account` instead of `bucket`.
 */
export function exceededQuota(
  { bucket, key }: CountedQuotas,
  units: number,
): (QuotaUse & { readonly of: 'bucket' | 'key' | 'account' }) | undefined {
  if (key && remaining(key) < units) return { of: 'key', limit: key.limit, used: key.used };
  const { limit, used } = bucket;
  const left = remaining({ limit: key && key.limit !== null ? sharedLimit(limit) : limit, used });
  return left < units ? { of: key ? 'account' : 'bucket', limit, used } : undefined;
}
