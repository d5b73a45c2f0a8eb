// Forgiving queries: words that say nothing fall away, and a phrase that nothing has is searched for in part.
import { NOISE } from '../catalog/host-query.js';
import { tokenize, type TokenizedText, type Word } from '../platform/text/tokenize.js';

/** Words of a query of which parts are made; the rest is left out. */
const MAX_WORDS = 6;

/** The query without such words; undefined where nothing would be left, or nothing falls away. */
export function withoutNoise(query: TokenizedText): TokenizedText | undefined {
  const words = wholeWords(query);
  const kept = words.filter(({ text }) => !NOISE.has(text));
  return kept.length === 0 || kept.length === words.length ? undefined : phrase(kept);
}

/** Neighboring words of a query of several, the longest parts first, those that begin it before others. */
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
