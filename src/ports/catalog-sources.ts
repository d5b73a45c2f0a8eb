// Sources of icons: a package, an Iconify JSON file, a folder. Read only, never executed.
import type { IconFacts, SourceKind } from '../domain/catalog/candidate.js';
import type { IconSetFacts, SetIcon } from '../domain/catalog/set-icon.js';

/** One icon of a source, untrusted. */
export interface SourceIcon extends IconFacts {
  readonly license: { readonly type: string; readonly url: string | null };
  readonly drawings: readonly { readonly name: string; readonly svg: string }[];
  /** Of an icon of an Iconify set. Its body is as written; null for an alias. */
  readonly setIcon?: SetIcon;
  /** The set has withdrawn it: no entry, but the set still answers its name. */
  readonly hidden?: true;
}

export type SourceItem =
  | { readonly kind: 'icon'; readonly icon: SourceIcon }
  /** This icon could not be read. */
  | { readonly kind: 'skipped'; readonly key: string; readonly reason: string; readonly message: string };

export interface IconSource {
  /** `package:simple-icons`, `iconify:mdi`, `folder:acme` */
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly kind: SourceKind;
  /** Before the slugs of a `set`. */
  readonly prefix: string | null;
  /** Its drawings go before those of all other sources, whatever they show. */
  readonly isOverride?: boolean;
  /** About how many items there will be, for a progress bar. */
  readonly size: number;
  /** Of an Iconify set. */
  readonly iconSet?: IconSetFacts;
  /** Rejects when the source fails as a whole. */
  items(): AsyncIterable<SourceItem>;
}

/** In the place of a source that cannot be opened. */
export interface UnreadableSource {
  /** Its file. */
  readonly unreadable: string;
  readonly message: string;
}

/** In the place of a source that is to be removed from the catalog. */
export interface RemovedSource {
  /** Its id. */
  readonly removed: string;
}

export type OfferedSource = IconSource | UnreadableSource;
