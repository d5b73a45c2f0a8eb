// Icon names of Iconify: `[a-z0-9]+(-[a-z0-9]+)*`, and the spelling of what has other characters.
import { hash } from 'node:crypto';

/** Prefixes, icons and aliases. */
export const ICON_NAME_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Slugs have no more characters. */
const MAX_SPELLED = 100;
const SUFFIX_DIGITS = 6;

/**
 * `node.js` is `node-dot-js`: "." and "_" are written out, so that the spelling does not depend on which other names
 * there are. Undefined when nothing of it is left.
 */
export function spelledName(text: string): string | undefined {
  return plainName(text.replaceAll('.', '-dot-').replaceAll('_', '-underscore-'));
}

/** `node.js` is `node-js`: as a person would write it, for an alias. */
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
 * A name for each of these texts, whatever their order: those that follow the rule keep theirs; where two others are
 * spelled alike, the first in alphabetical order has the spelling, and the next ones have a hash of their own behind it.
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
