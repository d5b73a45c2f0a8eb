// Plans: tiers, buckets and their daily limits (the numbers are in config/plans.json).

import type { Bucket } from '../platform/http/buckets.js';

export { BUCKETS, type Bucket } from '../platform/http/buckets.js';

export const TIERS = ['free', 'pro', 'enterprise', 'internal'] as const;
export type Tier = (typeof TIERS)[number];

export interface Plan {
  /** Requests per UTC day; null means unlimited. */
  readonly daily: Readonly<Record<Bucket, number | null>>;
  /** Token bucket per account: requests per second, and the size of the burst; null means no limit. */
  readonly burstPerSecond: number | null;
  /** Maximum number of own brands; null means unlimited. */
  readonly ownBrands: number | null;
}

export type Plans = Readonly<Record<Tier, Plan>>;

/** Buckets of pictures, which publishable keys can use. */
const PICTURE_BUCKETS = ['svg', 'png', 'webp'] as const;

/**
 * Returns the default daily limit of a publishable key: half of a day's pictures, over the buckets with a limit.
 * Returns null if no bucket has a limit.
 */
export function defaultKeyLimit({ daily }: Plan): number | null {
  const limits = PICTURE_BUCKETS.flatMap((bucket) => daily[bucket] ?? []);
  if (limits.length === 0) return null;
  return Math.max(1, Math.floor(limits.reduce((sum, limit) => sum + limit, 0) / 2));
}
