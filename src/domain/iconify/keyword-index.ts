// Keywords of all icon sets: the parts of names between dashes, by which the Iconify protocol searches.
import { LRUCache } from 'lru-cache';
import { createSlice, sorted, type Steps } from '../steps.js';
import type { IconGroup, IconSet } from './icon-set.js';
import { MIN_PARTIAL_CHARACTERS } from './search-words.js';

export interface SearchedSet {
  readonly set: IconSet;
  readonly keywords: ReadonlyMap<string, ReadonlySet<IconGroup>>;
}

export interface KeywordIndex {
  /** In the order in which results of equal rank come. */
  readonly sets: ReadonlyMap<string, SearchedSet>;
  /** Prefixes of the sets that have it; undefined: none has. */
  prefixesOf(keyword: string): ReadonlySet<string> | undefined;
  /** Longer keywords that begin so, the shortest first, and after them those that end so, when asked for. */
  completions(part: string, options: { readonly suffixes: boolean }): Steps<readonly string[]>;
}

/** Names between two yields. */
const STEP_NAMES = 500;
/** Some 100 characters each. */
const MAX_CACHED_COMPLETIONS = 50_000;

/** Yields from time to time, so that the caller can let others run. */
export function* buildKeywordIndex(sets: Iterable<IconSet>): Generator<undefined, KeywordIndex> {
  const searched = new Map<string, SearchedSet>();
  const prefixes = new Map<string, Set<string>>();
  for (const set of sets) {
    if (set.info === null || set.info.hidden === true) continue;
    const keywords = yield* keywordsOf(set);
    searched.set(set.prefix, { set, keywords });
    for (const keyword of keywords.keys()) addTo(prefixes, keyword, set.prefix);
  }
  return keywordIndex(searched, prefixes);
}

function* keywordsOf(set: IconSet): Generator<undefined, ReadonlyMap<string, ReadonlySet<IconGroup>>> {
  const keywords = new Map<string, Set<IconGroup>>();
  let done = 0;
  for (const [name, group] of set.groups) {
    if (group.hidden || group.names[0] !== name || set.isUnsearched(name)) continue;
    for (const own of group.names) for (const part of own.split('-')) addTo(keywords, part, group);
    if (++done % STEP_NAMES === 0) yield;
  }
  return keywords;
}

function addTo<Value>(sets: Map<string, Set<Value>>, key: string, value: Value): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}

function keywordIndex(
  sets: ReadonlyMap<string, SearchedSet>,
  prefixes: ReadonlyMap<string, ReadonlySet<string>>,
): KeywordIndex {
  const cache = new LRUCache<string, readonly string[]>({
    maxSize: MAX_CACHED_COMPLETIONS,
    sizeCalculation: (found) => found.length + 1,
  });
  return {
    sets,
    prefixesOf: (keyword) => prefixes.get(keyword),
    *completions(part, { suffixes }) {
      if (part.length < MIN_PARTIAL_CHARACTERS) return [];
      const key = `${suffixes ? '*' : ''}${part}`;
      const known = cache.get(key);
      if (known) return known;
      const isOver = createSlice();
      const [begin, end]: [string[], string[]] = [[], []];
      for (const keyword of prefixes.keys()) {
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
