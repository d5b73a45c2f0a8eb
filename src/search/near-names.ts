// Finds entries with a name similar to an unknown name. Errors use it for "did you mean", so it must be cheap.
import { tokenize } from '../platform/text/tokenize.js';
import { NAME, type SearchData } from './documents.js';
import { eachNear, eachPosting, prefixRange } from './inverted-index.js';
import { maxEdits } from '../platform/text/typing-errors.js';

const MAX_NEAR = 3;
/** Minimum length. Shorter texts are the prefix of too many names. */
const MIN_CHARACTERS = 3;
/** Maximum number of names with this prefix to read. There may be thousands. */
const MAX_BEGUN = 50;

/**
 * Returns slugs of entries that have a name with this prefix or with typing errors, the most similar and best known
 * first.
 */
export function nearNames({ documents, names }: SearchData, name: string): readonly string[] {
  const typed = tokenize(name).normalized;
  if (typed.length < MIN_CHARACTERS) return [];
  const distances = new Map<number, number>();
  const offer = (term: number, distance: number): void =>
    eachPosting(names, term, (document, field) => {
      if (field !== NAME.shortForm) distances.set(document, Math.min(distance, distances.get(document) ?? Infinity));
    });
  const [from, to] = prefixRange(names, typed);
  for (let term = from; term < Math.min(to, from + MAX_BEGUN); term++) offer(term, 1);
  eachNear(names, typed, maxEdits(typed.length), offer);
  return [...distances]
    .sort(([one, near], [other, far]) => near - far || one - other)
    .slice(0, MAX_NEAR)
    .flatMap(([document]) => documents[document]?.slug ?? []);
}
