// Catalog store. Each read returns data of one version of the catalog, never of two versions.
import type { Entry, Lookup, Slug } from './entry.js';
import type { Candidate, SourceFacts } from './import/candidate.js';

export interface CatalogState {
  /** Increases by at least one with every publication, withdrawal and restoration. */
  readonly generation: number;
  /** Number of entries, not counting withdrawn entries. */
  readonly entries: number;
  /** RFC 3339 UTC of the last publication. */
  readonly publishedAt: string;
}

export interface CatalogSource extends SourceFacts {
  /** RFC 3339 UTC. */
  readonly importedAt: string;
  /** Author and license from the source's package; missing if the package does not state them. */
  readonly notice?: SourceNotice;
  /** Bundled catalog that contained this source. Missing if the source was imported separately. */
  readonly bundle?: BundleFacts;
}

export interface SourceNotice {
  readonly author: string | null;
  /** SPDX identifier of the license of the whole source. Single icons may have other licenses. */
  readonly license: string | null;
  /** Text of the license file. */
  readonly text: string | null;
}

/** A bundled catalog, which is part of a release of Blazon. */
export interface BundleFacts {
  readonly version: string;
  /** RFC 3339 UTC. */
  readonly builtAt: string;
  readonly sources: readonly string[];
}

export interface Withdrawal {
  readonly slug: Slug;
  readonly reason: string;
  /** RFC 3339 UTC. */
  readonly withdrawnAt: string;
  /**
   * Entry with the withdrawn slug, or the entry to which the withdrawn slug redirects. Null if no source provides the
   * entry anymore.
   */
  readonly entry: Entry | null;
}

export interface Publication {
  /**
   * Each slug must occur once. The iterable is read during the write, so that the entries never have to fit into
   * memory.
   */
  readonly entries: AsyncIterable<Entry>;
  /**
   * Aliases and former slugs, each with its target. `to` must be the slug of an entry. `from` must not be the slug of
   * an entry. The redirects are read after `entries`.
   */
  readonly redirects: Iterable<readonly [from: Slug, to: Slug]>;
  /**
   * Withdrawals that replace all existing withdrawals when the catalog is published. If omitted, the existing
   * withdrawals stay.
   */
  readonly withdrawals?: readonly Omit<Withdrawal, 'entry'>[];
}

/** A drawing, or the body of an icon of an Iconify set. */
export interface StoredDrawing {
  readonly etag: string;
  readonly svg: string;
}

/**
 * Reads the catalog and withdraws entries. Methods reject with AppError `unavailable` if the store cannot be reached.
 * `state`, `find` and `drawing` reject within a second, because requests wait for them.
 */
export interface CatalogStore {
  /**
   * Returns the state, or undefined before the first publication. Must be cheap, because readers poll it to find out
   * whether another process has published a catalog.
   */
  state(): Promise<CatalogState | undefined>;
  find(slug: Slug): Promise<Lookup>;
  /**
   * Returns the sanitized SVG of the variant with this `etag`. Drawings of the previous catalog stay readable until the
   * next publication.
   */
  drawing(etag: string): Promise<string | undefined>;
  /**
   * Yields every entry that is not withdrawn, sorted by slug. All entries belong to one version of the catalog, even if
   * another version is published in the meantime. If two versions are published in the meantime, rejects with AppError
   * `unavailable`.
   */
  entries(): AsyncIterable<Entry>;
  /** Returns the sources of the published catalog, sorted by id. */
  sources(): Promise<readonly CatalogSource[]>;
  /** Returns the redirects of the published catalog, sorted by slug. */
  redirects(): Promise<readonly (readonly [from: Slug, to: Slug])[]>;
  /** Returns all withdrawals, sorted by slug. */
  withdrawals(): Promise<readonly Withdrawal[]>;
  /**
   * Withdraws an entry for all readers at once. The entry stays withdrawn after imports, even if an import gives it a
   * new slug and redirects the withdrawn slug to the new one. Returns false if no entry has the slug.
   */
  withdraw(slug: Slug, reason: string, now: Date): Promise<boolean>;
  /**
   * Undoes `withdraw`. If an import has given the entry a new slug since then, accepts both the old and the new slug.
   * Returns false if the entry was not withdrawn.
   */
  restore(slug: Slug): Promise<boolean>;
  /**
   * Starts an import, and takes the import lock. Returns undefined while an import in any process holds the lock. A
   * crash of the importing process releases the lock. Readers see nothing of the import before `publish`.
   */
  beginImport(): Promise<ImportSession | undefined>;
}

export interface ImportSession {
  /** Stores drawings under their content hash. Drawings that are already stored are skipped. */
  putDrawings(drawings: readonly StoredDrawing[]): Promise<void>;
  /** Adds or replaces a source. Removes the candidates that earlier imports have added for this source. */
  putSource(source: CatalogSource): Promise<void>;
  /** Removes a source and its candidates. Returns false if the source does not exist. */
  dropSource(id: string): Promise<boolean>;
  /**
   * Adds candidates (icons before the merge) of a source. `putSource` must have added the source in this session. Each
   * candidate's key may be added only once.
   */
  putCandidates(sourceId: string, candidates: readonly Candidate[]): Promise<void>;
  /**
   * Returns the sources that `publish` will publish, sorted by id: sources of this session, and sources of earlier
   * imports that this session has neither replaced nor removed.
   */
  sources(): Promise<readonly CatalogSource[]>;
  /** Yields the candidates of one of `sources()`, sorted by key. */
  candidates(sourceId: string): AsyncIterable<Candidate>;
  /** Yields the `entryDigest` and `updatedAt` of every published entry. */
  revisions(): AsyncIterable<{
    readonly slug: Slug;
    readonly digest: string;
    readonly updatedAt: string;
  }>;
  /**
   * Publishes the catalog of this session in one step. Then deletes the rows that neither this catalog nor the previous
   * one uses.
   */
  publish(publication: Publication, now: Date): Promise<CatalogState>;
  /**
   * Publishes the previous catalog again, in one step. A second call publishes the newer catalog again. Withdrawals
   * stay. Returns false if there is no previous catalog.
   */
  rollBack(now: Date): Promise<boolean>;
  /** Releases the import lock. A session without `publish` changes nothing for readers. */
  close(): Promise<void>;
}
