// An icon set as the Iconify protocol serves it: names, aliases, categories, characters and themes.
import { addTo } from '../platform/concurrency/lists-by-key.js';
import { createSlice, sorted } from '../platform/concurrency/time-slices.js';
import type { IconProps, IconSetFacts, SetAlias } from '../catalog/set-icon.js';

/** Where the body of an icon is stored. */
interface BodySource {
  readonly etag: string;
  /**
   * If true, the stored text is an SVG document, and the body is the content of its root element. If false, the stored
   * text is the body itself.
   */
  readonly isDocument: boolean;
  /** If true, the viewBox of the document is the box of the icon. If false, `props` has the box. */
  readonly hasBox: boolean;
}

export interface SetMember {
  readonly name: string;
  /** Position of the name in the list of the set's names. */
  readonly at: number;
  readonly props: IconProps;
  readonly source: BodySource;
}

/** Parts from which an icon set is built, in any order. */
export interface SetMaterial {
  readonly prefix: string;
  readonly facts: IconSetFacts;
  readonly icons: readonly SetMember[];
  /** Aliases of the icons. Aliases whose target is unknown are omitted. */
  readonly aliases: readonly SetAlias[];
  /** Name of an icon, or of an alias with its own drawing → titles of its categories. */
  readonly categories: ReadonlyMap<string, readonly string[]>;
  readonly chars: ReadonlyMap<string, string>;
  /** Returns true for names that search omits, because search finds the icon under another prefix. */
  readonly isUnsearched?: (name: string) => boolean;
}

/** A drawing and all its names. */
export interface IconGroup {
  /** All names of the drawing. Lists of icons contain only the first one. */
  readonly names: [string, ...string[]];
  readonly hidden: boolean;
  readonly categories: readonly string[];
  /**
   * Length by which search ranks the drawing: the length of `names[0]` without its theme, such as `-outline`. Undefined
   * if `names[0]` has no theme.
   */
  readonly rankedLength: number | undefined;
}

export interface IconSet {
  readonly prefix: string;
  readonly facts: IconSetFacts;
  /** `facts.info` with the actual number of icons. Null if lists and searches omit the set. */
  readonly info: Readonly<Record<string, unknown>> | null;
  readonly total: number;
  readonly icons: ReadonlyMap<string, SetMember>;
  readonly aliases: ReadonlyMap<string, SetAlias>;
  /** Name or alias → drawing with all its names. */
  readonly groups: ReadonlyMap<string, IconGroup>;
  readonly chars: ReadonlyMap<string, IconGroup>;
  /** Themes (parts such as `outline`) with which names start or end, longest first. */
  readonly themes: readonly string[];
  readonly isUnsearched: (name: string) => boolean;
}

/** Themes that icon sets often use at the start or end of names without declaring them. */
const USUAL_THEMES = new Set(
  'baseline outline round sharp twotone thin light bold fill duotone linear line solid filled outlined'.split(' '),
);

const DRAWN_PROPS = ['left', 'top', 'width', 'height', 'rotate', 'hFlip', 'vFlip', 'hidden'] as const;

/** Number of names between two yields. */
const STEP_NAMES = 500;

/** Builds the set. Yields regularly, so that the caller can run other work. */
export function* buildIconSet(material: SetMaterial): Generator<undefined, IconSet> {
  const { prefix, facts, isUnsearched = () => false } = material;
  const icons = new Map([...material.icons].sort(byPosition).map((icon) => [icon.name, icon]));
  const given = new Map([...material.aliases].sort(byPosition).map((alias) => [alias.name, alias]));
  for (const name of icons.keys()) given.delete(name);
  const themes = themesOf(facts, [...icons.keys(), ...given.keys()]);
  const groups = yield* groupNames({ icons, aliases: given, categories: material.categories, themes });
  const aliases = new Map([...given].filter(([name]) => groups.has(name)));
  const total = new Set([...groups.values()].filter(({ hidden }) => !hidden)).size;
  const chars = new Map<string, IconGroup>();
  for (const [char, name] of material.chars) {
    const group = groups.get(name);
    // If a character of the icon font is at the same time the name of an icon or alias, the name takes precedence.
    if (group !== undefined && !groups.has(char)) chars.set(char, group);
  }
  const info = facts.info && { ...facts.info, total };
  return { prefix, facts, info, total, icons, aliases, groups, chars, themes, isUnsearched };
}

function byPosition(one: { readonly at: number }, other: { readonly at: number }): number {
  return one.at - other.at;
}

interface Names {
  readonly icons: ReadonlyMap<string, SetMember>;
  readonly aliases: ReadonlyMap<string, SetAlias>;
  readonly categories: ReadonlyMap<string, readonly string[]>;
  readonly themes: readonly string[];
}

/**
 * Groups the names by drawing, in the order of the set. An alias comes after its parent. Aliases whose target is
 * unknown are omitted.
 */
function* groupNames({
  icons,
  aliases,
  categories,
  themes,
}: Names): Generator<undefined, ReadonlyMap<string, IconGroup>> {
  const groups = new Map<string, IconGroup>();
  const groupOf = (name: string, hidden: boolean, inherited: readonly string[]): IconGroup => ({
    names: [name],
    hidden,
    categories: categories.get(name) ?? inherited,
    rankedLength: lengthWithoutTheme(name, themes),
  });
  let done = 0;
  for (const [name, { props }] of icons) {
    groups.set(name, groupOf(name, props.hidden === true, []));
    if (++done % STEP_NAMES === 0) yield;
  }
  for (const first of aliases.keys()) {
    if (++done % STEP_NAMES === 0) yield;
    const chain: SetAlias[] = [];
    for (let name = first; !groups.has(name);) {
      const alias = aliases.get(name);
      if (alias === undefined || chain.includes(alias)) break;
      chain.push(alias);
      name = alias.parent;
    }
    for (const { name, parent, props } of chain.reverse()) {
      const group = groups.get(parent);
      if (group === undefined) break;
      const hidden = props.hidden ?? group.hidden;
      if (DRAWN_PROPS.some((key) => key !== 'hidden' && props[key] !== undefined) || hidden !== group.hidden)
        groups.set(name, groupOf(name, hidden, group.categories));
      else {
        group.names.push(name);
        groups.set(name, group);
      }
    }
  }
  return groups;
}

function themesOf({ prefixes, suffixes }: IconSetFacts, names: readonly string[]): readonly string[] {
  const found = new Set(
    [...Object.keys(prefixes ?? {}), ...Object.keys(suffixes ?? {})].filter((theme) => theme !== ''),
  );
  for (const name of names) {
    const first = name.slice(0, name.indexOf('-'));
    const last = name.slice(name.lastIndexOf('-') + 1);
    if (!name.includes('-')) continue;
    if (USUAL_THEMES.has(first)) found.add(first);
    if (USUAL_THEMES.has(last)) found.add(last);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** Returns the length of a name without its theme, or undefined if the name has no theme. */
export function lengthWithoutTheme(name: string, themes: readonly string[]): number | undefined {
  const theme = themes.find((each) => name.startsWith(`${each}-`) || name.endsWith(`-${each}`));
  return theme === undefined ? undefined : name.length - theme.length - 1;
}

/** Returns the response of the route `collection`. Yields after each time slice. */
export function* collectionOf(set: IconSet, { info, chars }: { readonly info: boolean; readonly chars: boolean }) {
  const { aliases, hidden, uncategorized, byTitle } = yield* listsOf(set);
  const categories: Record<string, readonly string[]> = {};
  for (const [title, names] of byTitle) categories[title] = yield* sorted(names, byLetters);
  const listed = yield* sorted(uncategorized, byLetters);
  const { prefixes, suffixes } = set.facts;
  return {
    prefix: set.prefix,
    total: set.total,
    ...(set.info && { title: set.info.name }),
    ...(set.info && info && { info: set.info }),
    ...(listed.length > 0 && { uncategorized: listed }),
    ...(byTitle.size > 0 && { categories }),
    ...(hidden.length > 0 && { hidden }),
    ...(Object.keys(aliases).length > 0 && { aliases }),
    ...(chars && charsOf(set)),
    ...(prefixes && { prefixes }),
    ...(suffixes && { suffixes }),
  };
}

const byLetters = new Intl.Collator().compare;

function* listsOf({ groups }: IconSet) {
  const isOver = createSlice();
  const listed = new Set<IconGroup>();
  const aliases: Record<string, string> = {};
  for (const [name, group] of groups) {
    const [first] = group.names;
    listed.add(group);
    if (name !== first) aliases[name] = first;
    if (isOver()) yield;
  }
  const [hidden, uncategorized]: [string[], string[]] = [[], []];
  const byTitle = new Map<string, string[]>();
  for (const group of listed) {
    const [name] = group.names;
    if (group.hidden) hidden.push(name);
    else if (group.categories.length === 0) uncategorized.push(name);
    else for (const title of group.categories) addTo(byTitle, title, name);
    if (isOver()) yield;
  }
  return { aliases, hidden, uncategorized, byTitle };
}

function charsOf({ chars }: IconSet): { readonly chars?: Record<string, string> } {
  return chars.size === 0 ? {} : { chars: Object.fromEntries([...chars].map(([char, { names }]) => [char, names[0]])) };
}
