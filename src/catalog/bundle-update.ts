// Update of a catalog to a newer bundled one: which of its sources are replaced, and which are gone.
import type { BundleFacts, CatalogSource } from './catalog-store.js';

export interface BundleUpdate {
  /** The release whose bundled catalog is in use. */
  readonly from: string;
  /** Ids of sources to put. */
  readonly put: readonly string[];
  /** Ids of sources that came with an older bundled catalog, and are not in this one: their entries stay, as `retired`. */
  readonly retired: readonly string[];
}

/**
 * Undefined when there is nothing to do: the catalog has nothing of a bundled one, or something of one as new as this. Sources that
 * were imported by themselves stay, and those of the older one that were removed are not put again.
 */
export function bundleUpdate(
  bundle: BundleFacts,
  sources: readonly Pick<CatalogSource, 'id' | 'bundle'>[],
): BundleUpdate | undefined {
  const bundled = sources.filter((source) => source.bundle !== undefined);
  const newest = bundled
    .flatMap((source) => source.bundle ?? [])
    .sort((a, b) => Date.parse(b.builtAt) - Date.parse(a.builtAt))[0];
  if (newest === undefined || Date.parse(newest.builtAt) >= Date.parse(bundle.builtAt)) return undefined;
  const [present, current] = [new Set(sources.map(({ id }) => id)), new Set(bundled.map(({ id }) => id))];
  return {
    from: newest.version,
    put: bundle.sources.filter((id) => current.has(id) || !(present.has(id) || newest.sources.includes(id))),
    retired: [...current].filter((id) => !bundle.sources.includes(id)),
  };
}
