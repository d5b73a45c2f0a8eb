// Search index of one catalog generation, in memory: matching, filters, facets, order and pages.
import type { Entry } from '../catalog/entry.js';
import { nearestColor, oklabOf, paletteDistances } from './color-distance.js';
import { collectDocuments, NAME, type SearchData, type SearchDocument, type SharedLists } from './documents.js';
import { explain, full } from './highlight.js';
import { createMatcher, type Matcher, type Matches } from './matcher.js';
import { facet, smallest } from './page.js';
import { readCursor, writeCursor, type Match, type SearchOutcome, type SearchPage, type SearchQuery } from './query.js';
import { finish, type Steps } from '../steps.js';
import { documentOf, findTerm, flagsOf } from './inverted-index.js';
import { partsOf, withoutNoise } from './forgiving.js';
import { documentOfKey, groupOf, groupOfKey, orderKey, scoreOf, TIER } from './ranking.js';
import { tokenize, type TokenizedText } from '../tokenize.js';

export interface SearchIndex {
  readonly generation: number;
  /** Never throws: a bad cursor or color is an outcome. */
  search(query: SearchQuery): SearchOutcome;
  /** The same; yields between passes over the index. A pass spoils the result of the one before, also of other searches. */
  searchSteps(query: SearchQuery): Steps<SearchOutcome>;
  /** The outcome of a query that is rejected; does no search. */
  rejection(query: SearchQuery): InvalidQuery | undefined;
  /** Entries with exactly this name, best field and best known first. */
  named(name: string): readonly NamedEntry[];
}

export interface NamedEntry {
  readonly slug: string;
  readonly field: 'slug' | 'title' | 'alias' | 'shortForm';
  /** Place in the catalog's order of fame, 0 is the best known. */
  readonly rank: number;
}

/** Add every entry, then finish; `finish` yields between steps of work, so that the caller can run other work. */
export function createSearchIndexBuilder() {
  const documents = collectDocuments();
  return {
    add: (entry: Entry) => documents.add(entry),
    *finish(generation: number): Generator<undefined, SearchIndex> {
      return searchIndexOf(yield* documents.finish(), generation);
    },
  };
}

type InvalidQuery = Extract<SearchOutcome, { kind: 'invalid' }>;

const INVALID_COLOR: InvalidQuery = { kind: 'invalid', field: 'color', reason: 'must be three or six hex digits' };

function searchIndexOf(data: SearchData, generation: number): SearchIndex {
  const match = createMatcher(data);
  const selection = {
    keys: new Float64Array(data.documents.length),
    documents: new Uint32Array(data.documents.length),
  };
  function* searchSteps(query: SearchQuery): Steps<SearchOutcome> {
    const cursor = readCursor(query, generation);
    if (cursor.kind === 'invalid') return cursor;
    const text = query.q === undefined ? undefined : tokenize(query.q);
    const color = colorOrder(data, query.color);
    if (color === 'invalid') return INVALID_COLOR;
    const found = text && (yield* forgivingMatch(match, text));
    const selected = select({ data, query, match: found?.matches, color, into: selection });
    return { kind: 'page', page: pageOf({ data, query, found, color, selected, after: cursor.key, generation }) };
  }

  return {
    generation,
    search: (query) => finish(searchSteps(query)),
    searchSteps,
    rejection(query) {
      const cursor = readCursor(query, generation);
      if (cursor.kind === 'invalid') return cursor;
      return query.color !== undefined && !oklabOf(query.color) ? INVALID_COLOR : undefined;
    },
    named: (name) => namedEntries(data, name),
  };
}

interface Found {
  /** What was searched for: the query, or a part of it. */
  readonly text: TokenizedText;
  readonly matches: Matches;
  readonly isPartial: boolean;
}

/** A name in full, or one that stands for it ("k8s"). */
const isNamed = ({ best }: Matches): boolean => best <= groupOf(TIER.numeronym, Infinity);

/**
 * The query as typed, when it is a name; else without words that say nothing; else, when nothing has all of its words,
 * the longest part of it that is a name, or that anything has. Yields before each pass but the first.
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
      const matches = match(part, 'as-typed');
      if (isGood(matches)) return { text: part, matches, isPartial: true };
    }
  }
  yield;
  return { text, matches: match(text), isPartial: false };
}

interface ColorOrder {
  readonly distanceOf: (document: number) => number | undefined;
  readonly hexOf: (document: number) => string;
}

/** Distances are cut to four digits, so that what looks alike is ordered by fame. */
const COLOR_STEPS = 10_000;
/** Factor of the score of a result that has a part of the query only. */
const PARTIAL_SCORE = 0.4;

function colorOrder(data: SearchData, color: string | undefined): ColorOrder | 'invalid' | undefined {
  if (color === undefined) return undefined;
  const lab = oklabOf(color);
  if (!lab) return 'invalid';
  const distances = paletteDistances(data.colors, lab);
  const nearest = (document: number) => nearestColor(data.colors, distances, document);
  return {
    distanceOf(document) {
      const color = nearest(document);
      return color === undefined ? undefined : distances[color];
    },
    hexOf: (document) => data.colors.palette[nearest(document) ?? -1]?.hex ?? '',
  };
}

interface Selection {
  readonly data: SearchData;
  readonly query: SearchQuery;
  readonly match: Matches | undefined;
  readonly color: ColorOrder | undefined;
  readonly into: Selected;
}

/** All results, in no order, by order key and by document. */
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
    if (distance === undefined) continue;
    const group = color ? Math.round(distance * COLOR_STEPS) : (match?.groupOf(document) ?? 0);
    into.keys[count] = orderKey(group, document);
    into.documents[count++] = document;
  }
  return { keys: into.keys.subarray(0, count), documents: into.documents.subarray(0, count) };
}

function filterOf(data: SearchData, query: SearchQuery): ((document: number) => boolean) | undefined {
  const filters = [
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
  if (!document) throw new Error(`search: no document ${number}`);
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
    const match = explain(document, found.text, found.matches.groupOf(number));
    return found.isPartial ? { ...match, partial: true } : match;
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
