// All icon sets that the Iconify protocol serves for one version of the catalog. The first request builds them.
import { createBrandSets } from './brand-sets.js';
import type { Entry } from '../catalog/entry.js';
import type { IconSetFacts, SetIcon } from '../catalog/set-icon.js';
import { addTo } from '../platform/concurrency/lists-by-key.js';
import { buildIconSet, type IconSet, type SetMaterial } from './icon-set.js';
import { buildKeywordIndex, type KeywordIndex } from './keyword-index.js';
import type { CatalogState, CatalogStore } from '../catalog/catalog-store.js';
import { inSlices, openGenerationIndex, type GenerationIndex, type Pause } from '../catalog/generation-index.js';

export interface IconSets {
  readonly generation: number;
  /** Text that changes whenever an answer may change. */
  readonly version: string;
  /**
   * Prefix → set. The sets that `brand-sets.ts` builds from all entries come first, then the other sets in alphabetical
   * order.
   */
  readonly sets: ReadonlyMap<string, IconSet>;
  /**
   * Returns the keyword index. Only search needs the index, so the first search builds it. It takes as much memory as
   * all sets.
   */
  keywords(): Promise<KeywordIndex>;
}

interface Options {
  readonly catalog: Pick<CatalogStore, 'state' | 'entries' | 'sources'>;
  /** Called with the error of a failed rebuild. The old sets stay in use until a later rebuild succeeds. */
  readonly onError: (error: unknown) => void;
}

export function openIconSets({ catalog, onError }: Options): GenerationIndex<IconSets> {
  return openGenerationIndex({ catalog, build: (state, pause) => buildSets(catalog, state, pause), onError });
}

async function buildSets(
  catalog: Pick<CatalogStore, 'entries' | 'sources'>,
  state: CatalogState | undefined,
  pause: Pause,
): Promise<IconSets> {
  const sources = await catalog.sources();
  const { own, imported, ofBrands } = await readEntries(catalog.entries(), pause);
  const publishedAtSeconds = state === undefined ? null : Math.floor(Date.parse(state.publishedAt) / 1000);
  const materials = await inSlices(own.finish(publishedAtSeconds), pause);
  const described = sources.flatMap(({ prefix, iconSet: facts }) => (facts ? [{ prefix, facts }] : []));
  const setFacts = new Map(described.map(({ prefix, facts }) => [prefix, facts]));
  const brandFacts = new Map(described.map(({ facts }) => [facts.prefix, facts]));
  const others = [...importedSets(imported, setFacts), ...importedSets(ofBrands, brandFacts)].sort((a, b) =>
    a.prefix < b.prefix ? -1 : 1,
  );
  const sets = new Map<string, IconSet>();
  for (const material of [...materials, ...others]) {
    // If several sets have the same prefix, only the first is served. The order: sets that `brand-sets.ts` builds from
    // all entries, icon sets imported as sets, icon sets whose icons were merged into brands.
    if (!sets.has(material.prefix)) sets.set(material.prefix, await inSlices(buildIconSet(material), pause));
  }
  let keywords: Promise<KeywordIndex> | undefined;
  return {
    generation: state?.generation ?? 0,
    version: `${state?.generation ?? 0} ${state?.publishedAt ?? ''}`,
    sets,
    keywords: () => (keywords ??= inSlices(buildKeywordIndex(sets.values()), pause)),
  };
}

async function readEntries(entries: AsyncIterable<Entry>, pause: Pause) {
  const own = createBrandSets();
  const imported = new Map<string, SetIcon[]>();
  const ofBrands = new Map<string, SetIcon[]>();
  for await (const entry of entries) {
    own.add(entry);
    if (entry.setIcon) addTo(imported, entry.setIcon.prefix, entry.setIcon);
    for (const icon of entry.setIcons ?? []) addTo(ofBrands, icon.prefix, icon);
    const over = pause();
    if (over) await over;
  }
  return { own, imported, ofBrands };
}

function* importedSets(
  imported: ReadonlyMap<string, readonly SetIcon[]>,
  factsOf: ReadonlyMap<string | null | undefined, IconSetFacts>,
): Iterable<SetMaterial> {
  for (const [prefix, shown] of imported) {
    const facts = factsOf.get(prefix);
    if (facts === undefined) continue;
    const members = [...shown, ...(facts.hidden ?? [])];
    yield {
      prefix,
      facts,
      icons: members.flatMap(({ name, at, props, body, isDrawing = false }) =>
        body === null ? [] : [{ name, at, props, source: { etag: body, isDocument: isDrawing, hasBox: false } }],
      ),
      aliases: members.flatMap(({ name, at, parent, props, aliases }) =>
        parent === null ? aliases : [{ name, at, parent, props }, ...aliases],
      ),
      categories: new Map(
        members.flatMap(({ name, categories }) => (categories.length > 0 ? [[name, categories]] : [])),
      ),
      chars: new Map(members.flatMap(({ chars }) => chars)),
    };
  }
}
