// Entries with a name like an unknown one: for "did you mean" in errors, so it is cheap.
import { tokenize } from '../platform/text/tokenize.js';
import { NAME, type SearchData } from './documents.js';
import { eachNear, eachPosting, prefixRange } from './inverted-index.js';
import { maxEdits } from '../platform/text/typing-errors.js';

const MAX_NEAR = 3;
/** Shorter texts are the beginning of too many names. */
const MIN_CHARACTERS = 3;
/** Names that begin with the text and are read, of thousands. */
const MAX_BEGUN = 50;

/** Slugs of entries with a name that begins with this one, or is it with typing errors; the nearest and best known first. */
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
