// Tokenization of names and queries. The result has the words, their letters without case and accents, and the position
// of each letter in the original text.

export interface Word {
  /** Letters of the word without case, accents and punctuation. */
  readonly text: string;
  /** Start of the word in `normalized`, in UTF-16 units. */
  readonly at: number;
  /** True for a later part of a CamelCase word, such as "Hub" of "GitHub". The list also contains the whole word. */
  readonly isSubword: boolean;
}

export interface TokenizedText {
  readonly words: readonly Word[];
  /** All whole words, joined: "Node.js" and "node js" both become `nodejs`. */
  readonly normalized: string;
  /**
   * `starts` and `ends`: for each UTF-16 unit of `normalized`, its start and end in the original text, in UTF-16 units.
   * The end is exclusive.
   */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Replacements for letters that NFKD and lower-casing do not change, but that people type as other letters. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ŋ: 'n',
  ς: 'σ',
};
const LETTER = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;
const APOSTROPHES = new Set(["'", '’', 'ʼ', '‘', '`']);
/** Maximum length of text that is tokenized, in UTF-16 units. No brand name is longer. */
const MAX_UNITS = 300;

/**
 * Tokenizes text. Examples: "C++" becomes `cplusplus`, "C#" `csharp`, ".NET" `dot net`, "AT&T" `at and t`, "L'Oréal"
 * `loreal`. Compatibility forms, case and accents are removed (Unicode NFKD). Text without letters and digits becomes
 * one word of symbols: "!!!" becomes `!!!`.
 */
export function tokenize(text: string): TokenizedText {
  const reader = createReader();
  const end = Math.min(text.length, MAX_UNITS);
  for (let at = 0; at < end;) {
    const point = text.codePointAt(at) ?? 0;
    const next = at + (point > 0xffff ? 2 : 1);
    if (point < 128) readAscii(reader, text, at);
    else readBeyondAscii(reader, String.fromCodePoint(point), at, next);
    at = next;
  }
  const tokenized = reader.close();
  return tokenized.normalized === '' ? readSymbols(text.slice(0, end)) : tokenized;
}

function createReader() {
  const words: Word[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let normalized = '';
  let wordAt = 0;
  let innerAt: number[] = [];
  let lastLower = false;
  const gap = () => {
    if (normalized.length > wordAt) {
      words.push({ text: normalized.slice(wordAt), at: wordAt, isSubword: false });
      for (const at of innerAt) words.push({ text: normalized.slice(at), at, isSubword: true });
    }
    wordAt = normalized.length;
    innerAt = [];
    lastLower = false;
  };
  return {
    gap,
    inWord: () => normalized.length > wordAt,
    letters(folded: string, start: number, end: number) {
      normalized += folded;
      repeat(starts, start, folded.length);
      repeat(ends, end, folded.length);
    },
    /** Called before a letter is added. `upper`, `lower`: case of the letter. */
    letterCase(upper: boolean, lower: boolean) {
      if (upper && lastLower) innerAt.push(normalized.length);
      lastLower = lower;
    },
    /** Adds a combining mark to the preceding letter. */
    extend(end: number) {
      if (ends.length > 0) ends[ends.length - 1] = end;
    },
    close(): TokenizedText {
      gap();
      return { words, normalized, starts, ends };
    },
  };
}

function repeat(into: number[], value: number, times: number): void {
  for (let left = times; left > 0; left--) into.push(value);
}

type Reader = ReturnType<typeof createReader>;

const isAsciiLetter = (unit: number) => (unit | 32) >= 97 && (unit | 32) <= 122;
const isAsciiDigit = (unit: number) => unit >= 48 && unit <= 57;
/**
 * Returns true for ASCII letters and digits, and for all characters beyond ASCII. Before one of these characters, "#"
 * is not read as "sharp", and an apostrophe does not end a word.
 */
const isWordUnit = (unit: number) => isAsciiLetter(unit) || isAsciiDigit(unit) || unit >= 128;

function readAscii(reader: Reader, text: string, at: number): void {
  const unit = text.charCodeAt(at);
  if (isAsciiLetter(unit)) {
    const upper = unit < 97;
    reader.letterCase(upper, !upper);
    reader.letters(String.fromCharCode(unit | 32), at, at + 1);
  } else if (isAsciiDigit(unit)) {
    reader.letterCase(false, false);
    reader.letters(String.fromCharCode(unit), at, at + 1);
  } else {
    readAsciiSymbol(reader, text, at);
  }
}

function readAsciiSymbol(reader: Reader, text: string, at: number): void {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  switch (text.charAt(at)) {
    case '+':
      reader.letters('plus', at, at + 1);
      return;
    case '#':
      if (reader.inWord() && !isWordUnit(next)) reader.letters('sharp', at, at + 1);
      else reader.gap();
      return;
    case '.':
      if (!reader.inWord() && isAsciiLetter(next)) reader.letters('dot', at, at + 1);
      reader.gap();
      return;
    case '&':
      reader.gap();
      reader.letters('and', at, at + 1);
      reader.gap();
      return;
    case "'":
    case '`':
      if (!(reader.inWord() && isWordUnit(next))) reader.gap();
      return;
    default:
      reader.gap();
  }
}

function readBeyondAscii(reader: Reader, character: string, start: number, end: number): void {
  if (APOSTROPHES.has(character)) return;
  const lower = character.toLowerCase();
  reader.letterCase(lower !== character, lower === character && lower !== character.toUpperCase());
  for (const part of (FOLDED[lower] ?? lower).normalize('NFKD')) {
    if (MARK.test(part)) reader.extend(end);
    else if (LETTER.test(part)) reader.letters(FOLDED[part] ?? part.toLowerCase(), start, end);
    else reader.gap();
  }
}

/** Tokenizes a text that consists of symbols only, such as "🤗" and "!!!". */
function readSymbols(text: string): TokenizedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let normalized = '';
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character.trim() !== '') {
      normalized += character;
      repeat(starts, at, character.length);
      repeat(ends, at + character.length, character.length);
    }
    at += character.length;
  }
  return {
    words: normalized === '' ? [] : [{ text: normalized, at: 0, isSubword: false }],
    normalized,
    starts,
    ends,
  };
}

/**
 * Returns further names of an entry. "AT&T" gets the name "AT T", without the "and". A title with brackets, such as
 * "01.AI (零一万物)", gets two names: the part before the brackets, and the text in the brackets. One of the two names is
 * omitted if the slug shows that it only names the maker. If the slug ends with the text in brackets, this text is the
 * maker: "Google" in "Gemma (Google)" with the slug `gemma-google`. If the slug equals the text in brackets, the part
 * before the brackets is the maker.
 */
export function otherSpellings({ title, slug }: { readonly title: string; readonly slug: string }): readonly string[] {
  const others = title.includes('&') ? [title.replaceAll('&', ' ')] : [];
  const [, start = '', inside = ''] = /^([^([（]+)[([（](.+)[)\]）]$/u.exec(title.trim()) ?? [];
  const before = start.trimEnd();
  if (before === '') return others;
  const [name, bracketed] = [tokenize(slug).normalized, tokenize(inside).normalized];
  if (name === bracketed) return [...others, inside];
  return name.endsWith(bracketed) ? [...others, before] : [...others, before, inside];
}
