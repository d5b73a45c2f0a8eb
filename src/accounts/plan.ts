// Plans: tiers, buckets and their daily limits (the numbers are in config/plans.json).

import type { Bucket } from '../platform/http/buckets.js';

export { BUCKETS, type Bucket } from '../platform/http/buckets.js';

export const TIERS = ['free', 'pro', 'enterprise', 'internal'] as const;
export type Tier = (typeof TIERS)[number];

export interface Plan {
  /** Requests per UTC day; null is unlimited. */
  readonly daily: Readonly<Record<Bucket, number | null>>;
  /** Token bucket per account: requests per second, and as many at once; null is none. */
  readonly burstPerSecond: number | null;
  /** Own brands of an account; null is unlimited. */
  readonly ownBrands: number | null;
}

export type Plans = Readonly<Record<Tier, Plan>>;

/** Buckets of pictures, which publishable keys open. */
const PICTURE_BUCKETS = ['svg', 'png', 'webp'] as const;

/** Half of the pictures of a day, of the buckets that have a limit: for a publishable key of which none was said. Null: none has one. */
export function defaultKeyLimit({ daily }: Plan): number | null {
  const limits = PICTURE_BUCKETS.flatMap((bucket) => daily[bucket] ?? []);
  if (limits.length === 0) return null;
  return Math.max(1, Math.floor(limits.reduce((sum, limit) => sum + limit, 0) / 2));
}
