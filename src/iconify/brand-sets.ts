// Icon sets that Blazon builds from the catalog's entries. `blazon` contains the default drawing of every entry.
// `blazon-{variant}` contains the drawings of another variant.
import type { Entry, Variant } from '../catalog/entry.js';
import { slugOf } from '../catalog/names.js';
import type { IconProps, SetAlias } from '../catalog/set-icon.js';
import { addTo } from '../platform/concurrency/lists-by-key.js';
import { sorted } from '../platform/concurrency/time-slices.js';
import { assignNames, ICON_NAME_PATTERN, plainName } from './icon-name.js';
import type { SetMaterial, SetMember } from './icon-set.js';

export const OWN_PREFIX = 'blazon';

/** Number of entries between two yields. */
const STEP_ENTRIES = 100;

interface Listed {
  readonly entry: Entry;
  readonly variant: Variant;
}

/** Collects entries in any order, then builds icon sets from them. */
export function createBrandSets() {
  const byVariant = new Map<string, Listed[]>();
  return {
    add(entry: Entry): void {
      for (const variant of entry.variants) addTo(byVariant, variant.name, { entry, variant });
    },
    /** Builds the sets. Yields regularly, so that the caller can run other work. */
    *finish(lastModified: number | null): Generator<undefined, readonly SetMaterial[]> {
      const names = assignNames(byVariant.keys());
      const sets: SetMaterial[] = [];
      const byName = [...byVariant].sort(
        ([a], [b]) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1),
      );
      for (const [variant, members] of byName) {
        const name = names.get(variant);
        if (name !== undefined) sets.push(yield* brandSet({ variant, name, members, lastModified }));
      }
      return sets;
    },
  };
}

interface BrandSet {
  readonly variant: Variant['name'];
  /** Name of the variant, as the set's prefix contains it. */
  readonly name: string;
  readonly members: readonly Listed[];
  readonly lastModified: number | null;
}

function* brandSet({ variant, name, members, lastModified }: BrandSet): Generator<undefined, SetMaterial> {
  const listed = yield* sorted(members, (a, b) => (a.entry.slug < b.entry.slug ? -1 : 1));
  yield;
  const names = assignNames(listed.map(({ entry }) => entry.slug));
  yield;
  const icons: SetMember[] = [];
  const categories = new Map<string, readonly string[]>();
  const unsearched = new Set<string>();
  let done = 0;
  for (const {
    entry: { slug, categories: own, setIcon },
    variant: { etag },
  } of listed) {
    const at = done++;
    if (at % STEP_ENTRIES === 0) yield;
    const icon = names.get(slug);
    if (icon === undefined) continue;
    icons.push({ name: icon, at, props: {}, source: { etag, isDocument: true, hasBox: true } });
    if (own.length > 0) categories.set(icon, own);
    // The drawing is also an icon of the imported set from which it comes. Search finds it there, so search omits it
    // here.
    if (setIcon) unsearched.add(icon);
  }
  return {
    prefix: variant === 'default' ? OWN_PREFIX : `${OWN_PREFIX}-${name}`,
    facts: { info: infoOf(variant), lastModified, box: usualBox(members), prefixes: null, suffixes: null },
    icons,
    aliases: yield* aliasesOf(listed, names),
    categories,
    chars: new Map(),
    isUnsearched: (icon) => unsearched.has(icon),
  };
}

/**
 * Returns the box (width and height) that most icons have. The set states this box as its default, and each icon also
 * states its own box.
 */
function usualBox(members: readonly Listed[]): IconProps {
  const counts = new Map<string, { readonly box: IconProps; times: number }>();
  for (const {
    variant: { width, height },
  } of members) {
    const known = counts.get(`${width} ${height}`);
    if (known) known.times += 1;
    else counts.set(`${width} ${height}`, { box: { width, height }, times: 1 });
  }
  return [...counts.values()].reduce((most, each) => (each.times > most.times ? each : most)).box;
}

/**
 * Returns the aliases of the icons. If several entries claim an alias, the entry whose slug is first in the alphabet
 * gets it. The name of an icon never becomes an alias. Entries from imported icon sets get no aliases, because names
 * such as "home" are too common.
 */
function* aliasesOf(
  listed: readonly Listed[],
  names: ReadonlyMap<string, string>,
): Generator<undefined, readonly SetAlias[]> {
  const taken = new Set(names.values());
  const aliases: SetAlias[] = [];
  let done = 0;
  for (const {
    entry: { slug, title, aliases: others, setIcon },
  } of listed) {
    if (++done % STEP_ENTRIES === 0) yield;
    const parent = names.get(slug);
    if (parent === undefined) continue;
    const said = setIcon ? [] : [title, ...others];
    const spellings = [plainName(slug), ...said.flatMap((text) => [slugOf(text), plainName(text)])];
    for (const name of spellings) {
      if (name === undefined || taken.has(name) || !ICON_NAME_PATTERN.test(name)) continue;
      taken.add(name);
      aliases.push({ name, at: listed.length + aliases.length, parent, props: {} });
    }
  }
  return aliases;
}

function infoOf(variant: string): Readonly<Record<string, unknown>> {
  return {
    name: variant === 'default' ? 'Blazon' : `Blazon (${variant})`,
    total: 0,
    author: { name: 'The sources of each entry' },
    license: { title: 'The license of each entry' },
    category: 'Brands / Social',
    palette: variant !== 'mono',
  };
}
