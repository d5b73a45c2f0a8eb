// Groups the candidates of several sources by brand, and chooses each brand's slug.
import type { Slug } from '../entry.js';
import type { Candidate, SourceFacts, SourceKind } from './candidate.js';
import { isSlug, nameKey, slugOf, splitKey, type DrawingSuffix } from '../names.js';
import { ownProperty, type CatalogPolicy } from './import-policy.js';
import { vendorOf } from './titles.js';

export interface SourcedCandidate {
  readonly candidate: Candidate;
  readonly source: SourceFacts;
}

export interface Member extends SourcedCandidate {
  /** Key of the icon, without the suffixes that name a drawing (`icon`, `dark`, …). */
  readonly base: string;
  readonly suffixes: readonly DrawingSuffix[];
  /**
   * True if the operator gives the icon its own slug. Without this slug, the icon would be merged with another brand.
   */
  readonly isSeparate?: true;
}

export interface Brand {
  readonly slug: Slug;
  /** Candidates of the brand. The candidate of the best source for names is first. */
  readonly members: readonly [Member, ...Member[]];
}

/** Kinds of sources. The first kind takes precedence for titles and facts. */
const TITLE_ORDER: readonly SourceKind[] = ['glyphs', 'brands', 'set'];

/**
 * Groups the candidates of sources of the kinds `brands` and `glyphs` by brand. The result does not depend on the order
 * of the candidates.
 */
export function groupBrands(candidates: readonly SourcedCandidate[], policy: CatalogPolicy): readonly Brand[] {
  const targets = mergeTargets(policy);
  const taken = new Set<string>();
  const brands: Brand[] = [];
  const sorted = unite(toMembers(candidates, policy), policy, targets)
    .map((group) => [...group].sort(compareMembers))
    .sort((a, b) => strengthOf(b) - strengthOf(a) || compareMembers(firstOf(a), firstOf(b)));
  const slugs = Object.keys(policy.merge).map((slug) => ({ slug, key: nameKey(slug) }));
  for (const group of sorted) {
    const slug = slugChoices(group, { policy, targets, slugs }).find((choice) => !taken.has(choice));
    const [first, ...rest] = group;
    if (slug === undefined || first === undefined) continue;
    taken.add(slug);
    brands.push({ slug, members: [first, ...rest] });
  }
  return brands.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function firstOf(group: readonly Member[]): Member {
  const [first] = group;
  if (first === undefined) throw new Error('a group of candidates is never empty');
  return first;
}

function toMembers(candidates: readonly SourcedCandidate[], { overrides }: CatalogPolicy): Member[] {
  const keys = new Map<string, Set<string>>();
  for (const { candidate, source } of candidates) {
    const known = keys.get(source.id) ?? new Set();
    keys.set(source.id, known.add(candidate.key));
  }
  return candidates.map((one): Member => {
    const { candidate, source } = one;
    const separate = ownProperty(overrides.separate, `${source.package}:${candidate.key}`);
    if (separate === undefined) return { ...one, ...splitKey(candidate.key, keys.get(source.id) ?? new Set()) };
    const { slug, title = candidate.title, website = candidate.website } = separate;
    return {
      source,
      candidate: { ...candidate, key: slug, title, website, aliases: [] },
      base: slug,
      suffixes: [],
      isSeparate: true,
    };
  });
}

/** Returns how reliable a group's name is: one point for each source, and ten points if a source states a title. */
function strengthOf(group: readonly Member[]): number {
  const sources = new Set(group.map(({ source }) => source.id)).size;
  return sources + (group.some(({ candidate }) => !candidate.titleGuessed) ? 10 : 0);
}

function compareMembers(a: Member, b: Member): number {
  return (
    Number(isTitledOverride(b)) - Number(isTitledOverride(a)) ||
    TITLE_ORDER.indexOf(a.source.kind) - TITLE_ORDER.indexOf(b.source.kind) ||
    Number(a.candidate.titleGuessed) - Number(b.candidate.titleGuessed) ||
    a.suffixes.length - b.suffixes.length ||
    compareText(a.source.id, b.source.id) ||
    compareText(a.candidate.key, b.candidate.key)
  );
}

/** Returns true if the icon is from the operator's own source, and this source states the icon's title. */
export function isTitledOverride({ source, candidate }: Member): boolean {
  return source.isOverride === true && !candidate.titleGuessed;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Unites candidates of the same name into one group. */
function unite(members: readonly Member[], policy: CatalogPolicy, targets: MergeTargets): Member[][] {
  const groupOf = new Map<string, Member[]>();
  for (const member of members) {
    const names = namesOf(member, policy).map((name) => targets.get(name) ?? name);
    const found = [...new Set(names.map((name) => groupOf.get(name)).filter((group) => group !== undefined))];
    const [home = []] = found;
    home.push(member);
    for (const other of found.slice(1)) {
      home.push(...other);
      for (const [name, group] of groupOf) if (group === other) groupOf.set(name, home);
    }
    for (const name of names) groupOf.set(name, home);
  }
  joinShortNames(groupOf);
  return [...new Set(groupOf.values())];
}

/**
 * Rules for short names in sources without titles. In these sources, `vue` means "Vue.js", and `maven` means "Apache
 * Maven".
 */
const FULL_NAMES: readonly ((name: string) => { readonly full: string; readonly title: RegExp })[] = [
  (name) => ({ full: `${name}js`, title: /\.js$/i }),
  (name) => ({ full: `apache${name}`, title: /^apache /i }),
];

function joinShortNames(groupOf: Map<string, Member[]>): void {
  for (const [name, group] of [...groupOf]) {
    if (!group.every(({ candidate }) => candidate.titleGuessed)) continue;
    for (const fullName of FULL_NAMES) {
      const { full, title } = fullName(name);
      const titled = groupOf.get(full);
      if (titled === undefined || titled === group || !titled.some(({ candidate }) => title.test(candidate.title)))
        continue;
      titled.push(...group);
      for (const [other, same] of groupOf) if (same === group) groupOf.set(other, titled);
      break;
    }
  }
}

/**
 * Merges of the operator's policy: `nameKey` of each key that a source uses for a brand → `nameKey` of the brand's
 * slug. The slug's own `nameKey` is also a key of the map.
 */
type MergeTargets = ReadonlyMap<string, string>;

function mergeTargets({ merge }: CatalogPolicy): MergeTargets {
  return new Map(
    Object.entries(merge).flatMap(([slug, keys]) =>
      [slug, ...keys].map((key) => [nameKey(key), nameKey(slug)] as const),
    ),
  );
}

function namesOf({ base, candidate, source, isSeparate }: Member, policy: CatalogPolicy): string[] {
  const key = nameKey(base);
  if (isSeparate === true) return [key];
  const isVendors = vendorOf(base, policy) !== undefined;
  const title = isVendors || source.isOverride === true ? '' : nameKey(candidate.title);
  return title === '' || title === key ? [key] : [title, key];
}

interface SlugContext {
  readonly policy: CatalogPolicy;
  readonly targets: MergeTargets;
  /** Slugs that are targets of the operator's merges. `key`: `nameKey` of the slug. */
  readonly slugs: readonly { readonly slug: string; readonly key: string }[];
}

/**
 * Returns possible slugs for a group of icons: the operator's slug, then guesses from the titles, then the sources'
 * keys.
 */
function slugChoices(group: readonly Member[], { policy, targets, slugs }: SlugContext): Slug[] {
  const resolved = new Set(group.flatMap((member) => namesOf(member, policy).map((name) => targets.get(name))));
  const stated = slugs.filter(({ key }) => resolved.has(key)).map(({ slug }) => slug);
  const vendors = group.filter(({ base }) => vendorOf(base, policy) !== undefined);
  const separate = group.filter(({ isSeparate }) => isSeparate === true).map(({ base }) => base);
  // A title from the operator's own source replaces the brand's title, but does not change its slug.
  const titled = group.filter(({ source }) => source.isOverride !== true);
  const fromTitles = group.length === vendors.length ? [] : titled.map(({ candidate }) => slugOf(candidate.title));
  return [...separate, ...stated, ...fromTitles, ...group.map(({ base }) => base)].filter(
    (choice): choice is Slug => choice !== undefined && isSlug(choice),
  );
}
