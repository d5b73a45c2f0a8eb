// Merges answers of the Iconify protocol. An account's own icons take precedence over icons of the catalog.
import type { IconSet } from './icon-set.js';

export type Json = Readonly<Record<string, unknown>>;

interface Collection extends Json {
  readonly uncategorized?: readonly string[];
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly info?: Json;
}

/** Returns how many icons of the own set don't replace an icon of the catalog's set. */
export function newcomers(own: IconSet, others: IconSet): number {
  let count = 0;
  for (const [name, { names, hidden }] of own.groups)
    if (!hidden && name === names[0] && others.groups.get(name)?.names[0] !== name) count++;
  return count;
}

/** Merges two answers of the Iconify route `{prefix}.json`: `others` from the catalog, `own` from the account. */
export function mergeIcons(others: Json, own: Json): Json {
  const merged = (field: string): object => ({ ...(others[field] as object), ...(own[field] as object) });
  return { ...others, ...{ lastModified: own.lastModified, icons: merged('icons'), aliases: merged('aliases') } };
}

/** Merges two answers of the Iconify route `collection`: `others` from the catalog, `own` from the account. */
export function mergeCollections(others: Collection, own: Collection): Json {
  const mine = new Set([own.uncategorized ?? [], ...Object.values(own.categories ?? {})].flat());
  const both = (some: readonly string[] = [], more: readonly string[] = []): readonly string[] =>
    [...some.filter((name) => !mine.has(name)), ...more].sort();
  const titles = Object.keys({ ...others.categories, ...own.categories });
  const categories = titles.map((title) => [title, both(others.categories?.[title], own.categories?.[title])] as const);
  const uncategorized = both(others.uncategorized, own.uncategorized);
  const icons = new Set([uncategorized, ...categories.map(([, names]) => names)].flat());
  const total = icons.size;
  const aliases = Object.entries({ ...others.aliases, ...own.aliases }).filter(([name]) => !icons.has(name));
  return {
    ...others,
    total,
    ...(others.info && { info: { ...others.info, total } }),
    ...(uncategorized.length > 0 && { uncategorized }),
    categories: Object.fromEntries(categories.filter(([, names]) => names.length > 0)),
    aliases: Object.fromEntries(aliases),
  };
}
