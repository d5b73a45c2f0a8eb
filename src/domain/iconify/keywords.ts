// Keyword lookup of the Iconify protocol: which keywords complete what a person has begun to type.
import { ICON_NAME_PATTERN } from './icon-name.js';
import type { Steps } from '../steps.js';
import type { KeywordIndex } from './keyword-index.js';

export interface KeywordMatches {
  /** The text can be no keyword. */
  readonly invalid?: true;
  /** It is a keyword as it stands. */
  readonly exists: boolean;
  readonly matches: readonly string[];
}

/** `suffixes`: also keywords that end so. Of words with dashes, the last part; the others must be keywords. */
export function* matchKeywords(
  index: KeywordIndex,
  { text, suffixes }: { readonly text: string; readonly suffixes: boolean },
): Steps<KeywordMatches> {
  const word = text.toLowerCase().trim();
  const exists = (keyword: string): boolean => index.prefixesOf(keyword) !== undefined;
  if (!ICON_NAME_PATTERN.test(word)) return { invalid: true, exists: exists(word), matches: [] };
  const parts = word.split('-');
  const last = parts.at(-1) ?? '';
  if (!parts.slice(0, -1).every(exists)) return { exists: false, matches: [] };
  return {
    exists: exists(last),
    matches: yield* index.completions(last, { suffixes: suffixes && parts.length === 1 }),
  };
}
