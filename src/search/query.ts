// Search query, result page, and the cursor of the next page.
import { createHash } from 'node:crypto';

export interface SearchQuery {
  /** Search text, 1..100 characters of any script. */
  readonly q?: string | undefined;
  /** Category in lower kebab case. */
  readonly category?: string | undefined;
  /** `type` of a license, case-insensitive. */
  readonly license?: string | undefined;
  /** Name of a variant that each result must have. */
  readonly variant?: string | undefined;
  /** Color, three or six hex digits with or without `#`. Finds entries with a similar color, the most similar first. */
  readonly color?: string | undefined;
  readonly without?: ReadonlySet<string> | undefined;
  /** Number of results per page, 1..100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Field that matched. `typo` means that a name matched with typing errors. */
export type MatchField = 'slug' | 'title' | 'alias' | 'domain' | 'category' | 'license' | 'variant' | 'color' | 'typo';

/**
 * Text that matched. `ranges`: matching parts of `value`, as UTF-16 offsets [start, end). The ranges are ascending and
 * don't touch.
 */
export interface Match {
  readonly field: MatchField;
  readonly value: string;
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** True if the entry has only some words of the query. This happens only if no entry has all words. */
  readonly partial?: true;
}

export interface SearchResult {
  readonly slug: string;
  readonly title: string;
  readonly hex: string | null;
  readonly categories: readonly string[];
  readonly domain: string | null;
  readonly variants: readonly string[];
  /** True for an own brand of the account. */
  readonly own?: true;
  /** Score, 0..1. Results are sorted by descending score. */
  readonly score: number;
  readonly match: Match;
}

/** Values and how many results have each value, most frequent first, at most 50 values. */
export type Facet = readonly { readonly value: string; readonly count: number }[];

export interface SearchPage {
  /** Number of all matches, on all pages. */
  readonly total: number;
  readonly results: readonly SearchResult[];
  readonly facets: { readonly category: Facet; readonly license: Facet };
  readonly nextCursor: string | null;
}

/**
 * Reason why a query is rejected. A `cursor` is rejected if it is malformed, belongs to another query, or belongs to an
 * older catalog. The client must then start again without a cursor.
 */
export interface InvalidQuery {
  readonly kind: 'invalid';
  readonly field: 'cursor' | 'color';
  readonly reason: string;
}

export type SearchOutcome = { readonly kind: 'page'; readonly page: SearchPage } | InvalidQuery;

/**
 * Returns the same text for equivalent searches, for example with the colors `#FFF` and `fff`, and for all pages of a
 * search.
 */
export function canonicalQuery(query: SearchQuery): string {
  const { q, category, license, variant, color } = query;
  return JSON.stringify([q?.trim(), category, license?.toLowerCase(), variant, color?.replace('#', '').toLowerCase()]);
}

const fingerprint = (query: SearchQuery) =>
  createHash('sha256').update(canonicalQuery(query)).digest('base64url').slice(0, 12);

/** Returns an opaque cursor in base64url. `lastKey`: order key of the last result on the page. */
export function writeCursor(query: SearchQuery, generation: number, lastKey: number): string {
  return Buffer.from(`${generation}.${lastKey}.${fingerprint(query)}`).toString('base64url');
}

/**
 * Returns the order key after which the page begins, or -1 for the first page. Never throws: for an invalid cursor,
 * returns a reason.
 */
export function readCursor(query: SearchQuery, generation: number): number | InvalidQuery {
  const reject = (reason: string): InvalidQuery => ({ kind: 'invalid', field: 'cursor', reason });
  if (query.cursor === undefined) return -1;
  const parts = /^(\d{1,15})\.(\d{1,16})\.([\w-]{12})$/.exec(Buffer.from(query.cursor, 'base64url').toString('latin1'));
  if (!parts) return reject('is not a cursor of this service');
  if (parts[3] !== fingerprint(query))
    return reject('belongs to another search; send the parameters of that search with it');
  if (Number(parts[1]) !== generation)
    return reject('the catalog has changed since the cursor was created; start again without a cursor');
  return Number(parts[2]);
}
