// Streams every source's candidates into entries: brands are merged in memory, icon sets pass through one by one.
import type { Entry, Slug } from '../../domain/catalog/entry.js';
import { brandEntry, digestOf, setEntry, type UndatedEntry } from '../../domain/catalog/build-entry.js';
import { groupBrands, type SourcedCandidate } from '../../domain/catalog/group-brands.js';
import { isSlug } from '../../domain/catalog/names.js';
import type { CatalogPolicy } from '../../domain/catalog/import-policy.js';
import { redirectsOf } from '../../domain/catalog/redirects.js';
import { ownValue } from '../../domain/own-value.js';
import type { CatalogSource, CatalogState, ImportSession } from '../../ports/catalog-store.js';
import type { ImportProgress } from './import-progress.js';
import { orSkip, type SkippedIcon } from './import-skips.js';

export interface MergeResult {
  readonly merged: number;
  readonly entries: number;
  readonly variants: number;
  readonly redirects: number;
  readonly state: CatalogState;
}

interface MergeOptions {
  readonly session: ImportSession;
  readonly policy: CatalogPolicy;
  readonly now: Date;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onSkip: (icon: SkippedIcon) => void;
}

const PROGRESS_STEP = 500;

export async function mergeCatalog({ session, policy, now, onProgress, onSkip }: MergeOptions): Promise<MergeResult> {
  const sources = await session.sources();
  const sets = sources.filter(({ kind }) => kind === 'set');
  const brands = groupBrands(
    await readBrands(
      session,
      sources.filter(({ kind }) => kind !== 'set'),
    ),
    policy,
  );
  const rankOf = rankSources(sources);
  const drawn = brands.flatMap((brand) => {
    const entry = orSkip(
      () => brandEntry(brand, policy, rankOf),
      (message) => {
        for (const { candidate, source } of brand.members)
          onSkip({ source: source.id, key: candidate.key, reason: 'failed', message });
      },
    );
    return entry === undefined ? [] : [{ brand, entry }];
  });
  const slugs = new Set<string>(drawn.map(({ entry }) => entry.slug));
  const setNames = await planSets(session, sets, slugs);
  const brandRedirects = redirectsOf(
    drawn.map(({ brand, entry }) => ({
      slug: entry.slug,
      stated: [...(ownValue(policy.aliases, entry.slug) ?? []), ...(ownValue(policy.merge, entry.slug) ?? [])],
      keys: brand.members.flatMap(({ candidate, base }) => [candidate.key, base]),
      names: [entry.title, ...entry.aliases],
    })),
    (slug) => slugs.has(slug),
  );
  const redirects = new Map([...setNames.redirects].filter(([from]) => !slugs.has(from)));
  for (const [from, to] of brandRedirects) redirects.set(from, to);

  const dates = await readDates(session);
  const stamp = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const dated = (entry: UndatedEntry): Entry => {
    const before = dates.get(entry.slug);
    return { ...entry, updatedAt: before?.digest === digestOf(entry) ? before.updatedAt : stamp };
  };
  const counts = { variants: 0, done: 0 };
  const count = (entry: Entry): Entry => {
    counts.variants += entry.variants.length;
    counts.done += 1;
    if (counts.done % PROGRESS_STEP === 0)
      onProgress({ phase: 'merge', source: 'catalog', done: counts.done, total: slugs.size });
    return entry;
  };
  async function* entries(): AsyncIterable<Entry> {
    for (const { entry } of drawn) yield count(dated(entry));
    for (const source of sets) {
      for await (const candidate of session.candidates(source.id)) {
        const slug = setNames.slugOf(source, candidate.key);
        const skip = (reason: string, message: string) =>
          onSkip({ source: source.id, key: candidate.key, reason, message });
        if (slug === undefined) skip('bad-name', 'no slug can be made of it, or its slugs are taken');
        const entry =
          slug === undefined
            ? undefined
            : orSkip(
                () => setEntry(slug, { candidate, source }),
                (message) => skip('failed', message),
              );
        if (entry !== undefined) yield count(dated(entry));
      }
    }
  }
  const state = await session.publish({ entries: entries(), redirects }, now);
  const merged = brands.reduce((sum, { members }) => sum + (members.length > 1 ? members.length : 0), 0);
  return { merged, entries: state.entries, variants: counts.variants, redirects: redirects.size, state };
}

async function readBrands(session: ImportSession, sources: readonly CatalogSource[]): Promise<SourcedCandidate[]> {
  const candidates: SourcedCandidate[] = [];
  for (const source of sources)
    for await (const candidate of session.candidates(source.id)) candidates.push({ candidate, source });
  return candidates;
}

/** Own folders first: what an operator puts there is meant to win; then packages by id. */
function rankSources(sources: readonly CatalogSource[]): (id: string) => number {
  const order = sources
    .map(({ id }) => id)
    .sort((a, b) => Number(b.startsWith('folder:')) - Number(a.startsWith('folder:')) || (a < b ? -1 : 1));
  return (id) => order.indexOf(id);
}

interface SetNames {
  readonly slugOf: (source: CatalogSource, key: string) => Slug | undefined;
  readonly redirects: ReadonlyMap<Slug, Slug>;
}

/** `mdi-home`, or `mdi.home` where another entry has that slug already. Adds to `taken`. */
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
    for await (const { key, aliases } of session.candidates(source.id)) {
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

async function readDates(
  session: ImportSession,
): Promise<ReadonlyMap<string, { readonly digest: string; readonly updatedAt: string }>> {
  const dates = new Map<string, { digest: string; updatedAt: string }>();
  for await (const { slug, digest, updatedAt } of session.revisions()) dates.set(slug, { digest, updatedAt });
  return dates;
}
