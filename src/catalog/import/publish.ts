// Merges an import and publishes it. Brands are merged in memory; icon sets are streamed.
import type { Entry, Slug } from '../entry.js';
import { brandEntry, entryDigest, setEntry, type ChosenEntry, type UndatedEntry } from './build-entry.js';
import { doubtsAbout, type ConsistencyWarning } from './consistency.js';
import { placementsOf, type Placement } from './source-report.js';
import { groupBrands, type Brand, type SourcedCandidate } from './group-brands.js';
import { isSlug } from '../names.js';
import { finish } from '../../platform/concurrency/time-slices.js';
import { ownProperty, type CatalogPolicy } from './import-policy.js';
import { assignRedirects } from '../assign-redirects.js';
import type { MergedSources } from './catalog-sources.js';
import type { CatalogSource, CatalogState, ImportSession } from '../catalog-store.js';
import type { ImportProgress } from './import-progress.js';
import { skipOnError, type SkippedIcon } from './import-skips.js';

export interface MergeResult {
  /**
   * Number of icons that share an entry with another icon of their brand. The other icon may come from an earlier
   * import.
   */
  readonly merged: number;
  readonly entries: number;
  readonly variants: number;
  readonly redirects: number;
  readonly changes: CatalogChanges;
  readonly doubts: readonly ConsistencyWarning[];
  /** For each drawing of the operator's own sources: the variant that it became, or why it is not used. */
  readonly placements: readonly Placement[];
  /** Slugs of entries that newer packages no longer contain, but that stay available. */
  readonly retired: readonly Slug[];
}

/** Slugs that changed since the previous catalog. */
export interface CatalogChanges {
  readonly added: readonly Slug[];
  readonly changed: readonly Slug[];
  /** Old slugs that now redirect to new slugs. */
  readonly renamed: readonly (readonly [from: Slug, to: Slug])[];
  readonly removed: readonly Slug[];
}

interface MergeOptions {
  readonly session: ImportSession;
  readonly policy: CatalogPolicy;
  readonly now: Date;
  /** Ids of the sources whose drawings are listed in `placements`. */
  readonly reported: ReadonlySet<string>;
  readonly dryRun: boolean;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onSkip: (icon: SkippedIcon) => void;
}

const PROGRESS_STEP = 500;

export async function mergeCatalog(options: MergeOptions): Promise<MergeResult> {
  const { session, policy, now, reported, dryRun, onProgress } = options;
  const sources = await session.sources();
  const sets = sources.filter(({ kind }) => kind === 'set');
  const candidates = await readBrands(session, sources);
  const brands = groupBrands(candidates.current, policy);
  const drawn = drawnBrands(brands, rankSources(sources), options);
  const slugs = new Set<string>(drawn.map(({ entry }) => entry.slug));
  const setNames = await planSets(session, sets, slugs);
  const redirects = mergedRedirects(drawn, setNames, policy, slugs);
  // Icons that packages no longer contain are grouped separately, so that they do not change the current entries.
  const retired = drawnBrands(groupBrands(candidates.retired, policy), rankSources(sources), options)
    .map(({ entry }) => ({ ...entry, retired: true as const }))
    .filter(({ slug }) => !slugs.has(slug) && !redirects.has(slug));

  const dates = await entryDates(session, now);
  let variants = 0;
  let done = 0;
  const counted = (entry: UndatedEntry): Entry => {
    variants += entry.variants.length;
    done += 1;
    if (done % PROGRESS_STEP === 0) onProgress({ phase: 'write', done, total: slugs.size });
    return dates.date(entry);
  };
  const retiredSlugs = retired.map(({ slug }) => slug);
  async function* entries(): AsyncIterable<Entry> {
    for (const { entry } of drawn) yield counted(entry);
    for (const entry of retired) yield counted(entry);
    for await (const entry of setEntries(sets, setNames, options)) {
      if (entry.retired) retiredSlugs.push(entry.slug);
      yield counted(entry);
    }
  }
  let published: CatalogState | undefined;
  if (dryRun) for await (const entry of entries()) entry satisfies Entry;
  else published = await session.publish({ entries: entries(), redirects }, now);
  return {
    merged: brands.reduce((sum, { members }) => sum + (members.length > 1 ? members.length : 0), 0),
    entries: published?.entries ?? done,
    variants,
    redirects: redirects.size,
    changes: dates.changes(redirects),
    doubts: doubtsAbout(drawn),
    placements: drawn.flatMap((one) => placementsOf(one.brand, one, reported)),
    retired: retiredSlugs,
  };
}

/**
 * Publishes the merged entries of a bundled catalog as the first catalog. The entries keep their dates. Reports no
 * warnings, because they were reported when the bundled catalog was built.
 */
export async function publishMerged(
  { sharing, ...merged }: MergedSources,
  { session, now, dryRun, onProgress }: MergeOptions,
): Promise<MergeResult> {
  const entries = [...merged.entries()];
  const redirects = [...merged.redirects()];
  async function* counted(): AsyncIterable<Entry> {
    for (const [done, entry] of entries.entries()) {
      if (done % PROGRESS_STEP === 0) onProgress({ phase: 'write', done, total: entries.length });
      yield entry;
    }
  }
  const published = dryRun ? undefined : await session.publish({ entries: counted(), redirects }, now);
  return {
    merged: sharing,
    entries: published?.entries ?? entries.length,
    variants: entries.reduce((sum, { variants }) => sum + variants.length, 0),
    redirects: redirects.length,
    changes: { added: entries.map(({ slug }) => slug), changed: [], renamed: [], removed: [] },
    ...{ doubts: [], placements: [], retired: [] },
  };
}

interface DrawnBrand extends ChosenEntry {
  readonly brand: Brand;
}

/**
 * Returns the brands that have a drawing, each with its entry. If the entry of a brand cannot be built, skips all icons
 * of the brand.
 */
function drawnBrands(
  brands: readonly Brand[],
  rankOf: (sourceId: string) => number,
  { policy, onSkip, onProgress }: MergeOptions,
): readonly DrawnBrand[] {
  return brands.flatMap((brand, done) => {
    if (done % PROGRESS_STEP === 0) onProgress({ phase: 'merge', done, total: brands.length });
    const chosen = skipOnError(
      () => brandEntry(brand, policy, rankOf),
      (message) => {
        for (const { candidate, source } of brand.members)
          onSkip({ source: source.id, key: candidate.key, reason: 'failed', message });
      },
    );
    return chosen === undefined ? [] : [{ brand, ...chosen }];
  });
}

/**
 * Returns all redirects. `slugs`: slugs of all entries. If a brand and an icon set use the same name, the name
 * redirects to the brand.
 */
function mergedRedirects(
  drawn: readonly DrawnBrand[],
  setNames: SetNames,
  policy: CatalogPolicy,
  slugs: ReadonlySet<string>,
): Map<Slug, Slug> {
  const names = drawn.map(({ brand, entry }) => ({
    slug: entry.slug,
    stated: [...(ownProperty(policy.aliases, entry.slug) ?? []), ...(ownProperty(policy.merge, entry.slug) ?? [])],
    keys: brand.members.flatMap(({ candidate, base }) => [candidate.key, base]),
    names: [entry.title, ...brand.members.map(({ candidate }) => candidate.title), ...entry.aliases],
  }));
  const brandRedirects = finish(assignRedirects(names, (slug) => slugs.has(slug)));
  const redirects = new Map([...setNames.redirects].filter(([from]) => !slugs.has(from)));
  for (const [from, to] of brandRedirects) redirects.set(from, to);
  return redirects;
}

async function* setEntries(
  sets: readonly CatalogSource[],
  setNames: SetNames,
  { session, onSkip }: MergeOptions,
): AsyncIterable<UndatedEntry> {
  for (const source of sets) {
    for await (const candidate of session.candidates(source.id)) {
      if (candidate.hidden) continue;
      const skip = (reason: string, message: string) =>
        onSkip({ source: source.id, key: candidate.key, reason, message });
      const slug = setNames.slugOf(source, candidate.key);
      if (slug === undefined) {
        skip('bad-name', 'the name cannot be turned into a slug, or all possible slugs are taken');
        continue;
      }
      const entry = skipOnError(
        () => setEntry(slug, { candidate, source }),
        (message) => skip('failed', message),
      );
      if (entry !== undefined) yield candidate.retired === undefined ? entry : { ...entry, retired: true };
    }
  }
}

/**
 * Returns two functions: one sets the dates of entries, the other one lists the changes. An unchanged entry keeps its
 * date from the published catalog.
 */
async function entryDates(session: ImportSession, now: Date) {
  const published = new Map<string, { readonly digest: string; readonly updatedAt: string }>();
  for await (const { slug, digest, updatedAt } of session.revisions()) published.set(slug, { digest, updatedAt });
  const stamp = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const gone = new Set(published.keys()) as Set<Slug>;
  const [added, changed]: [Slug[], Slug[]] = [[], []];
  return {
    date(entry: UndatedEntry): Entry {
      const before = published.get(entry.slug);
      const isSame = before?.digest === entryDigest(entry);
      if (!isSame) (before === undefined ? added : changed).push(entry.slug);
      gone.delete(entry.slug);
      return { ...entry, updatedAt: isSame ? before.updatedAt : stamp };
    },
    /** Returns the changes since the published catalog. Call it after `date` was called with every entry. */
    changes(redirects: ReadonlyMap<Slug, Slug>): CatalogChanges {
      const renamed = [...gone].flatMap((from) => {
        const to = redirects.get(from);
        return to === undefined ? [] : [[from, to] as const];
      });
      return { added, changed, renamed, removed: [...gone].filter((slug) => !redirects.has(slug)) };
    },
  };
}

/**
 * Reads the candidates of all sources except icon sets. `retired`: candidates that newer packages no longer contain.
 */
export async function readBrands(
  session: ImportSession,
  sources: readonly CatalogSource[],
): Promise<Readonly<Record<'current' | 'retired', readonly SourcedCandidate[]>>> {
  const [current, retired]: [SourcedCandidate[], SourcedCandidate[]] = [[], []];
  for (const source of sources) {
    if (source.kind === 'set') continue;
    for await (const candidate of session.candidates(source.id))
      if (candidate.retired === undefined) current.push({ candidate, source });
      else retired.push({ candidate, source: { ...source, version: candidate.retired } });
  }
  return { current, retired };
}

/**
 * Returns the position of each source in the order of precedence: first the operator's own sources, then packages by
 * id.
 */
export function rankSources(sources: readonly CatalogSource[]): (id: string) => number {
  const isOwn = ({ id, isOverride }: CatalogSource): boolean => isOverride === true || id.startsWith('folder:');
  const order = [...sources]
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  return (id) => order.indexOf(id);
}

interface SetNames {
  readonly slugOf: (source: CatalogSource, key: string) => Slug | undefined;
  readonly redirects: ReadonlyMap<Slug, Slug>;
}

/**
 * Assigns slugs to icons of sets: `mdi-home`, or `mdi.home` if another entry has that slug. Adds the slugs to `taken`.
 */
async function planSets(session: ImportSession, sets: readonly CatalogSource[], taken: Set<string>): Promise<SetNames> {
  const clashing = new Map<string, Slug | undefined>();
  const redirects = new Map<Slug, Slug>();
  const plain = ({ prefix }: CatalogSource, key: string): string => `${prefix ?? ''}-${key}`.toLowerCase();
  const slugOf = (source: CatalogSource, key: string): Slug | undefined => {
    const name = `${source.id} ${key}`;
    const slug = clashing.has(name) ? clashing.get(name) : plain(source, key);
    return slug !== undefined && isSlug(slug) ? slug : undefined;
  };
  for (const source of sets) {
    for await (const { key, aliases, hidden } of session.candidates(source.id)) {
      if (hidden) continue;
      const dotted = `${source.prefix ?? ''}.${key}`.toLowerCase();
      if (taken.has(plain(source, key)))
        clashing.set(`${source.id} ${key}`, isSlug(dotted) && !taken.has(dotted) ? dotted : undefined);
      const slug = slugOf(source, key);
      if (slug === undefined) continue;
      taken.add(slug);
      for (const alias of aliases) {
        const from = plain(source, alias);
        if (isSlug(from)) redirects.set(from, slug);
      }
    }
  }
  return { slugOf, redirects };
}
