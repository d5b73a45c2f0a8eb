// Sources of icons: a package, an Iconify JSON file or a folder. The import never executes code of a source.
import type { Candidate, IconFacts, SourceFacts } from './candidate.js';
import type { DecodedSvg } from '../svg-bytes.js';
import type { Entry, Slug } from '../entry.js';
import type { SetIcon } from '../set-icon.js';
import type { CatalogSource, SourceNotice, StoredDrawing } from '../catalog-store.js';

export interface SourceDrawing extends DecodedSvg {
  readonly name: string;
}

/** One icon of a source. Its data is untrusted. */
export interface SourceIcon extends IconFacts {
  readonly license: { readonly type: string; readonly url: string | null };
  readonly drawings: readonly SourceDrawing[];
  /** Facts of the Iconify set about the icon. `body` is not sanitized; it is null for an alias. */
  readonly setIcon?: SetIcon;
  /** True if the Iconify set has hidden the icon. The icon gets no entry, but the Iconify protocol still serves it. */
  readonly hidden?: true;
}

export type SourceItem =
  | { readonly kind: 'icon'; readonly icon: SourceIcon }
  /** An icon that could not be read. */
  | { readonly kind: 'skipped'; readonly key: string; readonly reason: string; readonly message: string };

export interface IconSource extends SourceFacts {
  /** Estimated number of items, for a progress bar. */
  readonly size: number;
  readonly notice?: SourceNotice;
  /** Yields the icons, and `skipped` for each unusable icon. Rejects if the source itself cannot be read. */
  items(): AsyncIterable<SourceItem> | Iterable<SourceItem>;
}

/** Sources whose candidates were made by an earlier import. Their drawings are already sanitized. */
export interface PreparedSources {
  readonly prepared: readonly CatalogSource[];
  readonly size: number;
  drawings(): Iterable<readonly StoredDrawing[]>;
  candidates(): Iterable<readonly [sourceId: string, candidates: readonly Candidate[]]>;
  /** Result of an earlier merge of these sources. Missing if only some of the merged sources are imported. */
  readonly merged?: MergedSources;
}

/** Result of an earlier merge. */
export interface MergedSources {
  /** Digest of the policy of the merge, as `policyDigest` returns it. */
  readonly policyDigest: string;
  /** Number of icons that share an entry with other icons of their brand. */
  readonly sharing: number;
  entries(): Iterable<Entry>;
  redirects(): Iterable<readonly [from: Slug, to: Slug]>;
}

interface UnreadableSource {
  readonly unreadable: string;
  readonly message: string;
}

export interface RemovedSource {
  readonly removed: string;
}

/** A source of the older bundled catalog that the newer one does not contain. */
export interface RetiredSource {
  readonly retired: string;
}

export type OfferedSource = IconSource | UnreadableSource;

export type ImportedSource = OfferedSource | PreparedSources | RemovedSource | RetiredSource;
