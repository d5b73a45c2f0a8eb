// In-memory search index of one version of the catalog: matching, filters, facets, sorting and pages.
import { nearestColor, oklabOf, paletteDistances } from './color-distance.js';
import { NAME, type SearchData, type SearchDocument } from './documents.js';
import type { SharedLists } from './shared-lists.js';
import { explain, full } from './highlight.js';
import { createMatcher, type Matcher, type Matches } from './matcher.js';
import { readHostQuery, type HostQuery } from '../catalog/host-query.js';
import { domainOf, matchHost, type FindHostOwner } from './host-matches.js';
import { nearNames } from './near-names.js';
import { facet, smallest } from './page.js';
import {
  readCursor,
  writeCursor,
  type InvalidQuery,
  type Match,
  type SearchOutcome,
  type SearchPage,
  type SearchQuery,
} from './query.js';
import type { Steps } from '../platform/concurrency/time-slices.js';
import { documentOf, findTerm, flagsOf } from './inverted-index.js';
import { partsOf, withoutNoise } from './relaxed-query.js';
import { documentOfKey, groupOf, groupOfKey, orderKey, scoreOf, tierOfGroup, TIER } from './ranking.js';
import { tokenize, type TokenizedText } from '../platform/text/tokenize.js';

export interface NamedEntry {
  readonly slug: string;
  readonly field: 'slug' | 'title' | 'alias' | 'shortForm';
  /** Position by fame in the catalog. 0 is the best known entry. */
  readonly rank: number;
}

export type SearchIndex = ReturnType<typeof createSearchIndex>;

const INVALID_COLOR: InvalidQuery = { kind: 'invalid', field: 'color', reason: 'must be three or six hex digits' };

export function createSearchIndex(data: SearchData, generation: number, findHostOwner: FindHostOwner) {
  const match = createMatcher(data);
  const into: Selected = {
    keys: new Float64Array(data.documents.length),
    documents: new Uint32Array(data.documents.length),
  };
  return {
    generation,

    /**
     * Searches. Never throws: for an invalid cursor or color, returns a reason. Yields between passes over the index.
     * All searches use the same working memory, so a search must end before the next one starts.
     */
    *search(query: SearchQuery): Steps<SearchOutcome> {
      const after = readCursor(query, generation);
      if (typeof after !== 'number') return after;
      const color = colorOrder(data, query.color);
      if (color === 'invalid') return INVALID_COLOR;
      const asked = query.q === undefined ? undefined : (readHostQuery(query.q) ?? tokenize(query.q));
      const found =
        asked && ('any' in asked ? foundByHost(data, asked, findHostOwner) : yield* forgivingMatch(match, asked));
      const selected = select({ data, query, match: found?.matches, color, into });
      return { kind: 'page', page: pageOf({ data, query, found, color, selected, after, generation }) };
    },

    /** Returns at most three slugs of entries with a similar name. */
    near: (name: string): readonly string[] => nearNames(data, name),

    /** Returns entries with exactly this name, sorted by the field that contains it, then by fame. */
    named: (name: string): readonly NamedEntry[] => namedEntries(data, name),
  };
}

interface Found {
  /** The whole query, or the part of the query that was searched for. */
  readonly text: TokenizedText;
  readonly matches: Matches;
  readonly isPartial: boolean;
  /** The parsed query, if it is a host. */
  readonly host?: HostQuery;
}

function foundByHost(data: SearchData, host: HostQuery, findHostOwner: FindHostOwner): Found {
  const matches = matchHost(data, host, findHostOwner(host));
  return { text: tokenize(host.names[0] ?? host.any), matches, isPartial: false, host };
}

/** Returns true if the query is a full name, a numeronym ("k8s") or a kind. */
const isNamed = ({ best }: Matches): boolean => best <= groupOf(TIER.kind, Infinity);

/**
 * Searches for the query as typed. If it is not a name, omits meaningless words. If no entry has all words, searches
 * for the longest part that is a name, then for the longest part with any match. Yields before each pass except the
 * first.
 */
function* forgivingMatch(match: Matcher, query: TokenizedText): Steps<Found> {
  const typed = match(query);
  if (isNamed(typed)) return { text: query, matches: typed, isPartial: false };
  const text = withoutNoise(query) ?? query;
  if (text === query && typed.count > 0) return { text, matches: typed, isPartial: false };
  if (text !== query) {
    yield;
    const matches = match(text);
    if (matches.count > 0) return { text, matches, isPartial: false };
  }
  for (const isGood of [isNamed, ({ count }: Matches) => count > 0]) {
    for (const part of partsOf(text)) {
      yield;
      const matches = match(part, 'whole-words');
      if (isGood(matches)) return { text: part, matches, isPartial: true };
    }
  }
  yield;
  return { text, matches: match(text), isPartial: false };
}

type ColorOrder = Exclude<ReturnType<typeof colorOrder>, 'invalid' | undefined>;

/**
 * Number of steps between the color distances 0 and 1. Distances are rounded to steps, so that colors of almost equal
 * distance are ordered by fame.
 */
const COLOR_STEPS = 10_000;
/**
 * Maximum OKLab distance between the given color and a matching color. A distance of 0.02 is noticeable. Shades of one
 * color are closer than the maximum. Neighboring hues have larger distances (red and orange: 0.17).
 */
const MAX_COLOR_DISTANCE = 0.12;
/** Factor for the score of an entry that has only some words of the query. */
const PARTIAL_SCORE = 0.4;

function colorOrder({ colors }: SearchData, color: string | undefined) {
  if (color === undefined) return undefined;
  const lab = oklabOf(color);
  if (!lab) return 'invalid';
  const distances = paletteDistances(colors, lab);
  const nearest = (document: number): number => nearestColor(colors, distances, document) ?? -1;
  return {
    distanceOf: (document: number): number | undefined => distances[nearest(document)],
    hexOf: (document: number): string => colors.palette[nearest(document)]?.hex ?? '',
  };
}

interface Selection {
  readonly data: SearchData;
  readonly query: SearchQuery;
  readonly match: Matches | undefined;
  readonly color: ColorOrder | undefined;
  readonly into: Selected;
}

/** Sort keys and document numbers of all results. The results are not sorted yet. */
interface Selected {
  readonly keys: Float64Array;
  readonly documents: Uint32Array;
}

function select({ data, query, match, color, into }: Selection): Selected {
  const passes = filterOf(data, query);
  let count = 0;
  const total = match ? match.count : data.documents.length;
  for (let at = 0; at < total; at++) {
    const document = match ? (match.documents[at] ?? 0) : at;
    if (passes?.(document) === false) continue;
    const distance = color ? color.distanceOf(document) : 0;
    if (distance === undefined || distance > MAX_COLOR_DISTANCE) continue;
    const group = color ? Math.round(distance * COLOR_STEPS) : (match?.groupOf(document) ?? 0);
    into.keys[count] = orderKey(group, document);
    into.documents[count++] = document;
  }
  return { keys: into.keys.subarray(0, count), documents: into.documents.subarray(0, count) };
}

function filterOf(data: SearchData, query: SearchQuery): ((document: number) => boolean) | undefined {
  const { without } = query;
  const filters = [
    without && ((document: number) => !without.has(data.documents[document]?.slug ?? '')),
    listFilter(data.categories, query.category, (one, wanted) => one === wanted),
    listFilter(data.variants, query.variant, (one, wanted) => one === wanted),
    listFilter(data.licenses, query.license, (one, wanted) => one.toLowerCase() === wanted.toLowerCase()),
  ].filter((each) => each !== undefined);
  return filters.length === 0 ? undefined : (document) => filters.every((passes) => passes(document));
}

function listFilter(
  { lists, numbers }: SharedLists,
  wanted: string | undefined,
  same: (one: string, wanted: string) => boolean,
) {
  if (wanted === undefined) return undefined;
  const passing = Uint8Array.from(lists, (list) => (list.some((one) => same(one, wanted)) ? 1 : 0));
  return (document: number) => passing[numbers[document] ?? 0] === 1;
}

interface PageRequest {
  readonly data: SearchData;
  readonly query: SearchQuery;
  readonly found: Found | undefined;
  readonly color: ColorOrder | undefined;
  readonly selected: Selected;
  readonly after: number;
  readonly generation: number;
}

function pageOf(request: PageRequest): SearchPage {
  const { data, query, selected, generation } = request;
  const { page, more } = smallest(selected.keys, request.after, query.limit);
  const last = page.at(-1);
  return {
    total: selected.keys.length,
    results: page.map((key) => resultOf(request, key)),
    facets: { category: facet(data.categories, selected.documents), license: facet(data.licenses, selected.documents) },
    nextCursor: more && last !== undefined ? writeCursor(query, generation, last) : null,
  };
}

function resultOf(request: PageRequest, key: number): SearchPage['results'][number] {
  const number = documentOfKey(key);
  const document = request.data.documents[number];
  if (!document) throw new Error(`the search index has no document ${number}`);
  const { slug, title, hex, categories, domain, variants } = document;
  const group = groupOfKey(key);
  const partial = request.found?.isPartial === true ? PARTIAL_SCORE : 1;
  const score = request.color
    ? Math.max(0, Math.round((1 - group / COLOR_STEPS) * 10_000) / 10_000)
    : Math.round(scoreOf(group) * partial * 10_000) / 10_000;
  return { slug, title, hex, categories, domain, variants, score, match: matchOf(request, number, document) };
}

function matchOf(request: PageRequest, number: number, document: SearchDocument): Match {
  const { query, found, color } = request;
  if (found) {
    const { text, matches, isPartial, host } = found;
    const domain = host && tierOfGroup(matches.groupOf(number)) === TIER.domain ? domainOf(document, host) : undefined;
    if (domain !== undefined) return full('domain', domain);
    const match = explain(document, { query: text, group: matches.groupOf(number), kinds: request.data.kinds });
    return isPartial ? { ...match, partial: true } : match;
  }
  if (color) return full('color', color.hexOf(number));
  if (query.category !== undefined) return full('category', query.category);
  if (query.license !== undefined) return full('license', document.license);
  return full('variant', query.variant ?? '');
}

function namedEntries(data: SearchData, name: string): readonly NamedEntry[] {
  const term = findTerm(data.names, tokenize(name).normalized);
  if (term === undefined) return [];
  const fields = ['slug', 'title', 'alias', 'shortForm'] as const;
  const postings = [...data.names.postings.subarray(data.names.offsets[term], data.names.offsets[term + 1])];
  return fields.flatMap((field) =>
    postings
      .filter((posting) => flagsOf(posting) === NAME[field])
      .map((posting) => ({ slug: data.documents[documentOf(posting)]?.slug ?? '', field, rank: documentOf(posting) })),
  );
}
