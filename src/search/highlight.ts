// Highlights of a search result: the field that matched, its text, and the matching characters.
import type { SearchDocument } from './documents.js';
import type { Match, MatchField } from './query.js';
import { TIER, tierOfGroup, type Group } from './ranking.js';
import { editDistance, lastResortEdits } from '../platform/text/typing-errors.js';
import { kindKey, kindsBegunBy, type IndexedKind, type KindIndex } from './kinds.js';
import { tokenize, type TokenizedText, type Word } from '../platform/text/tokenize.js';

type Range = readonly [start: number, end: number];

interface Coverage {
  readonly field: MatchField;
  readonly value: string;
  readonly ranges: readonly Range[];
  /** Number of query words that the value contains. */
  readonly words: number;
}

/** Returns the match that made the document a result. */
export function explain(document: SearchDocument, { query, group, kinds }: Explained): Match {
  const tier = tierOfGroup(group);
  if (tier === TIER.kind) return kindOf(document, [kinds.byKey.get(kindKey(query))]);
  if (tier === TIER.kindPrefix) return kindOf(document, kindsBegunBy(kinds, kindKey(query)));
  const whole = wholeName(document, query, tier);
  if (whole) return whole;
  let best: Coverage | undefined;
  const misspelled = tier >= TIER.oneTypo;
  for (const [field, value] of fieldsOf(document)) {
    const covered = cover(field, value, { query, misspelled });
    if (covered.words > (best?.words ?? 0)) best = covered;
  }
  if (best && best.words > 0) return misspelled ? { ...strip(best), field: 'typo' } : strip(best);
  const ofWords = query.words.map((word) => kinds.byKey.get(kindKey(tokenize(word.text))));
  return tier === TIER.category ? kindOf(document, ofWords) : full(misspelled ? 'typo' : 'title', document.title);
}

interface Explained {
  readonly query: TokenizedText;
  /** Position of the match in the order of results: its tier, then its step. */
  readonly group: Group;
  readonly kinds: KindIndex;
}

/**
 * Returns a match by a category that both the entry and the kinds have. If there is no such category, uses the first
 * category of the kinds. This can happen if kinds.json lists a brand for a kind, but the catalog is older than this
 * list.
 */
function kindOf({ categories }: SearchDocument, kinds: readonly (IndexedKind | undefined)[]): Match {
  const possible = kinds.flatMap((kind) => kind?.categories ?? []);
  return full('category', possible.find((category) => categories.includes(category)) ?? possible[0] ?? '');
}

const strip = ({ field, value, ranges }: Coverage): Match => ({ field, value, ranges });
/** Returns a match of the whole value. */
export const full = (field: MatchField, value: string): Match => ({
  field,
  value,
  ranges: value === '' ? [] : [[0, value.length]],
});

function* fieldsOf(document: SearchDocument): Generator<readonly [MatchField, string]> {
  yield ['title', document.title];
  yield ['slug', document.slug];
  for (const alias of document.aliases) yield ['alias', alias];
  for (const domain of document.domains) yield ['domain', domain];
}

function wholeName(document: SearchDocument, query: TokenizedText, tier: number): Match | undefined {
  const same = (value: string) => tokenize(value).normalized === query.normalized;
  switch (tier) {
    case TIER.slug:
      return full('slug', document.slug);
    case TIER.title:
      return same(document.title) ? full('title', document.title) : undefined;
    case TIER.alias: {
      const alias = document.aliases.find(same);
      return alias === undefined ? undefined : full('alias', alias);
    }
    case TIER.domain: {
      const domain = document.domains.find(same);
      return domain === undefined ? undefined : full('domain', domain);
    }
    case TIER.numeronym:
      return full('title', document.title);
    default:
      return undefined;
  }
}

interface CoverOptions {
  readonly query: TokenizedText;
  /** True if the document matched only with typing errors. */
  readonly misspelled: boolean;
}

function cover(field: MatchField, value: string, { query, misspelled }: CoverOptions): Coverage {
  const text = tokenize(value);
  const wanted = query.words.filter((word) => !word.isSubword);
  const span = (at: number, length: number): Range => [
    text.starts[at] ?? 0,
    text.ends[at + length - 1] ?? value.length,
  ];
  if (text.normalized.startsWith(query.normalized)) {
    return { field, value, ranges: [span(0, query.normalized.length)], words: wanted.length };
  }
  const ranges: Range[] = [];
  for (const word of wanted) {
    const hit = bestWord(text.words, word.text, misspelled);
    if (hit) ranges.push(span(hit.at, hit.length));
  }
  if (misspelled && ranges.length < wanted.length && isNear(text.normalized, query.normalized)) {
    return { field, value, ranges: [span(0, text.normalized.length)], words: wanted.length };
  }
  return { field, value, ranges: merged(ranges), words: ranges.length };
}

/**
 * Returns true if the first letters are equal, and the edit distance is at most the limit of the search's second
 * attempt (`lastResortEdits`).
 */
const isNear = (word: string, typed: string) => {
  const limit = lastResortEdits(typed);
  return limit > 0 && word.charCodeAt(0) === typed.charCodeAt(0) && editDistance(typed, word, limit) <= limit;
};

function bestWord(
  words: readonly Word[],
  typed: string,
  misspelled: boolean,
): { readonly at: number; readonly length: number } | undefined {
  const exact = words.find((word) => word.text === typed);
  if (exact) return { at: exact.at, length: typed.length };
  const begun = words.find((word) => word.text.startsWith(typed));
  if (begun) return { at: begun.at, length: typed.length };
  const near = misspelled ? words.find((word) => isNear(word.text, typed)) : undefined;
  return near && { at: near.at, length: near.text.length };
}

/** Sorts the ranges, and joins ranges that touch or overlap. */
function merged(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = out.at(-1);
    if (last && start <= last[1]) out[out.length - 1] = [last[0], Math.max(last[1], end)];
    else out.push([start, end]);
  }
  return out;
}
