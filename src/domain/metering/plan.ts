// Plans: tiers, buckets and their daily limits (the numbers are in config/plans.json).

/** In the order of the usage report. */
export const BUCKETS = ['svg', 'png', 'webp', 'catalog', 'search', 'domain', 'batch'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const TIERS = ['free', 'pro', 'enterprise', 'internal'] as const;
export type Tier = (typeof TIERS)[number];

export interface Plan {
  /** Requests per UTC day; null is unlimited. */
  readonly daily: Readonly<Record<Bucket, number | null>>;
  /** Token bucket per account: requests per second, and as many at once; null is none. */
  readonly burstPerSecond: number | null;
}

export type Plans = Readonly<Record<Tier, Plan>>;
