// Buckets: groups of metered routes with a common usage counter.

/** Buckets in the order of the usage report. */
export const BUCKETS = ['svg', 'png', 'webp', 'catalog', 'search', 'domain', 'batch'] as const;
export type Bucket = (typeof BUCKETS)[number];
