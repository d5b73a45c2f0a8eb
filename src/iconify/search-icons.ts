// Search of the Iconify protocol. Whole keywords rank before parts of keywords. Short names rank before long names.
import { lengthWithoutTheme, type IconGroup, type IconSet } from './icon-set.js';
import type { KeywordIndex, SearchedSet } from './keyword-index.js';
import { createSlice, type Steps } from '../platform/concurrency/time-slices.js';
import { readSearchWords, type Reading } from './search-words.js';

export interface IconQuery {
  readonly text: string;
  readonly limit: number;
  /**
   * If true, returns all results that were found, even more than `limit`. If false, returns at most `limit` results.
   */
  readonly isSoftLimit: boolean;
  /**
   * Allowed prefixes of sets; undefined allows all prefixes. An item that ends with a dash (`mdi-`) allows all prefixes
   * that start with the item.
   */
  readonly prefixes: readonly string[] | undefined;
  /** Category of the sets to search; undefined searches all sets. */
  readonly category: string | undefined;
  /** If true, the last word may be a part of a keyword. */
  readonly allowsPartial: boolean;
}

export type IconResults =
  | { readonly kind: 'found'; readonly names: readonly string[]; readonly sets: readonly IconSet[] }
  | { readonly kind: 'style' };

interface Match {
  readonly name: string;
  readonly set: IconSet;
}

interface Search {
  readonly index: KeywordIndex;
  readonly query: IconQuery;
  readonly sets: readonly SearchedSet[];
  /** Rank → matches. Whole keywords rank before parts of keywords, then short names before long names. */
  readonly matches: Match[][];
  readonly found: Set<IconGroup>;
  readonly isOver: ReturnType<typeof createSlice>;
}

/**
 * Added to the rank of matches of partial keywords. It is greater than the length of any name, so that these matches
 * rank after all matches of whole keywords.
 */
const PARTIAL_RANK = 10_000;

const NOTHING: IconResults = { kind: 'found', names: [], sets: [] };

/** Searches the icon sets. Yields whenever the time slice is over. */
export function* searchIcons(index: KeywordIndex, query: IconQuery): Steps<IconResults> {
  const words = readSearchWords(query.text, query.allowsPartial);
  if (words.kind === 'style') return words;
  if (words.kind === 'nothing') return NOTHING;
  const { palette } = words;
  const sets = [...index.sets.values()].filter(
    ({ set: { prefix, info } }) =>
      (palette === undefined || info?.palette === palette) &&
      (query.category === undefined || info?.category === query.category) &&
      (query.prefixes === undefined || isAmong(prefix, query.prefixes)),
  );
  const search: Search = { index, query, sets, matches: [], found: new Set(), isOver: createSlice() };
  const readings = new Map<string, Reading>();
  for (const reading of words.readings) {
    const { keywords } = reading;
    // Charges the length of the text to the time slice, because the time to build a reading (an interpretation of the
    // text) is proportional to this length.
    if (search.isOver(query.text.length)) yield;
    // Repeated words cause many equal readings, which are stored once.
    if (keywords.every(index.has)) readings.set(JSON.stringify(reading), reading);
  }
  for (const reading of readings.values()) yield* matchReading(search, reading, reading.partial);
  if (search.found.size < query.limit) yield* completeReadings(search, [...readings.values()]);
  return results(search);
}

/** Returns true if a filter equals the prefix, or if the prefix starts with a filter that ends with a dash. */
export function isAmong(prefix: string, filters: readonly string[]): boolean {
  return filters.some((filter) => filter === prefix || (filter.endsWith('-') && prefix.startsWith(filter)));
}

function* completeReadings(search: Search, readings: readonly Reading[]): Steps<void> {
  const { index, query, found } = search;
  for (const reading of readings) {
    if (reading.partial === undefined) continue;
    for (const keyword of yield* index.completions(reading.partial, { suffixes: true }))
      yield* matchReading(search, reading, keyword, true);
    if (found.size >= query.limit) return;
  }
}

/**
 * Adds the icons that match a reading (an interpretation of the search text). `last`: whole keyword that replaces the
 * reading's partial keyword.
 */
function* matchReading(search: Search, reading: Reading, last: string | undefined, isPartial = false): Steps<void> {
  const keywords = last === undefined ? reading.keywords : [...reading.keywords, last];
  const contained = [...reading.contained, ...keywords];
  for (const { set, keywords: groupsOf } of search.sets) {
    if (reading.prefixes !== undefined && !isAmong(set.prefix, reading.prefixes)) continue;
    const [first, ...others] = keywords.map((keyword) => groupsOf.get(keyword));
    if (search.isOver(keywords.length)) yield;
    if (first === undefined || others.includes(undefined)) continue;
    for (const group of first) {
      if (search.isOver(keywords.length)) yield;
      if (search.found.has(group) || !others.every((groups) => groups?.has(group))) continue;
      addMatch(search, { group, set, match: matchNames(group, contained, set), isPartial });
      if (isPartial && search.found.size >= search.query.limit) return;
    }
  }
}

interface Candidate {
  readonly group: IconGroup;
  readonly set: IconSet;
  readonly match: ReturnType<typeof matchNames>;
  readonly isPartial: boolean;
}

function addMatch({ matches, found }: Search, { group, set, match, isPartial }: Candidate): void {
  if (match === undefined) return;
  found.add(group);
  const rank = match.length + (isPartial ? PARTIAL_RANK : 0);
  (matches[rank] ??= []).push({ name: match.name, set });
}

/**
 * Returns the first of the drawing's names that contains all parts, and the length by which search ranks the drawing.
 * This length does not count a theme in a name, such as `-outline`.
 */
function matchNames(
  { names, rankedLength }: IconGroup,
  contained: readonly string[],
  { themes }: IconSet,
): { readonly name: string; readonly length: number } | undefined {
  let length: number | undefined;
  for (const [index, name] of names.entries()) {
    if (index === 0 && name.includes(contained[0] ?? '')) length = rankedLength ?? name.length;
    if (index > 0 && name.includes(contained[0] ?? '')) length = lengthWithoutTheme(name, themes) ?? length;
    if (contained.every((part) => name.includes(part))) return { name, length: length ?? name.length };
  }
  return undefined;
}

function results({ matches, query: { limit, isSoftLimit } }: Search): IconResults {
  const ranked = matches.flat();
  const shown = isSoftLimit ? ranked : ranked.slice(0, limit);
  return {
    kind: 'found',
    names: shown.map(({ set, name }) => `${set.prefix}:${name}`),
    sets: [...new Set(shown.map(({ set }) => set))],
  };
}
