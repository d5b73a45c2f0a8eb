// Parses the search text of the Iconify protocol into its possible interpretations (readings), which are searched in
// order.
import { ICON_NAME_PATTERN } from './icon-name.js';

/** A possible interpretation of a search text. */
export interface Reading {
  /** Keywords that a name must contain. Keywords are the parts of names between dashes. */
  readonly keywords: readonly string[];
  /** Text with which a keyword of the name must start or end. Undefined if there is no such text. */
  readonly partial: string | undefined;
  /** Texts that a name must contain literally. */
  readonly contained: readonly string[];
  /**
   * Allowed prefixes of sets; undefined allows all prefixes. An item that ends with a dash (`mdi-`) allows all prefixes
   * that start with the item.
   */
  readonly prefixes: readonly string[] | undefined;
}

type SearchWords =
  | { readonly kind: 'readings'; readonly readings: Iterable<Reading>; readonly palette: boolean | undefined }
  /** The text cannot match any icon. */
  | { readonly kind: 'nothing' }
  /** The text contains a filter by fill or stroke, which Blazon does not support. */
  | { readonly kind: 'style' };

/** Minimum length of a partial keyword. Shorter words match only whole keywords. */
export const MIN_PARTIAL_CHARACTERS = 2;

const NOTHING = { kind: 'nothing' } as const;

/** Parts of a word between its dashes. If the word starts or ends with a dash, the first or last part is empty. */
type Parts = readonly string[];

interface Scan {
  readonly words: string[];
  readonly prefixes: Set<string>;
  /** True if the search text contains a filter by prefix. */
  saysPrefix: boolean;
  palette: boolean | undefined;
}

/** Parses a search text. If `allowsPartial` is true, the last word may be a part of a keyword. */
export function readSearchWords(text: string, allowsPartial: boolean): SearchWords {
  const scan: Scan = { words: [], prefixes: new Set(), saysPrefix: false, palette: undefined };
  for (const chunk of text.toLowerCase().trim().split(/\s+/)) {
    const outcome = readChunk(chunk, scan);
    if (outcome === 'style') return { kind: 'style' };
    if (outcome === 'invalid') return NOTHING;
  }
  const words = scan.words.map((word) => word.split('-'));
  const isValid = words.every(
    (parts) => parts.some(Boolean) && parts.every((part) => part === '' || ICON_NAME_PATTERN.test(part)),
  );
  if (words.length === 0 || !isValid) return NOTHING;
  const { prefixes, saysPrefix, palette } = scan;
  const allowsPrefix = !saysPrefix && prefixes.size === 0;
  return { kind: 'readings', readings: readingsOf(words, { allowsPartial, allowsPrefix, prefixes }), palette };
}

type ChunkOutcome = 'read' | 'invalid' | 'style';

function readChunk(chunk: string, scan: Scan): ChunkOutcome {
  const [name = '', value, ...more] = chunk.split(':');
  if (more.length > 0) return 'invalid';
  if (value !== undefined) return readColonPair(name, value, scan);
  const [key = '', given, ...others] = chunk.split('=');
  if (others.length > 0) return 'invalid';
  if (given !== undefined) return readEqualsPair(key, given, scan);
  scan.words.push(chunk);
  return 'read';
}

/** Parses `palette:true`, `prefix:mdi` or `mdi:home`. */
function readColonPair(name: string, value: string, scan: Scan): ChunkOutcome {
  if (isStyle(name, value)) return 'style';
  const palette = name === 'palette' ? booleanOf(value) : undefined;
  if (palette !== undefined) {
    scan.palette = palette;
    return 'read';
  }
  if (scan.saysPrefix) return 'invalid';
  scan.saysPrefix = true;
  if (name === 'prefix' || name === 'prefixes') return addPrefixes(value, scan);
  const named = name.split(',').map((prefix) => prefix.trim());
  const valid = named.filter((prefix) => ICON_NAME_PATTERN.test(prefix));
  for (const prefix of valid) scan.prefixes.add(prefix);
  if (valid.length === 0) return 'invalid';
  if (value !== '') scan.words.push(value);
  return 'read';
}

/** Parses `palette=true` or `prefix=mdi-`. */
function readEqualsPair(key: string, value: string, scan: Scan): ChunkOutcome {
  if (isStyle(key, value)) return 'style';
  if (key === 'palette') {
    scan.palette = booleanOf(value);
    return scan.palette === undefined ? 'invalid' : 'read';
  }
  if ((key !== 'prefix' && key !== 'prefixes') || scan.saysPrefix) return 'invalid';
  return addPrefixes(value, scan);
}

function isStyle(name: string, value: string): boolean {
  if (name === 'style') return value === 'fill' || value === 'stroke';
  return (name === 'fill' || name === 'stroke') && booleanOf(value) === true;
}

/** Adds a filter by prefix: `mdi` allows this prefix, `mdi-` all prefixes that start with it, and `mdi*` both. */
function addPrefixes(text: string, { prefixes }: Scan): ChunkOutcome {
  let isRead = false;
  for (const given of text.split(',')) {
    const prefix = given.trim();
    const start = prefix.endsWith('*') ? prefix.slice(0, -1) : undefined;
    const isValid = start === undefined ? ICON_NAME_PATTERN.test(`${prefix}a`) : ICON_NAME_PATTERN.test(start);
    if (prefix === '' || !isValid) continue;
    isRead = true;
    for (const each of start === undefined ? [prefix] : [start, `${start}-`]) prefixes.add(each);
  }
  return isRead ? 'read' : 'invalid';
}

export function booleanOf(text: string): boolean | undefined {
  if (['true', 'yes', '1'].includes(text)) return true;
  return ['false', 'no', '0'].includes(text) ? false : undefined;
}

interface ReadingOptions {
  readonly allowsPartial: boolean;
  /** True if the first word, or the first part of this word, may be the prefix of a set. */
  readonly allowsPrefix: boolean;
  /**
   * Prefixes of the icon sets to which filters in the search text restrict the results. Empty if there is no such
   * filter.
   */
  readonly prefixes: ReadonlySet<string>;
}

/**
 * Yields the interpretations (readings) of the search text one by one, because a text of fifty words has more than a
 * thousand. Omits interpretations without keywords.
 */
function* readingsOf(
  words: readonly Parts[],
  { allowsPartial, allowsPrefix, prefixes }: ReadingOptions,
): Iterable<Reading> {
  for (const [each, prefix] of wordings(words, allowsPrefix)) {
    const terms = termsOf(each, allowsPartial);
    const among = prefix === undefined ? [...prefixes] : [...prefixes, prefix];
    if (terms !== undefined) yield { ...terms, prefixes: among.length === 0 ? undefined : among };
  }
}

type Wording = readonly [words: readonly Parts[], prefix?: string];

function* wordings(words: readonly Parts[], allowsPrefix: boolean): Iterable<Wording> {
  if (allowsPrefix) {
    const [first = [], ...others] = words;
    const firstGap = first.indexOf('');
    const isPrefix = firstGap === -1 || (first.length > 1 && firstGap === first.length - 1);
    if (others.length > 0 && isPrefix) yield [others, first.join('-')];
    const [head = '', next = '', ...tail] = first;
    if (head !== '' && next !== '') yield [[[next, ...tail], ...others], head];
  }
  yield [words];
  for (const merged of mergedWords(words)) yield [merged];
}

/**
 * Yields variations of the words in which neighboring words are merged: "git hub" becomes "github". Words with a dash
 * are not merged.
 */
function* mergedWords(words: readonly Parts[]): Iterable<readonly Parts[]> {
  const isSimple = (parts: Parts | undefined): boolean => parts?.length === 1 && parts[0] !== '';
  for (let start = 0; start < words.length - 1; start++) {
    for (let end = start + 1; end < words.length && isSimple(words[start]) && isSimple(words[end]); end++)
      yield [...words.slice(0, start), [words.slice(start, end + 1).join('')], ...words.slice(end + 1)];
  }
}

/** Returns the search terms of one interpretation of the search text, or undefined if it has no keywords. */
function termsOf(words: readonly Parts[], allowsPartial: boolean): Omit<Reading, 'prefixes'> | undefined {
  const parts = words.flat();
  const last = parts.at(-1) ?? '';
  const partial = allowsPartial && last.length >= MIN_PARTIAL_CHARACTERS ? last : undefined;
  const keywords = (partial === undefined ? parts : parts.slice(0, -1)).filter((part) => part !== '');
  if (keywords.length === 0 && partial === undefined) return undefined;
  const contained = words
    .filter((each) => each.length > 1)
    // As in Iconify, the dash of a word that begins with a dash is doubled: `-a` → `--a`.
    .map((each) => `${each[0] === '' ? '-' : ''}${each.join('-')}`);
  return { keywords: [...new Set(keywords)], partial, contained: [...new Set(contained)] };
}
