// Readable names of the quota buckets.
import type { UsageReport } from './queries.js';

export type Bucket = keyof UsageReport['endpoints'];

export const BUCKET_NAMES: Readonly<Record<Bucket, string>> = {
  svg: 'SVG pictures',
  png: 'PNG pictures',
  webp: 'WebP pictures',
  catalog: 'Catalog entries',
  search: 'Searches',
  domain: 'Domain lookups',
  batch: 'Batch lookups',
};
export const BUCKETS = Object.keys(BUCKET_NAMES) as Bucket[];
