// Finds the documents of a query, each with its tier (class of matches). Compares the query with names, then with
// words. Allows typing errors if there are few results.
import { NAME, type SearchData } from './documents.js';
import { eachNear, eachNumeronym, eachPosting, prefixRange } from './inverted-index.js';
import { groupOf, STEPS, TIER, type Group } from './ranking.js';
import { lastResortEdits, maxEdits } from '../platform/text/typing-errors.js';
import { kindKey, kindsBegunBy, type IndexedKind } from './kinds.js';
import { tokenize, type TokenizedText } from '../platform/text/tokenize.js';

export interface Matches {
  readonly count: number;
  /** Numbers of the found documents, unsorted. Only the first `count` elements are valid. */
  readonly documents: Int32Array;
  readonly groupOf: (document: number) => Group;
  /**
   * Best group of all matches. Groups are numbers: results of a lower group come first. Infinity if there is no match.
   */
  readonly best: Group;
}

/**
 * If a query has fewer results than this, starts of kind names and typing errors are also allowed. Exceptions: the
 * query is the full name of an entry or of a kind ("browsers").
 */
const FEW = 20;
/**
 * Tier (class of matches) of a document with a name that equals the query. The index is the field that contains the
 * name (see `NAME`). Undefined for abbreviations: these matches get the tier of the beginning of a name.
 */
const FULL_NAME_TIERS: readonly (number | undefined)[] = [TIER.slug, TIER.title, TIER.alias, TIER.domain, undefined];

/**
 * Costs that are added when a word of the query matches a document. The flags of a posting (an occurrence of a word)
 * add 0..15 more.
 */
const COST = { prefix: 2, longPrefix: 4, category: 64, unlikeEnd: 8, edit: 1024 } as const;

/**
 * Results and working memory of one matcher. Every call reuses them. All arrays except `found` and `candidates` are
 * indexed by document number.
 */
interface MatchState {
  readonly data: SearchData;
  /** Numbers of the found documents, unsorted. Only the first `count` elements are valid. */
  readonly found: Int32Array;
  count: number;
  /**
   * By document: 1 plus the number of its best group, or 0 if the document was not found. Groups are numbered in the
   * order of results.
   */
  readonly best: Int32Array;
  /** Number of query words, from the first word on, that the document has matched so far. */
  readonly wordsSeen: Uint8Array;
  readonly costs: Int32Array;
  readonly candidates: Int32Array;
}

/**
 * `typos`: allows prefixes, and typing errors if there are few results. `whole-words`: allows neither prefixes nor
 * typing errors.
 */
type Tolerance = 'typos' | 'whole-words';

/** Finds the documents of a query. The next call overwrites the returned arrays. */
export type Matcher = (query: TokenizedText, tolerance?: Tolerance) => Matches;

export function createMatcher(data: SearchData): Matcher {
  const size = data.documents.length;
  const state: MatchState = {
    data,
    found: new Int32Array(size),
    count: 0,
    best: new Int32Array(size),
    wordsSeen: new Uint8Array(size),
    costs: new Int32Array(size),
    candidates: new Int32Array(size),
  };
  const groupOf = (document: number): Group => (state.best[document] ?? 1) - 1;
  return (query, tolerance = 'typos') => {
    match(state, query, tolerance);
    let best = Infinity;
    for (let at = 0; at < state.count; at++) best = Math.min(best, groupOf(state.found[at] ?? 0));
    return { count: state.count, documents: state.found, groupOf, best };
  };
}

function match(state: MatchState, query: TokenizedText, tolerance: Tolerance): void {
  const { data, found, best } = state;
  const { normalized, words } = query;
  for (let at = 0; at < state.count; at++) best[found[at] ?? 0] = 0;
  state.count = 0;
  if (normalized === '') return;
  const whole = [...new Set(words.filter((word) => !word.isSubword).map((word) => word.text))];
  const inFull = tolerance === 'whole-words';
  matchNames(state, normalized, inFull);
  const named = found.subarray(0, state.count).some((document) => (best[document] ?? 0) <= groupOf(TIER.domain, 0));
  const kind = data.kinds.byKey.get(kindKey(query));
  if (kind) offerKind(state, kind, TIER.kind);
  matchWords(state, whole, { inFull, editsOf: () => 0 });
  if (inFull) return;
  if (!named && !kind && state.count < FEW)
    for (const begun of kindsBegunBy(data.kinds, kindKey(query))) offerKind(state, begun, TIER.kindPrefix);
  if (!named && !kind && state.count < FEW) {
    matchMisspelledNames(state, normalized, maxEdits(normalized.length));
    matchWords(state, whole, { inFull, editsOf: (word) => maxEdits(word.length) });
  }
  if (state.count === 0) {
    matchMisspelledNames(state, normalized, lastResortEdits(normalized));
    matchWords(state, whole, { inFull, editsOf: lastResortEdits });
  }
}

/**
 * Adds a document to the results. If the document is already a result, keeps the better group, which is the group with
 * the lower number.
 */
function offer(state: MatchState, document: number, group: Group): void {
  const before = state.best[document] ?? 0;
  if (before === 0) state.found[state.count++] = document;
  if (before === 0 || group + 1 < before) state.best[document] = group + 1;
}

/** Returns how unknown a document is: 0 for the best known, 1 for the least known. */
function obscurity({ data }: MatchState, document: number): number {
  return 1 - (data.fame[document] ?? 0);
}

function matchNames(state: MatchState, compact: string, inFull: boolean): void {
  const { names } = state.data;
  const [from, to] = prefixRange(names, compact);
  for (let term = from; term < to; term++) {
    const missing = 1 - compact.length / (names.terms[term]?.length ?? 1);
    if (inFull && missing > 0) break;
    eachPosting(names, term, (document, field) => {
      const tier = missing === 0 ? FULL_NAME_TIERS[field] : undefined;
      if (tier !== undefined) offer(state, document, groupOf(tier, 0));
      else if (missing === 0 || field !== NAME.shortForm)
        offer(state, document, groupOf(TIER.prefix, prefixStep(missing, field, obscurity(state, document))));
    });
  }
  matchNumeronym(state, compact);
}

/** Adds the documents of a kind in their order. */
function offerKind(state: MatchState, { documents, listed }: IndexedKind, tier: number): void {
  for (let place = 0; place < documents.length; place++)
    offer(state, documents[place] ?? 0, groupOf(tier, Math.min(place, listed)));
}

/** Adds only the best known document for a numeronym such as "k8s", because many names match a numeronym. */
function matchNumeronym(state: MatchState, compact: string): void {
  const { names } = state.data;
  let best: number | undefined;
  eachNumeronym(names, compact, (term) => {
    eachPosting(names, term, (document, field) => {
      if (field < NAME.domain) best = Math.min(best ?? document, document);
    });
  });
  if (best !== undefined) offer(state, best, groupOf(TIER.numeronym, obscurity(state, best) * STEPS));
}

function matchMisspelledNames(state: MatchState, compact: string, edits: number): void {
  const { names } = state.data;
  eachNear(names, compact, edits, (term, needed) => {
    const unlike = unlikeEnd(names.terms[term] ?? '', compact);
    eachPosting(names, term, (document, field) => {
      if (field < NAME.domain)
        offer(state, document, groupOf(tierOfEdits(needed), obscurity(state, document) * 1400 + unlike * 350));
    });
  });
}

/**
 * Adds documents that match every word of the query. A document matches a word if it has the word or a longer word that
 * starts with it, or belongs to a kind of this name. A document also matches if one of its words differs by at most
 * `editsOf(word)` edits.
 */
function matchWords(state: MatchState, words: readonly string[], { inFull, editsOf }: WordTolerance): void {
  const { data, wordsSeen, costs, candidates } = state;
  let first = 0;
  let hits = 0;
  for (let at = 0; at < words.length; at++) {
    hits = 0;
    const word = words[at] ?? '';
    // A single letter must be a whole word, because it is the prefix of too many words.
    const whole = inFull || (words.length === 1 && word.length === 1);
    eachWordMatch(data, { word, whole, last: at === words.length - 1, edits: editsOf(word) }, (document, cost) => {
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
    if (hits > 0 && wordsSeen[document] === words.length)
      offer(state, document, groupOfCost(costs[document] ?? 0, obscurity(state, document)));
    wordsSeen[document] = 0;
    costs[document] = 0;
  }
}

interface WordTolerance {
  /** True if only whole words match, not prefixes of words. */
  readonly inFull: boolean;
  /** Returns the number of typing errors that are allowed in a word. */
  readonly editsOf: (word: string) => number;
}

interface WordQuery {
  readonly word: string;
  readonly last: boolean;
  readonly whole: boolean;
  readonly edits: number;
}

/**
 * Visits the documents that match a word, the cheapest matches first, because only the first cost of a document is
 * used.
 */
function eachWordMatch(
  data: SearchData,
  { word, last, whole, edits }: WordQuery,
  visit: (document: number, cost: number) => void,
): void {
  const [from, to] = prefixRange(data.words, word);
  for (let term = from; term < to; term++) {
    const exact = data.words.terms[term] === word;
    if (whole && !exact) break;
    const cost = exact ? 0 : last ? COST.prefix : COST.longPrefix;
    eachPosting(data.words, term, (document, flags) => visit(document, cost + flags));
  }
  for (const document of data.kinds.byKey.get(kindKey(tokenize(word)))?.documents ?? []) visit(document, COST.category);
  if (edits === 0) return;
  const near: { readonly term: number; readonly cost: number }[] = [];
  eachNear(data.words, word, edits, (term, needed) => {
    near.push({ term, cost: COST.edit * needed + COST.unlikeEnd * unlikeEnd(data.words.terms[term] ?? '', word) });
  });
  near.sort((a, b) => a.cost - b.cost);
  for (const { term, cost } of near) eachPosting(data.words, term, (document, flags) => visit(document, cost + flags));
}

/** Cost of a prefix match, by field of `names`. */
const PREFIX_FIELD_COST: readonly number[] = [0, 0, 500, 900, 700];

/**
 * Returns the penalty that ranks a prefix match within its tier (class of matches). It is lower for shorter names and
 * for well-known brands. `missing`: share of the name that the query lacks, 0..1.
 */
function prefixStep(missing: number, field: number, obscurity: number): number {
  const fieldCost = PREFIX_FIELD_COST[field] ?? 0;
  return missing * 900 + obscurity * 2200 + fieldCost;
}

/**
 * Returns 1 if the last letters differ, otherwise 0. Typing errors are rare at the end of a word, so different ends
 * make a match less likely.
 */
function unlikeEnd(word: string, typed: string): number {
  return word.charCodeAt(word.length - 1) === typed.charCodeAt(typed.length - 1) ? 0 : 1;
}

const tierOfEdits = (edits: number) => (edits === 1 ? TIER.oneTypo : TIER.moreTypos);

function groupOfCost(cost: number, obscurity: number): Group {
  const edits = Math.floor(cost / COST.edit);
  const tier = edits > 0 ? tierOfEdits(edits) : cost >= COST.category ? TIER.category : TIER.words;
  const steps = Math.min(40, cost % COST.category) * 50 + obscurity * 1500;
  // A misspelled word in a name ranks below a misspelled whole name.
  return groupOf(tier, edits > 0 ? steps + 600 : steps);
}
