// Which documents a text finds, and how well each: names first, then words, then typing errors if little was found.
import { NAME, type SearchData } from './documents.js';
import { eachNear, eachNumeronym, eachPosting, findTerm, prefixRange } from './inverted-index.js';
import { groupOf, STEPS, TIER, type Group } from './ranking.js';
import { editBudget } from './edit-distance.js';
import type { TokenizedText } from '../tokenize.js';

export interface Matches {
  readonly count: number;
  /** Document numbers, in no order; `count` of them are valid. */
  readonly documents: Int32Array;
  readonly groupOf: (document: number) => Group;
}

/** Typing errors are sought when fewer than this were found as typed, and no name was typed in full. */
const FEW = 20;
/** By the field of `names`. Initials are no name, only as good as its beginning. */
const FULL_NAME_TIERS: readonly (number | undefined)[] = [TIER.slug, TIER.title, TIER.alias, TIER.domain, undefined];

/** When nothing at all was found, five letters may hold two errors. */
const lastResort = (word: string) => (word.length > 4 ? 2 : editBudget(word.length));

/** What a word's match adds to the cost of a document; the flags of `words` add the rest (0..15). */
const COST = { prefix: 2, longPrefix: 4, category: 64, unlikeEnd: 8, edit: 1024 } as const;

/** Holds its working memory, so each call's result is good until the next call. */
export function createMatcher(data: SearchData) {
  const size = data.documents.length;
  const found = new Int32Array(size);
  /** Group + 1, 0 is not found. */
  const best = new Int32Array(size);
  let count = 0;
  const wordsSeen = new Uint8Array(size);
  const costs = new Int32Array(size);
  const candidates = new Int32Array(size);

  const offer = (document: number, group: Group) => {
    const before = best[document] ?? 0;
    if (before === 0) found[count++] = document;
    if (before === 0 || group + 1 < before) best[document] = group + 1;
  };
  const unknown = (document: number) => 1 - (data.fame[document] ?? 0);

  function matchNames(compact: string): void {
    const [from, to] = prefixRange(data.names, compact);
    for (let term = from; term < to; term++) {
      const missing = 1 - compact.length / (data.names.terms[term]?.length ?? 1);
      eachPosting(data.names, term, (document, field) => {
        const tier = missing === 0 ? FULL_NAME_TIERS[field] : undefined;
        if (tier !== undefined) offer(document, groupOf(tier, 0));
        else if (missing === 0 || field !== NAME.shortForm)
          offer(document, groupOf(TIER.prefix, prefixStep(missing, field, unknown(document))));
      });
    }
    let numeronym: number | undefined;
    eachNumeronym(data.names, compact, (term) => {
      eachPosting(data.names, term, (document, field) => {
        if (field < NAME.domain) numeronym = Math.min(numeronym ?? document, document);
      });
    });
    // Many words fit such a pattern; only the best known of them is meant.
    if (numeronym !== undefined) offer(numeronym, groupOf(TIER.numeronym, unknown(numeronym) * STEPS));
  }

  function matchMisspeltNames(compact: string, budget: number): void {
    eachNear(data.names, compact, budget, (term, edits) => {
      const unlike = unlikeEnds(data.names.terms[term] ?? '', compact);
      eachPosting(data.names, term, (document, field) => {
        if (field < NAME.domain) offer(document, groupOf(tierOfEdits(edits), unknown(document) * 1400 + unlike * 350));
      });
    });
  }

  /**
   * Every word must be in the document: as a word, as the beginning of one, as a category, or misspelt within `budget`.
   */
  function matchWords(words: readonly string[], budget: (word: string) => number): void {
    let first = 0;
    let hits = 0;
    for (let at = 0; at < words.length; at++) {
      hits = 0;
      const word = words[at] ?? '';
      // One letter alone begins too many words to mean them.
      const whole = words.length === 1 && word.length === 1;
      eachWordMatch(data, { word, whole, last: at === words.length - 1, budget: budget(word) }, (document, cost) => {
        if (wordsSeen[document] !== at) return;
        wordsSeen[document] = at + 1;
        costs[document] = (costs[document] ?? 0) + cost;
        hits++;
        if (at === 0) candidates[first++] = document;
      });
      if (hits === 0) break;
    }
    for (let at = 0; at < first; at++) {
      const document = candidates[at] ?? 0;
      if (hits > 0 && wordsSeen[document] === words.length) {
        offer(document, groupOfCost(costs[document] ?? 0, unknown(document)));
      }
      wordsSeen[document] = 0;
      costs[document] = 0;
    }
  }

  return function match({ normalized, words }: TokenizedText): Matches {
    for (let at = 0; at < count; at++) best[found[at] ?? 0] = 0;
    count = 0;
    if (normalized !== '') {
      const whole = [...new Set(words.filter((word) => !word.isSubword).map((word) => word.text))];
      matchNames(normalized);
      const named = found.subarray(0, count).some((document) => (best[document] ?? 0) <= groupOf(TIER.domain, 0));
      matchWords(whole, () => 0);
      if (!named && count < FEW) {
        matchMisspeltNames(normalized, editBudget(normalized.length));
        matchWords(whole, (word) => editBudget(word.length));
      }
      if (count === 0) {
        matchMisspeltNames(normalized, lastResort(normalized));
        matchWords(whole, lastResort);
      }
    }
    return { count, documents: found, groupOf: (document) => (best[document] ?? 1) - 1 };
  };
}

interface WordQuery {
  readonly word: string;
  readonly last: boolean;
  /** Words that only begin with it do not count. */
  readonly whole: boolean;
  readonly budget: number;
}

/** Cheapest first, since the first cost of a document stands. */
function eachWordMatch(
  data: SearchData,
  { word, last, whole, budget }: WordQuery,
  see: (document: number, cost: number) => void,
): void {
  const [from, to] = prefixRange(data.words, word);
  for (let term = from; term < to; term++) {
    const exact = data.words.terms[term] === word;
    if (whole && !exact) break;
    const cost = exact ? 0 : last ? COST.prefix : COST.longPrefix;
    eachPosting(data.words, term, (document, flags) => see(document, cost + flags));
  }
  const category = findTerm(data.categoryNames, word);
  if (category !== undefined) eachPosting(data.categoryNames, category, (document) => see(document, COST.category));
  if (budget === 0) return;
  const near: { readonly term: number; readonly cost: number }[] = [];
  eachNear(data.words, word, budget, (term, edits) => {
    near.push({ term, cost: COST.edit * edits + COST.unlikeEnd * unlikeEnds(data.words.terms[term] ?? '', word) });
  });
  near.sort((a, b) => a.cost - b.cost);
  for (const { term, cost } of near) eachPosting(data.words, term, (document, flags) => see(document, cost + flags));
}

/** By the field of `names`. */
const PREFIX_FIELD_COST: readonly number[] = [0, 0, 500, 900, 700];

/** A well-known name may be much longer than what was typed; among the like the shorter stands first. */
function prefixStep(missing: number, field: number, unknown: number): number {
  const fieldCost = PREFIX_FIELD_COST[field] ?? 0;
  return missing * 900 + unknown * 2200 + fieldCost;
}

/** Typing errors are rare at the ends of a word, rarest in its first letter: 0, 1 (last), 2 (first) or 3. */
function unlikeEnds(word: string, typed: string): number {
  return (
    (word.charCodeAt(0) === typed.charCodeAt(0) ? 0 : 2) +
    (word.charCodeAt(word.length - 1) === typed.charCodeAt(typed.length - 1) ? 0 : 1)
  );
}

const tierOfEdits = (edits: number) => (edits === 1 ? TIER.oneTypo : TIER.moreTypos);

function groupOfCost(cost: number, unknown: number): Group {
  const edits = Math.floor(cost / COST.edit);
  const tier = edits > 0 ? tierOfEdits(edits) : cost >= COST.category ? TIER.category : TIER.words;
  const steps = Math.min(40, cost % COST.category) * 50 + unknown * 1500;
  // A misspelt word within a name comes after a misspelt name.
  return groupOf(tier, edits > 0 ? steps + 600 : steps);
}
