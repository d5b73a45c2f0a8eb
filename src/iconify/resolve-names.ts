// Resolves the requested names of an icon set to icons and aliases.
import type { IconProps, SetAlias } from '../catalog/set-icon.js';
import type { IconSet, SetMember } from './icon-set.js';

type Alias = Pick<SetAlias, 'parent' | 'props'>;

export interface ResolvedNames {
  readonly icons: readonly SetMember[];
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly notFound: readonly string[];
  /** Number of different names that were found. */
  readonly answered: number;
}

/** Returns the alias with this name. A character of an icon font counts as an alias of its icon. */
function aliasOf(set: IconSet, name: string): Alias | undefined {
  const alias = set.aliases.get(name);
  if (alias !== undefined) return alias;
  const group = set.chars.get(name);
  return group && { parent: group.names[0], props: {} };
}

/** Returns the icons to which the names lead, and the aliases between name and icon. */
export function resolveNames(set: IconSet, names: readonly string[]): ResolvedNames {
  const wanted = new Set(names);
  const icons = new Map<string, SetMember>();
  const aliases = new Map<string, Alias>();
  const notFound = new Set<string>();
  for (const name of wanted) {
    for (let each = name; ;) {
      const icon = set.icons.get(each);
      if (icon !== undefined) {
        icons.set(each, icon);
        break;
      }
      const alias = aliasOf(set, each);
      if (alias === undefined) {
        notFound.add(name);
        break;
      }
      aliases.set(each, alias);
      each = alias.parent;
    }
  }
  const answered = wanted.size - notFound.size;
  // As in Iconify: if no name is found, `notFound` contains the requested names unchanged, with duplicates.
  return { icons: [...icons.values()], aliases, notFound: answered === 0 ? names : [...notFound], answered };
}

/**
 * Returns the icon to which a name leads, and the properties of the aliases between the name and the icon. The alias
 * that refers directly to the icon is first. Returns undefined for an unknown name.
 */
export function resolveName(
  set: IconSet,
  name: string,
): { readonly icon: SetMember; readonly aliases: readonly IconProps[] } | undefined {
  const { icons, aliases } = resolveNames(set, [name]);
  const [icon] = icons;
  return icon && { icon, aliases: [...aliases.values()].map(({ props }) => props).reverse() };
}
