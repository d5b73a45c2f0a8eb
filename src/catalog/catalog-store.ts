// Catalog store. A reader gets one complete version of the catalog, never a mixture of two versions.
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
  /** Author and license that the source's package states, if it states them. */
  readonly notice?: SourceNotice;
  /** Bundled catalog that contained this source. Missing if the source was imported on its own. */
  readonly bundle?: BundleFacts;
}

export interface SourceNotice {
  readonly author: string | null;
  /** SPDX identifier of the source as a whole. Single icons may have other licenses. */
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
   * Entry with the withdrawn slug, or the entry to which the withdrawn slug redirects. Null when no source provides the
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
   * Aliases and former slugs, each with its target. `to` must be the slug of an entry, and `from` must not be one. Read
   * after `entries`.
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
 * Reads the catalog and withdraws entries. Methods reject only when the store cannot be reached, with AppError
 * `unavailable`. `state`, `find` and `drawing` reject within a second, because requests wait for them.
 */
export interface CatalogStore {
  /**
   * Returns the state, or undefined before the first publication. Must be cheap, because readers poll it to notice
   * imports by other processes.
   */
  state(): Promise<CatalogState | undefined>;
  find(slug: Slug): Promise<Lookup>;
  /**
   * Returns the sanitized SVG text by a variant's `etag`. Drawings of the previous catalog stay readable until the next
   * publication.
   */
  drawing(etag: string): Promise<string | undefined>;
  /**
   * Yields every entry that is not withdrawn, sorted by slug. All entries belong to one version of the catalog, even if
   * another version is published while they are read. If the catalog is published twice while they are read, rejects
   * with AppError `unavailable`.
   */
  entries(): AsyncIterable<Entry>;
  /** Returns the sources of the published catalog, sorted by id. */
  sources(): Promise<readonly CatalogSource[]>;
  /** Returns the redirects of the published catalog, sorted by slug. */
  redirects(): Promise<readonly (readonly [from: Slug, to: Slug])[]>;
  /** Returns all withdrawals, sorted by slug. */
  withdrawals(): Promise<readonly Withdrawal[]>;
  /**
   * Withdraws an entry for all readers at once. The withdrawal survives imports, even if an import gives the entry a
   * new slug and redirects the withdrawn slug to the new one. Returns false when no entry has the slug.
   */
  withdraw(slug: Slug, reason: string, now: Date): Promise<boolean>;
  /**
   * Undoes `withdraw`. Accepts the slug that was withdrawn or the current slug of its entry. Returns false when the
   * entry was not withdrawn.
   */
  restore(slug: Slug): Promise<boolean>;
  /**
   * Starts an import, and takes the import lock. Returns undefined while an import in any process holds the lock. If
   * the importing process crashes, the lock is released. Readers see nothing of the import before `publish`.
   */
  beginImport(): Promise<ImportSession | undefined>;
}

export interface ImportSession {
  /** Stores drawings by their content hash. Skips drawings that are already stored. */
  putDrawings(drawings: readonly StoredDrawing[]): Promise<void>;
  /** Adds or replaces a source, and removes the candidates that earlier imports have added for it. */
  putSource(source: CatalogSource): Promise<void>;
  /** Removes a source and its candidates. Returns false when the source does not exist. */
  dropSource(id: string): Promise<boolean>;
  /**
   * Adds candidates of a source that `putSource` has added in this session. Each candidate's key may be added only
   * once.
   */
  putCandidates(sourceId: string, candidates: readonly Candidate[]): Promise<void>;
  /**
   * Returns the sources that this session has added, and the sources of earlier imports that this session has neither
   * replaced nor removed, sorted by id.
   */
  sources(): Promise<readonly CatalogSource[]>;
  /** Yields the candidates of one of `sources()`, sorted by key. */
  candidates(sourceId: string): AsyncIterable<Candidate>;
  /** Yields the `entryDigest` and the date of the last change of every published entry. */
  revisions(): AsyncIterable<{
    readonly slug: Slug;
    readonly digest: string;
    readonly updatedAt: string;
  }>;
  /**
   * Publishes the session's catalog in one step. Then deletes the rows that neither the new nor the previous catalog
   * uses.
   */
  publish(publication: Publication, now: Date): Promise<CatalogState>;
  /**
   * Publishes the previous catalog again, in one step. A second call undoes the first. Withdrawals stay. Returns false
   * when there is no previous catalog.
   */
  rollBack(now: Date): Promise<boolean>;
  /** Releases the import lock. Without `publish`, the session changes nothing. */
  close(): Promise<void>;
}
