// Responses to an account on one day: counts by status class, and the most requested slugs.
import type { Slug } from '../platform/web/slug.js';

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** Maximum number of slugs stored per account and day. */
export const MAX_COUNTED_SLUGS = 32;

export interface SlugCount {
  readonly slug: Slug;
  /** Estimated number of requests. The real number is never lower. */
  readonly requests: number;
}

export interface DayResponses {
  readonly responses: Readonly<Record<StatusClass, number>>;
  /** At most `MAX_COUNTED_SLUGS` slugs, most requests first. */
  readonly slugs: readonly SlugCount[];
}

export const NO_RESPONSES: DayResponses = { responses: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }, slugs: [] };

/**
 * Counts a slug in a Misra-Gries summary ("Finding repeated elements", 1982), which has a constant size. Counts are
 * exact for up to `MAX_COUNTED_SLUGS` different slugs. With more slugs, each count is too low by at most 1/33 of all
 * counted requests. A call takes constant time on average.
 */
export function countSlug(counts: Map<Slug, number>, slug: Slug): void {
  const known = counts.get(slug);
  if (known !== undefined || counts.size < MAX_COUNTED_SLUGS) {
    counts.set(slug, (known ?? 0) + 1);
    return;
  }
  for (const [other, requests] of counts) {
    if (requests === 1) counts.delete(other);
    else counts.set(other, requests - 1);
  }
}

/**
 * Adds the counts of two summaries. The error bound of `countSlug` also holds for the result ("Mergeable summaries",
 * PODS 2012).
 */
export function mergeResponses(one: DayResponses, other: DayResponses): DayResponses {
  const classes = STATUS_CLASSES.map((name) => [name, one.responses[name] + other.responses[name]]);
  return {
    responses: Object.fromEntries(classes) as Record<StatusClass, number>,
    slugs: mergeSlugs(one.slugs, other.slugs),
  };
}

function mergeSlugs(one: readonly SlugCount[], other: readonly SlugCount[]): SlugCount[] {
  const sums = new Map(one.map(({ slug, requests }) => [slug, requests]));
  for (const { slug, requests } of other) sums.set(slug, (sums.get(slug) ?? 0) + requests);
  const sorted = slugCounts(sums);
  const excess = sorted[MAX_COUNTED_SLUGS]?.requests ?? 0;
  return sorted
    .slice(0, MAX_COUNTED_SLUGS)
    .flatMap(({ slug, requests }) => (requests > excess ? [{ slug, requests: requests - excess }] : []));
}

export function slugCounts(counts: ReadonlyMap<Slug, number>): SlugCount[] {
  return [...counts]
    .map(([slug, requests]) => ({ slug, requests }))
    .sort((one, other) => other.requests - one.requests || (one.slug < other.slug ? -1 : 1));
}
