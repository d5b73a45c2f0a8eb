// Documents of the search index. Each has the fields, names and words of one entry. Documents with equal lists, for
// example of categories, share one list in memory.
import type { Entry } from '../catalog/entry.js';
import { createPopularity, type PopularityFacts } from './popularity.js';
import { collectColors, type ColorTable } from './color-distance.js';
import { collectTerms, STEPS_BETWEEN_YIELDS } from './collect-terms.js';
import { eachPosting, findTerm, type Terms } from './inverted-index.js';
import { indexKinds, type KindIndex } from './kinds.js';
import { createSharedLists, type SharedLists } from './shared-lists.js';
import type { Kind } from '../catalog/kinds.js';
import { CLOUD_SERVICE } from '../catalog/import/titles.js';
import { otherSpellings, tokenize, type TokenizedText } from '../platform/text/tokenize.js';

export interface SearchDocument {
  readonly slug: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly hex: string | null;
  readonly categories: readonly string[];
  readonly domain: string | null;
  readonly domains: readonly string[];
  readonly variants: readonly string[];
  readonly license: string;
}

/**
 * Fields that can contain a name, best first. In the index `names`, the flags of each posting (an occurrence of a name)
 * have one of these values.
 */
export const NAME = { slug: 0, title: 1, alias: 2, domain: 3, shortForm: 4 } as const;

/**
 * Flags that tell where a word occurs in its document. For each occurrence, the index `words` stores the sum of the
 * flags that apply. The sum is also a cost: results with lower costs come first.
 */
const WORD = { title: 0, slug: 1, alias: 2, later: 4, inner: 8 } as const;

/** Data of the search index. Document numbers are positions by fame; the best known document has the lowest number. */
export interface SearchData {
  readonly documents: readonly SearchDocument[];
  /** Fame by document number, 0..1. */
  readonly fame: Float32Array;
  readonly names: Terms;
  readonly words: Terms;
  readonly kinds: KindIndex;
  readonly categories: SharedLists;
  readonly variants: SharedLists;
  readonly licenses: SharedLists;
  readonly colors: ColorTable;
}

const NONE: readonly string[] = [];
const MAX_FAME = 1.6;

/** Collects entries as documents. `finish` numbers the documents by fame. */
export function collectDocuments(kinds: readonly Kind[]) {
  const documents: SearchDocument[] = [];
  const facts: PopularityFacts[] = [];
  const hexes: (readonly string[])[] = [];
  const fame = createPopularity();
  const [names, words] = [collectTerms(), collectTerms()];
  const shared = {
    categories: createSharedLists(),
    variants: createSharedLists(),
    licenses: createSharedLists(),
  };
  return {
    add(entry: Entry) {
      const number = documents.length;
      const document: SearchDocument = {
        slug: entry.slug,
        title: entry.title,
        aliases: entry.aliases.length === 0 ? NONE : entry.aliases,
        hex: entry.hex,
        categories: shared.categories.listOf(entry.categories),
        domain: entry.domain,
        domains: entry.domains.length === 0 ? NONE : entry.domains,
        variants: shared.variants.listOf(entry.variants.map((variant) => variant.name)),
        license: shared.licenses.listOf([entry.license.type])[0] ?? '',
      };
      documents.push(document);
      facts.push(fame.read(entry));
      hexes.push([...(entry.hex === null ? [] : [entry.hex]), ...entry.variants[0].colors]);
      for (const [name, field] of namesOf(document)) names.add(name, number, field);
      for (const [word, flags] of wordsOf(document)) words.add(word, number, flags);
    },
    *finish(): Generator<undefined, SearchData> {
      const ranking = yield* rank(documents, (number) => fame.score(facts[number]));
      const { order, renumber } = ranking;
      const colors = collectColors();
      const ranked: SearchDocument[] = [];
      for (const [number, arrived] of order.entries()) {
        const document = documents[arrived];
        if (document) ranked.push(document);
        colors.add(hexes[arrived] ?? NONE);
        if (number % STEPS_BETWEEN_YIELDS === 0) yield;
      }
      const nameTerms = yield* names.finish(renumber);
      const categories = yield* shared.categories.finish(order);
      const numberOf = (slug: string) => numberOfSlug(nameTerms, ranked, slug);
      return {
        documents: ranked,
        fame: ranking.fame,
        names: nameTerms,
        words: yield* words.finish(renumber),
        kinds: yield* indexKinds({ kinds, categories, numberOf }),
        categories,
        variants: yield* shared.variants.finish(order),
        licenses: yield* shared.licenses.finish(order),
        colors: colors.finish(),
      };
    },
  };
}

export function numberOfSlug(names: Terms, documents: readonly SearchDocument[], slug: string): number | undefined {
  const term = findTerm(names, tokenize(slug).normalized);
  let found: number | undefined;
  if (term !== undefined)
    eachPosting(names, term, (document) => {
      if (documents[document]?.slug === slug) found = document;
    });
  return found;
}

interface Ranking {
  /**
   * `order`: position by fame → position in the order of `add`. `renumber`: position in the order of `add` → position
   * by fame.
   */
  readonly order: Int32Array;
  readonly renumber: Int32Array;
  /** Fame (0..1) of the document at each position. */
  readonly fame: Float32Array;
}

/**
 * Sorts the documents by fame, with cloud services at the end. Documents of equal fame are sorted by the length of
 * their title, then in the order of `add`.
 */
function* rank(
  documents: readonly SearchDocument[],
  scoreOf: (number: number) => number,
): Generator<undefined, Ranking> {
  const keys = new Float64Array(documents.length);
  for (const [number, { title, categories }] of documents.entries()) {
    const unknown = categories.includes(CLOUD_SERVICE)
      ? 4096
      : Math.round((1 - Math.min(1, Math.max(0, scoreOf(number) / MAX_FAME))) * 4095);
    keys[number] = (unknown * 256 + Math.min(255, title.length)) * 2 ** 24 + number;
    if (number % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  keys.sort();
  yield;
  const order = new Int32Array(keys.length);
  const renumber = new Int32Array(keys.length);
  const fame = new Float32Array(keys.length);
  for (const [number, key] of keys.entries()) {
    order[number] = key % 2 ** 24;
    renumber[key % 2 ** 24] = number;
    fame[number] = Math.max(0, 1 - Math.floor(key / 2 ** 32) / 4095);
    if (number % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  return { order, renumber, fame };
}

/** Returns each name of the document once, with the first field in `NAME` that contains the name. */
function namesOf(document: SearchDocument): Map<string, number> {
  const names = new Map<string, number>();
  const add = (name: string, field: number) => name !== '' && !names.has(name) && names.set(name, field);
  const title = tokenize(document.title);
  add(tokenize(document.slug).normalized, NAME.slug);
  add(title.normalized, NAME.title);
  for (const other of otherSpellings(document)) add(tokenize(other).normalized, NAME.title);
  for (const alias of document.aliases) add(tokenize(alias).normalized, NAME.alias);
  for (const domain of document.domains) add(tokenize(domain).normalized, NAME.domain);
  for (const short of shortForms(title)) add(short, NAME.shortForm);
  return names;
}

/** Returns abbreviations of a title: AWS for "Amazon Web Services", VSCode for "Visual Studio Code". */
function shortForms(title: TokenizedText): readonly string[] {
  const words = title.words.filter((word) => !word.isSubword);
  if (words.length < 3 || words.length > 6) return NONE;
  const initials = words.map((word) => word.text.slice(0, 1)).join('');
  return [initials, initials.slice(0, -1) + (words.at(-1)?.text ?? '')];
}

/**
 * Returns each word of the document once. If a word occurs several times, the lowest sum of flags (`WORD`) is kept: the
 * best place.
 */
function wordsOf(document: SearchDocument): Map<string, number> {
  const words = new Map<string, number>();
  const read = (text: string, field: number) => {
    for (const word of tokenize(text).words) {
      const flags = field + (word.at > 0 ? WORD.later : 0) + (word.isSubword ? WORD.inner : 0);
      if (flags < (words.get(word.text) ?? Infinity)) words.set(word.text, flags);
    }
  };
  read(document.title, WORD.title);
  read(document.slug, WORD.slug);
  for (const alias of document.aliases) read(alias, WORD.alias);
  return words;
}
