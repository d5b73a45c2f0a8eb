// Keyword index of all icon sets, which Iconify's search and completion use. Keywords are the parts of names between
// dashes.
import { LRUCache } from 'lru-cache';
import { createSlice, sorted, type Steps } from '../platform/concurrency/time-slices.js';
import { ICON_NAME_PATTERN } from './icon-name.js';
import type { IconGroup, IconSet } from './icon-set.js';
import { MIN_PARTIAL_CHARACTERS } from './search-words.js';

export interface SearchedSet {
  readonly set: IconSet;
  readonly keywords: ReadonlyMap<string, ReadonlySet<IconGroup>>;
}

export type KeywordIndex = ReturnType<typeof keywordIndex>;

/** Number of names between two yields. */
const STEP_NAMES = 500;
/**
 * Maximum number of cached completions, with about 100 characters each. It is high, because a search of many words has
 * up to a thousand interpretations, and each interpretation needs a completion.
 */
const MAX_CACHED_COMPLETIONS = 50_000;

/**
 * Builds the index. `sets` must be in the order in which search lists equally good results. Yields regularly, so that
 * the caller can run other work.
 */
export function* buildKeywordIndex(sets: Iterable<IconSet>): Steps<KeywordIndex> {
  const searched = new Map<string, SearchedSet>();
  const all = new Set<string>();
  for (const set of sets) {
    if (set.info === null || set.info.hidden === true) continue;
    const keywords = yield* keywordsOf(set);
    searched.set(set.prefix, { set, keywords });
    for (const keyword of keywords.keys()) all.add(keyword);
  }
  return keywordIndex(searched, all);
}

function* keywordsOf(set: IconSet): Steps<SearchedSet['keywords']> {
  const keywords = new Map<string, Set<IconGroup>>();
  let done = 0;
  for (const [name, group] of set.groups) {
    if (group.hidden || group.names[0] !== name || set.isUnsearched(name)) continue;
    for (const own of group.names)
      for (const part of own.split('-')) {
        const groups = keywords.get(part);
        if (groups) groups.add(group);
        else keywords.set(part, new Set([group]));
      }
    if (++done % STEP_NAMES === 0) yield;
  }
  return keywords;
}

function keywordIndex(sets: ReadonlyMap<string, SearchedSet>, all: ReadonlySet<string>) {
  const cache = new LRUCache<string, readonly string[]>({
    maxSize: MAX_CACHED_COMPLETIONS,
    sizeCalculation: (found) => found.length + 1,
  });
  return {
    sets,
    has: (keyword: string): boolean => all.has(keyword),
    /**
     * Returns longer keywords that start with `part`, shortest first. With `suffixes`, longer keywords that end with
     * `part` follow.
     */
    *completions(part: string, { suffixes }: { readonly suffixes: boolean }): Steps<readonly string[]> {
      if (part.length < MIN_PARTIAL_CHARACTERS) return [];
      const key = `${suffixes ? '*' : ''}${part}`;
      const known = cache.get(key);
      if (known) return known;
      const isOver = createSlice();
      const [begin, end]: [string[], string[]] = [[], []];
      for (const keyword of all) {
        if (isOver()) yield;
        if (keyword.length === part.length) continue;
        if (keyword.startsWith(part)) begin.push(keyword);
        else if (suffixes && keyword.endsWith(part)) end.push(keyword);
      }
      const found = [...(yield* sorted(begin, byLength)), ...(yield* sorted(end, byLength))];
      cache.set(key, found);
      return found;
    },
  };
}

function byLength(one: string, other: string): number {
  return one.length - other.length || one.localeCompare(other);
}

export interface KeywordMatches {
  /** True if the text cannot be a keyword. */
  readonly invalid?: true;
  /** True if the text is a keyword. */
  readonly exists: boolean;
  readonly matches: readonly string[];
}

/**
 * Returns keywords that complete a partially typed keyword. With `suffixes`, keywords that end with the text are
 * included. In a text with dashes, only the last part is completed. The other parts must be whole keywords.
 */
export function* matchKeywords(
  index: KeywordIndex,
  { text, suffixes }: { readonly text: string; readonly suffixes: boolean },
): Steps<KeywordMatches> {
  const word = text.toLowerCase().trim();
  if (!ICON_NAME_PATTERN.test(word)) return { invalid: true, exists: index.has(word), matches: [] };
  const parts = word.split('-');
  const last = parts.at(-1) ?? '';
  if (!parts.slice(0, -1).every(index.has)) return { exists: false, matches: [] };
  return {
    exists: index.has(last),
    matches: yield* index.completions(last, { suffixes: suffixes && parts.length === 1 }),
  };
}
