// Searches an account's own brands and the catalog, and merges the results. The merged result has one order, one total
// and one cursor.
import { createHash } from 'node:crypto';
import { MAX_FACET_VALUES } from './page.js';
import {
  canonicalQuery,
  type Facet,
  type InvalidQuery,
  type SearchOutcome,
  type SearchPage,
  type SearchQuery,
  type SearchResult,
} from './query.js';

/** Start of a page in both searches: number of own brands on earlier pages, and cursor of the catalog's results. */
interface Place {
  readonly own: number;
  /** Cursor of the catalog's results. Undefined on the first page. Null if the catalog has no more results. */
  readonly others: string | null | undefined;
}

interface Searches {
  /** Results of the search in own brands, from the first result to the end of this page. */
  readonly own: SearchPage;
  /** Returns the page of catalog results that follows this cursor. */
  readonly others: (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<SearchOutcome>;
}

/** Returns a hash of the query and of `state`. `state` changes whenever the own brands change. */
function fingerprint(query: SearchQuery, state: string): string {
  return createHash('sha256')
    .update(`${canonicalQuery(query)} ${state}`)
    .digest('base64url')
    .slice(0, 12);
}

/**
 * Parses the cursor of the query. `state`: changes whenever the own brands change. Never throws: for an invalid cursor,
 * returns a reason.
 */
export function placeOf(query: SearchQuery, state: string): Place | InvalidQuery {
  if (query.cursor === undefined) return { own: 0, others: undefined };
  const text = Buffer.from(query.cursor, 'base64url').toString('latin1');
  const parts = /^own\.([\w-]{12})\.(\d{1,7})\.(end|[\w-]{0,200})$/.exec(text);
  const reject = (reason: string): InvalidQuery => ({ kind: 'invalid', field: 'cursor', reason });
  if (!parts) return reject('is not a cursor of this search');
  if (parts[1] !== fingerprint(query, state))
    return reject(
      'belongs to another search, or own brands have changed since the cursor was created; start again without a cursor',
    );
  const [, , own, rest] = parts;
  const others = rest === 'end' ? null : rest === '' ? undefined : rest;
  return { own: Number(own), others };
}

function cursorOf(query: SearchQuery, state: string, { own, others }: Place): string {
  const rest = others === null ? 'end' : (others ?? '');
  return Buffer.from(`own.${fingerprint(query, state)}.${own}.${rest}`).toString('base64url');
}

const NONE: SearchPage = { total: 0, results: [], facets: { category: [], license: [] }, nextCursor: null };

/**
 * Merges the results of both searches by score. Among equal scores, own brands come first. If results with all words of
 * the query exist in only one of the two searches, omits the results of the other search.
 */
export async function mergeOwn(
  query: SearchQuery,
  { place, state }: { readonly place: Place; readonly state: string },
  searches: Searches,
): Promise<SearchOutcome> {
  const { limit } = query;
  const outcome = await searches.others({ limit, cursor: place.others ?? undefined });
  if (outcome.kind !== 'page') return outcome;
  const { own, others } = fullOnly(searches.own, outcome.page);
  const ended = place.others === null || others === NONE;
  const merged = merge(own.results.slice(place.own), ended ? [] : others.results, limit);
  const taken = { own: merged.filter((result) => result.own === true).length, others: 0 };
  taken.others = merged.length - taken.own;
  const next = {
    own: place.own + taken.own,
    others: ended ? null : await cursorAfter(taken.others, { page: others, place, searches }),
  };
  const isMore = next.own < own.total || next.others !== null;
  return {
    kind: 'page',
    page: {
      total: own.total + others.total,
      results: merged,
      facets: {
        category: sumOf(own.facets.category, others.facets.category),
        license: sumOf(own.facets.license, others.facets.license),
      },
      nextCursor: isMore ? cursorOf(query, state, next) : null,
    },
  };
}

function fullOnly(own: SearchPage, others: SearchPage): { readonly own: SearchPage; readonly others: SearchPage } {
  const isPartial = ({ results }: SearchPage): boolean => results.some(({ match }) => match.partial === true);
  const [ownPartial, othersPartial] = [isPartial(own), isPartial(others)];
  return {
    own: ownPartial && !othersPartial && others.total > 0 ? NONE : own,
    others: othersPartial && !ownPartial && own.total > 0 ? NONE : others,
  };
}

function merge(own: readonly SearchResult[], others: readonly SearchResult[], limit: number): readonly SearchResult[] {
  const merged: SearchResult[] = [];
  for (let [ownAt, othersAt] = [0, 0]; merged.length < limit;) {
    const [mine, theirs] = [own[ownAt], others[othersAt]];
    if (mine !== undefined && (theirs === undefined || mine.score >= theirs.score)) {
      merged.push({ ...mine, own: true });
      ownAt++;
    } else if (theirs !== undefined) {
      merged.push(theirs);
      othersAt++;
    } else break;
  }
  return merged;
}

interface Taken {
  readonly page: SearchPage;
  readonly place: Place;
  readonly searches: Searches;
}

/** Returns the cursor for the catalog results that follow the first `count` results of `page`. */
async function cursorAfter(count: number, { page, place, searches }: Taken): Promise<string | null | undefined> {
  if (count === page.results.length) return page.nextCursor;
  if (count === 0) return place.others;
  const outcome = await searches.others({ limit: count, cursor: place.others ?? undefined });
  return outcome.kind === 'page' ? outcome.page.nextCursor : null;
}

function sumOf(one: Facet, other: Facet): Facet {
  const counts = new Map(one.map(({ value, count }) => [value, count]));
  for (const { value, count } of other) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}
