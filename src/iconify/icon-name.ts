// Icon names of Iconify, `[a-z0-9]+(-[a-z0-9]+)*`, and the conversion of other text to such names.
import { hash } from 'node:crypto';

export const ICON_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Maximum length of a name, equal to the maximum length of a slug. */
const MAX_SPELLED = 100;
const SUFFIX_DIGITS = 6;

/**
 * Returns an icon name with the signs spelled out, so that names seldom collide: `node.js` → `node-dot-js`. Returns
 * undefined if no character remains.
 */
export function spelledName(text: string): string | undefined {
  return plainName(text.replaceAll('.', '-dot-').replaceAll('_', '-underscore-'));
}

/**
 * Returns an icon name as people would write it, for aliases: `node.js` → `node-js`. Returns undefined if no character
 * remains.
 */
export function plainName(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_SPELLED)
    .replace(/-$/, '');
  return name === '' ? undefined : name;
}

/**
 * Returns a name for each text, regardless of the order of the texts. A text that is already a valid name is its own
 * name. If several other texts get equal names, the alphabetically first of them keeps the name. The names of the
 * others get a hash as suffix.
 */
export function assignNames(texts: Iterable<string>): ReadonlyMap<string, string> {
  const given = new Set(texts);
  const names = new Map<string, string>();
  const irregular: string[] = [];
  for (const text of given) {
    if (ICON_NAME_PATTERN.test(text)) names.set(text, text);
    else irregular.push(text);
  }
  const taken = new Set(names.keys());
  for (const text of irregular.sort()) {
    const spelled = spelledName(text);
    const hashed = `${spelled ?? 'icon'}-${hash('sha256', text).slice(0, SUFFIX_DIGITS)}`;
    const name = [spelled, hashed, `icon-${hash('sha256', text)}`].find(
      (choice): choice is string => choice !== undefined && !taken.has(choice),
    );
    if (name === undefined) continue;
    taken.add(name);
    names.set(text, name);
  }
  return names;
}
