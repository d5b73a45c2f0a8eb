// Catalog store: readers get one whole generation, old or new, never a mixture.
import type { Entry, Lookup, Slug } from './entry.js';
import type { Candidate, SourceFacts } from './import/candidate.js';

export interface CatalogState {
  /** Rises by at least one with every publication, withdrawal and restoration. */
  readonly generation: number;
  /** Withdrawn ones not counted. */
  readonly entries: number;
  /** RFC 3339 UTC of the last publication. */
  readonly publishedAt: string;
}

/** An imported source. */
export interface CatalogSource extends SourceFacts {
  /** RFC 3339 UTC. */
  readonly importedAt: string;
  /** Its authors' notice, where it comes with one. */
  readonly notice?: SourceNotice;
  /** The bundled catalog that it came with; missing where it was imported by itself. */
  readonly bundle?: BundleFacts;
}

export interface SourceNotice {
  readonly author: string | null;
  /** SPDX identifier of the source as a whole; single icons may have others. */
  readonly license: string | null;
  /** The license file. */
  readonly text: string | null;
}

/** A bundled catalog: the one that a release of Blazon comes with. */
export interface BundleFacts {
  /** The release. */
  readonly version: string;
  /** RFC 3339 UTC. */
  readonly builtAt: string;
  /** Ids of all its sources. */
  readonly sources: readonly string[];
}

export interface Withdrawal {
  readonly slug: Slug;
  readonly reason: string;
  /** RFC 3339 UTC. */
  readonly withdrawnAt: string;
  /** Entry of this slug, or of the one that it redirects to; null when no source provides it any more. */
  readonly entry: Entry | null;
}

export interface Publication {
  /** Each slug once. Read while it is written, so that it never has to be in memory as a whole. */
  readonly entries: AsyncIterable<Entry>;
  /** Alias and former slugs; the target must be among `entries`, the key must not. Read after `entries`. */
  readonly redirects: Iterable<readonly [from: Slug, to: Slug]>;
  /** Replace all that there are, in the same step; left out: they stay. */
  readonly withdrawals?: readonly Omit<Withdrawal, 'entry'>[];
}

/** A drawing, or the body of an icon of an Iconify set. */
export interface StoredDrawing {
  readonly etag: string;
  readonly svg: string;
}

/**
 * Reading, and withdrawing. Methods reject only when the store cannot be reached: with AppError `unavailable`; `state`,
 * `find` and `drawing`, for which requests wait, within a second.
 */
export interface CatalogStore {
  /** Undefined before the first publication. Cheap: readers poll it to notice another process's import. */
  state(): Promise<CatalogState | undefined>;
  /** In the published catalog. */
  find(slug: Slug): Promise<Lookup>;
  /**
   * The sanitised SVG text by a variant's `etag`. Drawings of the previous generation stay readable until the next
   * publication.
   */
  drawing(etag: string): Promise<string | undefined>;
  /**
   * Every entry that is not withdrawn, by slug, of one generation even while another is published. Rejects with
   * AppError `unavailable` when two publications have passed since it began.
   */
  entries(): AsyncIterable<Entry>;
  /** Those of the published catalog, by id. */
  sources(): Promise<readonly CatalogSource[]>;
  /** Those of the published catalog, by slug. */
  redirects(): Promise<readonly (readonly [from: Slug, to: Slug])[]>;
  /** By slug. */
  withdrawals(): Promise<readonly Withdrawal[]>;
  /**
   * Takes effect for every reader at once, and outlasts imports: also where one gives the entry another slug and makes
   * this one a redirect to it. False when no entry has the slug.
   */
  withdraw(slug: Slug, reason: string, now: Date): Promise<boolean>;
  /**
   * Undoes `withdraw`, by the slug that was withdrawn or the one that its entry has now. False when it was not
   * withdrawn.
   */
  restore(slug: Slug): Promise<boolean>;
  /**
   * Begins an import; undefined while another one, in whichever process, is under way. The lock ends with its
   * process, however that ends. Readers get nothing of it before `publish`.
   */
  beginImport(): Promise<ImportSession | undefined>;
}

export interface ImportSession {
  /** Keeps drawings by their content hash; a known hash is not written again. */
  putDrawings(drawings: readonly StoredDrawing[]): Promise<void>;
  /** Replaces the source, and drops its candidates of earlier imports. */
  putSource(source: CatalogSource): Promise<void>;
  /** Removes a source and its candidates. False when there is no such source. */
  dropSource(id: string): Promise<boolean>;
  /** Adds candidates of a source that was put in this session; a key at most once. */
  putCandidates(sourceId: string, candidates: readonly Candidate[]): Promise<void>;
  /** Those put in this session, and those of earlier imports that it did not replace; by id. */
  sources(): Promise<readonly CatalogSource[]>;
  /** Candidates of one of `sources()`, by key. */
  candidates(sourceId: string): AsyncIterable<Candidate>;
  /** Dates of all published entries; `digest` as `digestOf` makes it. */
  revisions(): AsyncIterable<{
    readonly slug: Slug;
    readonly digest: string;
    readonly updatedAt: string;
  }>;
  /** Makes this the catalog, in one step, and drops what neither it nor the catalog before it uses. */
  publish(publication: Publication, now: Date): Promise<CatalogState>;
  /**
   * Makes the generation before the published one the catalog, in one step; a second time, the other one again. Withdrawals stay.
   * False when there is none before.
   */
  rollBack(now: Date): Promise<boolean>;
  /** Releases the import lock; without `publish` before, nothing has changed. */
  close(): Promise<void>;
}
