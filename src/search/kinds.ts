// Kinds of brands in the search index. A search for "browsers", or for another name of that kind, finds the browsers.
import type { Kind } from '../catalog/kinds.js';
import { tokenize, type TokenizedText } from '../platform/text/tokenize.js';
import type { SharedLists } from './shared-lists.js';
import { STEPS_BETWEEN_YIELDS } from './collect-terms.js';
import { prefixRange } from './inverted-index.js';
import { createIntegerList, type IntegerList } from '../platform/typed-arrays.js';

export interface IndexedKind {
  /** Categories of the kind's entries, the most important first. */
  readonly categories: readonly string[];
  /**
   * Document numbers: first the brands that kinds.json lists for the kind, in the order of that list, then the other
   * brands of the kind, best known first.
   */
  readonly documents: Int32Array;
  /** Number of documents that kinds.json lists for the kind. */
  readonly listed: number;
}

export interface KindIndex {
  /** Kinds by name. The key is the `kindKey` of one of the names. */
  readonly byKey: ReadonlyMap<string, IndexedKind>;
  /** Keys of `byKey`, sorted by UTF-16 code units. */
  readonly keys: readonly string[];
}

/** Minimum length of a prefix, because shorter prefixes match too many kinds. */
const MIN_BEGINNING = 5;

/** Returns the kinds that have a name with this prefix, without duplicates. */
export function kindsBegunBy({ byKey, keys }: KindIndex, beginning: string): readonly IndexedKind[] {
  if (beginning.length < MIN_BEGINNING) return [];
  const [from, to] = prefixRange({ terms: keys }, beginning);
  return [...new Set(keys.slice(from, to).flatMap((key) => byKey.get(key) ?? []))];
}

/**
 * Returns the key under which names of kinds are compared: equal for "Web browsers", "web-browser" and "webbrowser".
 */
export function kindKey({ words }: TokenizedText): string {
  return words
    .filter(({ isSubword }) => !isSubword)
    .map(({ text }) => stem(text))
    .join('');
}

/** Returns the same text for the singular and the plural of an English noun. The result may not be a word. */
function stem(word: string): string {
  const isPlural = word.length > 3 && /[^s]s$/.test(word) && word !== 'news';
  return (isPlural ? word.slice(0, -1) : word).replace(/ie$/, 'y').replace(/(sh|ch|x|ss|z)e$/, '$1');
}

interface Collected {
  /** Kinds that the operator defines. A category becomes a kind, too, unless a kind has its name. */
  readonly kinds: readonly Kind[];
  readonly categories: SharedLists;
  readonly numberOf: (slug: string) => number | undefined;
}

/** Builds the index of kinds. Yields regularly, so that the caller can run other work. */
export function* indexKinds({ kinds, categories, numberOf }: Collected): Generator<undefined, KindIndex> {
  const plans = planKinds(kinds, categories.lists);
  const listed = plans.map(({ brands }) => new Set(brands.map(numberOf).filter((number) => number !== undefined)));
  const others = plans.map(() => createIntegerList());
  const ofList = kindsOfLists(plans, categories.lists);
  for (const [document, list] of categories.numbers.entries()) {
    for (const kind of ofList[list] ?? []) if (listed[kind]?.has(document) === false) others[kind]?.push(document);
    if (document % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  const index = new Map<string, IndexedKind>();
  for (const [number, { categories: own, keys }] of plans.entries()) {
    const documents = joined([...(listed[number] ?? [])], others[number]);
    if (documents.length === 0) continue;
    const kind: IndexedKind = { categories: own, documents, listed: listed[number]?.size ?? 0 };
    for (const key of keys) if (!index.has(key)) index.set(key, kind);
    yield;
  }
  return { byKey: index, keys: [...index.keys()].sort() };
}

interface KindPlan {
  readonly categories: readonly string[];
  readonly keys: readonly string[];
  readonly brands: readonly string[];
}

/**
 * Returns the categories and names of each kind. Operators can define kinds. If an operator's kind has the name of a
 * category, the kind also includes this category.
 */
function planKinds(kinds: readonly Kind[], lists: SharedLists['lists']): readonly KindPlan[] {
  const keyOf = (name: string) => kindKey(tokenize(name));
  const plans = kinds.map(({ category, names, includes, brands }) => ({
    categories: [category, ...includes],
    keys: [category, ...names].map(keyOf),
    brands,
  }));
  const owners = new Map(plans.flatMap((plan) => plan.keys.map((key) => [key, plan] as const)));
  for (const category of new Set(lists.flat())) {
    const key = keyOf(category);
    const owner = owners.get(key);
    if (owner === undefined) plans.push({ categories: [category], keys: [key], brands: [] });
    else if (!owner.categories.includes(category)) owner.categories.push(category);
  }
  return plans;
}

/** Returns, for each list of categories, the indexes in `plans` of the kinds that include one of these categories. */
function kindsOfLists(plans: readonly KindPlan[], lists: SharedLists['lists']): readonly (readonly number[])[] {
  const byCategory = new Map<string, number[]>();
  for (const [number, { categories }] of plans.entries())
    for (const category of categories) byCategory.set(category, [...(byCategory.get(category) ?? []), number]);
  return lists.map((list) => [...new Set(list.flatMap((category) => byCategory.get(category) ?? []))]);
}

function joined(first: readonly number[], then: IntegerList | undefined): Int32Array {
  const documents = new Int32Array(first.length + (then?.length() ?? 0));
  documents.set(first);
  for (let at = first.length; at < documents.length; at++) documents[at] = then?.at(at - first.length) ?? 0;
  return documents;
}
