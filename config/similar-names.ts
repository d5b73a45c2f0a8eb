// Finds environment variables that look like misspelled variables of the service.
import { maxEdits, editDistance } from '../src/platform/text/typing-errors.js';

/** Kubernetes sets it for a Service named `blazon`. */
const FOREIGN = ['BLAZON_PORT'];

/** Normalizes a name for the comparison, so that `BLAZON_DATADIR` is close to `DATA_DIR`. */
const bare = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^BLAZON_/, '')
    .replaceAll('_', '');

/** Returns the unknown names that are within a typing error of a known name, each with that known name. */
export function similarNames(
  given: readonly string[],
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] {
  return given
    .filter((name) => !known.includes(name) && !FOREIGN.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => isClose(bare(name), bare(one)));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

function isClose(name: string, known: string): boolean {
  // In short names, a single edit already gives other common variables: PORT and POST.
  const limit = known.length < 5 ? 0 : maxEdits(known.length);
  return editDistance(name, known, limit) <= limit;
}
