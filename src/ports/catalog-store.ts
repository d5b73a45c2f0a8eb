// Where the catalog is kept: what readers see is always one whole generation, old or new, never a mixture.
import type { Entry, Lookup, Provenance, Slug } from '../domain/catalog.js';
import type { Candidate } from '../domain/catalog-candidate.js';

export interface CatalogState {
  /** Rises by at least one with every publication and every withdrawal. */
  readonly generation: number;
  readonly entries: number;
  /** RFC 3339 UTC of the last publication. */
  readonly publishedAt: string;
}

/** One imported source (a package, an Iconify JSON file, a folder). */
export interface CatalogSource extends Provenance {
  /** `package:simple-icons`, `iconify:mdi`, `folder:acme` */
  readonly id: string;
  readonly candidates: number;
  readonly importedAt: string;
}

export interface Withdrawal {
  readonly slug: Slug;
  readonly reason: string;
  readonly withdrawnAt: string;
}

export interface Publication {
  readonly entries: readonly Entry[];
  /** Alias and former slugs; the target must be among `entries`, the key must not. */
  readonly redirects: ReadonlyMap<Slug, Slug>;
}

/** Reading. Methods reject only when the store cannot be reached. */
export interface CatalogStore {
  /** Undefined before the first publication. Cheap: readers poll it to notice another process's import. */
  state(): Promise<CatalogState | undefined>;
  find(slug: Slug): Promise<Lookup>;
  /** The sanitised SVG text by a variant's `etag`. Assets of the previous generation stay readable until the next publication. */
  asset(etag: string): Promise<string | undefined>;
  /** Every entry that is not withdrawn, by slug, of one generation even while another is published. */
  entries(): AsyncIterable<Entry>;
  sources(): Promise<readonly CatalogSource[]>;
  withdrawals(): Promise<readonly Withdrawal[]>;
  /** Takes effect for every reader at once. False when no entry has the slug. */
  withdraw(slug: Slug, reason: string, now: Date): Promise<boolean>;
  /** Undoes `withdraw`. False when the slug was not withdrawn. */
  restore(slug: Slug): Promise<boolean>;
  /** Begins an import; undefined while another process imports. Nothing is seen by readers before `publish`. */
  beginImport(): Promise<ImportSession | undefined>;
}

export interface ImportSession {
  /** Keeps drawings by their content hash; a known hash is not written again. */
  putAssets(assets: readonly { readonly etag: string; readonly svg: string }[]): Promise<void>;
  /** Replaces all that this source gave before. */
  putSource(source: Omit<CatalogSource, 'candidates'>, candidates: readonly Candidate[]): Promise<void>;
  /** Of every source, those put in this session included; sources in order of their id, candidates in order of their key. */
  candidates(): AsyncIterable<Candidate & { readonly source: CatalogSource }>;
  /** Makes this the catalog, in one step, and drops what it no longer uses. */
  publish(publication: Publication, now: Date): Promise<CatalogState>;
  /** Leaves everything as it was. Harmless after `publish`. */
  close(): Promise<void>;
}
