// Search query and result page, and the cursor of the next page.
import { createHash } from 'node:crypto';

export interface SearchQuery {
  /** 1..100 characters of any script. */
  readonly q?: string | undefined;
  /** A category in lower-case kebab. */
  readonly category?: string | undefined;
  /** A license's `type`, in any case. */
  readonly license?: string | undefined;
  /** The name of a variant that a result must have. */
  readonly variant?: string | undefined;
  /** Three or six hex digits, with or without `#`: entries with a color near it, nearest first. */
  readonly color?: string | undefined;
  /** Slugs that are no results. */
  readonly without?: ReadonlySet<string> | undefined;
  /** Results of a page, 1..100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** `typo`: a name that is like what was typed. */
export type MatchField = 'slug' | 'title' | 'alias' | 'domain' | 'category' | 'license' | 'variant' | 'color' | 'typo';

/** The text that matched. `ranges` are UTF-16 offsets [start, end) in `value`, ascending, apart from each other. */
export interface Match {
  readonly field: MatchField;
  readonly value: string;
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Nothing has all words of the query: it has some of them. */
  readonly partial?: true;
}

export interface SearchResult {
  readonly slug: string;
  readonly title: string;
  readonly hex: string | null;
  readonly categories: readonly string[];
  readonly domain: string | null;
  readonly variants: readonly string[];
  /** One of the account's own brands. */
  readonly own?: true;
  /** 0..1, never rising down the list. */
  readonly score: number;
  readonly match: Match;
}

/** Most frequent first, at most 50 values. */
export type Facet = readonly { readonly value: string; readonly count: number }[];

export interface SearchPage {
  /** All matches, not those of the page. */
  readonly total: number;
  readonly results: readonly SearchResult[];
  readonly facets: { readonly category: Facet; readonly license: Facet };
  readonly nextCursor: string | null;
}

/** `cursor`: not one of ours, of another query, or of a catalog that has changed since: start again without it. */
export interface InvalidQuery {
  readonly kind: 'invalid';
  readonly field: 'cursor' | 'color';
  readonly reason: string;
}

export type SearchOutcome = { readonly kind: 'page'; readonly page: SearchPage } | InvalidQuery;

/** The same for every spelling of the same search, whatever its page. */
export function canonicalQuery(query: SearchQuery): string {
  const { q, category, license, variant, color } = query;
  return JSON.stringify([q?.trim(), category, license?.toLowerCase(), variant, color?.replace('#', '').toLowerCase()]);
}

const fingerprint = (query: SearchQuery) =>
  createHash('sha256').update(canonicalQuery(query)).digest('base64url').slice(0, 12);

/** `lastKey` is the order key of the last result of the page. Opaque to callers: base64url. */
export function writeCursor(query: SearchQuery, generation: number, lastKey: number): string {
  return Buffer.from(`${generation}.${lastKey}.${fingerprint(query)}`).toString('base64url');
}

/** The key after which the page begins, -1 for the first page. Never throws: a bad cursor is an outcome. */
export function readCursor(query: SearchQuery, generation: number): number | InvalidQuery {
  const reject = (reason: string): InvalidQuery => ({ kind: 'invalid', field: 'cursor', reason });
  if (query.cursor === undefined) return -1;
  const parts = /^(\d{1,15})\.(\d{1,16})\.([\w-]{12})$/.exec(Buffer.from(query.cursor, 'base64url').toString('latin1'));
  if (!parts) return reject('is not a cursor of this service');
  if (parts[3] !== fingerprint(query))
    return reject('belongs to another search; send it with the parameters it was given for');
  if (Number(parts[1]) !== generation) return reject('the catalog has changed since; start again without it');
  return Number(parts[2]);
}
