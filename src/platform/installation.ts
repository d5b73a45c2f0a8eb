// Text of commands as they are typed in this installation: npm scripts in a clone, the executable in an installed package.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const IS_CLONE = existsSync(`${FOLDER}scripts/build.js`);
/** Where npm puts what is installed for all projects, and on the PATH. */
const IS_GLOBAL = FOLDER.includes('/lib/node_modules/');

/** `account create` → `npm run account -- create`, or `blazon account create`; without words: what serves. */
export function commandText(words = ''): string {
  const [name, ...rest] = words.split(' ');
  if (!IS_CLONE) return [IS_GLOBAL ? 'blazon' : 'npx blazon', words].join(' ').trim();
  if (name === '' || name === undefined) return 'npm start';
  return `npm run ${name}${rest.length === 0 ? '' : ` -- ${rest.join(' ')}`}`;
}

/** A text with the npm scripts of a clone, as they are typed in this installation: `npm run account -- create`. */
export function withCommandTexts(text: string): string {
  return text.replace(/npm run ([a-z]+)(?: -- ([a-z-]+))?/g, (_, ...words: (string | undefined)[]) =>
    commandText(words.slice(0, 2).filter(Boolean).join(' ')),
  );
}
