// Finds entries whose name is similar to an unknown name, for "did you mean" in errors. Must be cheap, because clients
// can request any number of unknown names.
import { tokenize } from '../platform/text/tokenize.js';
import { NAME, type SearchData } from './documents.js';
import { eachNear, eachPosting, prefixRange } from './inverted-index.js';
import { maxEdits } from '../platform/text/typing-errors.js';

const MAX_NEAR = 3;
/** Minimum length of the name, because too many names start with a shorter text. */
const MIN_CHARACTERS = 3;
/** Maximum number of names with the given prefix that are read. There may be thousands. */
const MAX_BEGUN = 50;

/**
 * Returns slugs of entries with a name that starts with `name`, or that differs from it by typing errors. The most
 * similar and best known entries are first.
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
