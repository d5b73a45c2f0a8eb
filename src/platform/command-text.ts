// Commands as users type them in this installation: npm scripts in a clone, or the executable `blazon` of a package.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const IS_CLONE = existsSync(`${FOLDER}scripts/build.js`);
/** True if npm has installed the package globally, so that the executable is on the PATH. */
const IS_GLOBAL = FOLDER.includes('/lib/node_modules/');

/**
 * Returns the command for the given words. Example: for `account create`, returns `npm run account -- create` or
 * `blazon account create`. Without words, returns the command that starts the service.
 */
export function commandText(words = ''): string {
  const [name, ...rest] = words.split(' ');
  if (!IS_CLONE) return [IS_GLOBAL ? 'blazon' : 'npx blazon', words].join(' ').trim();
  if (name === '' || name === undefined) return 'npm start';
  return `npm run ${name}${rest.length === 0 ? '' : ` -- ${rest.join(' ')}`}`;
}

/** Replaces npm scripts in a text, such as `npm run account -- create`, by the commands of this installation. */
export function withCommandTexts(text: string): string {
  return text.replace(/npm run ([a-z]+)(?: -- ([a-z-]+))?/g, (_, ...words: (string | undefined)[]) =>
    commandText(words.slice(0, 2).filter(Boolean).join(' ')),
  );
}
