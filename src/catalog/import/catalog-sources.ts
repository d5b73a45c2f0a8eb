// Sources of icons: a package, an Iconify JSON file, a folder. Read only, never executed.
import type { Candidate, IconFacts, SourceFacts } from './candidate.js';
import type { DecodedSvg } from '../svg-bytes.js';
import type { Entry, Slug } from '../entry.js';
import type { SetIcon } from '../set-icon.js';
import type { CatalogSource, SourceNotice, StoredDrawing } from '../catalog-store.js';

export interface SourceDrawing extends DecodedSvg {
  /** Variant. */
  readonly name: string;
}

/** One icon of a source, untrusted. */
export interface SourceIcon extends IconFacts {
  readonly license: { readonly type: string; readonly url: string | null };
  readonly drawings: readonly SourceDrawing[];
  /** Facts of the Iconify set that it is in. Its body is as written; null for an alias. */
  readonly setIcon?: SetIcon;
  /** The set has withdrawn it: no entry, but the set still answers its name. */
  readonly hidden?: true;
}

export type SourceItem =
  | { readonly kind: 'icon'; readonly icon: SourceIcon }
  /** This icon could not be read. */
  | { readonly kind: 'skipped'; readonly key: string; readonly reason: string; readonly message: string };

export interface IconSource extends SourceFacts {
  /** About how many items there will be, for a progress bar. */
  readonly size: number;
  readonly notice?: SourceNotice;
  /** Rejects when the source fails as a whole. */
  items(): AsyncIterable<SourceItem> | Iterable<SourceItem>;
}

/** Sources as an earlier import has put them: with nothing left to sanitize. */
export interface PreparedSources {
  readonly prepared: readonly CatalogSource[];
  /** The number of candidates. */
  readonly size: number;
  /** Those of all candidates. */
  drawings(): Iterable<readonly StoredDrawing[]>;
  /** Each by its source's id. */
  candidates(): Iterable<readonly [sourceId: string, candidates: readonly Candidate[]]>;
  /** Missing where these are a part of those that were merged. */
  readonly merged?: MergedSources;
}

/** What a merge of these sources, and of no others, makes of them. */
export interface MergedSources {
  /** Of the policy by which they were merged, as `policyDigest` makes it. */
  readonly policyDigest: string;
  /** Icons that share an entry with others of their brand. */
  readonly sharing: number;
  entries(): Iterable<Entry>;
  redirects(): Iterable<readonly [from: Slug, to: Slug]>;
}

/** In the place of a source that cannot be opened. */
interface UnreadableSource {
  /** The path of its file. */
  readonly unreadable: string;
  readonly message: string;
}

/** In the place of a source that is to be removed from the catalog. */
export interface RemovedSource {
  /** Its id. */
  readonly removed: string;
}

/** In the place of a bundled source that the newer bundled catalog does not have. */
export interface RetiredSource {
  /** Its id. */
  readonly retired: string;
}

export type OfferedSource = IconSource | UnreadableSource;

export type ImportedSource = OfferedSource | PreparedSources | RemovedSource | RetiredSource;
