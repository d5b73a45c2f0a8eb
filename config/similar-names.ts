// Environment variables that look like the service's own, but are not: most likely misspelled.
import { maxEdits, editDistance } from '../src/search/typing-errors.js';

/** Kubernetes sets it for a Service named `blazon`. */
const OF_OTHERS = ['BLAZON_PORT'];

/** As it is compared: `BLAZON_DATADIR` is close to `DATA_DIR`. */
const bare = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^BLAZON_/, '')
    .replaceAll('_', '');

/**
 * Of the names in the environment, those that no list has but that are within a typing error of a known one, with that
 * one.
 */
export function similarNames(
  given: readonly string[],
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] {
  return given
    .filter((name) => !known.includes(name) && !OF_OTHERS.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => isClose(bare(name), bare(one)));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function isClose(name: string, known: string): boolean {
  // One edit in a name as short as PORT or HOST would also be PATH's neighbor POST.
  const limit = known.length < 5 ? 0 : maxEdits(known.length);
  return editDistance(name, known, limit) <= limit;
}
