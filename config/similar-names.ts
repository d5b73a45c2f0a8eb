// Finds environment variables that look like misspelled variables of the service.
import { maxEdits, editDistance } from '../src/platform/text/typing-errors.js';

/**
 * Variables that look misspelled but are not: Kubernetes sets the first one for a Service named `blazon`, and other
 * programs read the second one.
 */
const FOREIGN = ['BLAZON_PORT', 'HTTP_PROXY'];

/** Returns a simplified name for the comparison. It makes `BLAZON_DATADIR` similar to `DATA_DIR`. */
const bare = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^BLAZON_/, '')
    .replaceAll('_', '');

/** Returns the unknown names that may be misspelled known names, each with the known name. */
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
  // Only an equal name matches a short name, because a single edit can turn a short name into another common variable,
  // such as PORT into POST.
  const limit = known.length < 5 ? 0 : maxEdits(known.length);
  return editDistance(name, known, limit) <= limit;
}
