// Update of a catalog to a newer bundled catalog: the sources to replace, and the sources that no longer exist.
import type { BundleFacts, CatalogSource } from './catalog-store.js';

export interface BundleUpdate {
  /** Release of Blazon that contained the newest bundled catalog imported so far. */
  readonly from: string;
  /** Ids of the sources to import from the newer bundled catalog. */
  readonly put: readonly string[];
  /** Ids of sources that only the older bundled catalog has. Their entries stay available, marked as `retired`. */
  readonly retired: readonly string[];
}

/**
 * Returns the update. Returns undefined if the catalog has no bundled sources, or if they are at least as new as
 * `bundle`. Sources that were imported separately stay. Bundled sources that the operator has removed are not imported
 * again.
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
