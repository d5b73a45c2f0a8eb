// Relaxes a query that matches no document: omits meaningless words, or searches for parts of the query.
import { NOISE } from '../catalog/host-query.js';
import { tokenize, type TokenizedText, type Word } from '../platform/text/tokenize.js';

/** Maximum number of words of a query from which partial queries are made. Further words are ignored. */
const MAX_WORDS = 6;

/**
 * Returns the query without meaningless words. Returns undefined if no word would remain, or if no word is meaningless.
 */
export function withoutNoise(query: TokenizedText): TokenizedText | undefined {
  const words = wholeWords(query);
  const kept = words.filter(({ text }) => !NOISE.has(text));
  return kept.length === 0 || kept.length === words.length ? undefined : phrase(kept);
}

/**
 * Yields parts of a query: sequences of its words, longest first. Among sequences of equal length, the earlier one is
 * first.
 */
export function* partsOf(query: TokenizedText): Generator<TokenizedText> {
  const words = wholeWords(query).slice(0, MAX_WORDS);
  const longest = Math.min(words.length, wholeWords(query).length - 1);
  for (let length = longest; length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length);
      if (part.some(({ text }) => text.length > 1 && !NOISE.has(text))) yield phrase(part);
    }
}

function wholeWords({ words }: TokenizedText): readonly Word[] {
  return words.filter(({ isSubword }) => !isSubword);
}

function phrase(words: readonly Word[]): TokenizedText {
  return tokenize(words.map(({ text }) => text).join(' '));
}
