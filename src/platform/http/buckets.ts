// Buckets: the counters of metered routes.

/** Buckets in the order of the usage report. */
export const BUCKETS = ['svg', 'png', 'webp', 'catalog', 'search', 'domain', 'batch'] as const;
export type Bucket = (typeof BUCKETS)[number];
