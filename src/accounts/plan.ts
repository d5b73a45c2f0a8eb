// Plans: the limits of each tier. Daily limits are per bucket (group of routes). config/plans.json has the numbers.

import type { Bucket } from '../platform/http/buckets.js';

export { BUCKETS, type Bucket } from '../platform/http/buckets.js';

export const TIERS = ['free', 'pro', 'enterprise', 'internal'] as const;
export type Tier = (typeof TIERS)[number];

export interface Plan {
  /** Requests per UTC day by bucket; null means unlimited. */
  readonly daily: Readonly<Record<Bucket, number | null>>;
  /** Requests per second; null means no limit. After a pause, this many requests may arrive at once. */
  readonly burstPerSecond: number | null;
  /** Maximum number of own brands; null means unlimited. */
  readonly ownBrands: number | null;
  /**
   * Maximum number of sites per day whose icons the service fetches for an account; null means unlimited. A site
   * does not count if the service has fetched its icon before.
   */
  readonly siteIcons: number | null;
}

export type Plans = Readonly<Record<Tier, Plan>>;

/** Buckets of picture requests. Publishable keys can use only these. */
const PICTURE_BUCKETS = ['svg', 'png', 'webp'] as const;

/**
 * Returns the default daily limit of a publishable key: half of the sum of the daily limits of the picture buckets.
 * Returns null if none of these buckets has a limit.
 */
export function defaultKeyLimit({ daily }: Plan): number | null {
  const limits = PICTURE_BUCKETS.flatMap((bucket) => daily[bucket] ?? []);
  if (limits.length === 0) return null;
  return Math.max(1, Math.floor(limits.reduce((sum, limit) => sum + limit, 0) / 2));
}
