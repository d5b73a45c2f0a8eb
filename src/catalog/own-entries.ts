// The seam between the catalog and an account's own brands, which the feature own-brands implements.
import type { RunSteps } from '../platform/concurrency/time-slices.js';
import type { AccountId } from '../accounts/account.js';
import type { Entry, Lookup, Slug } from './entry.js';

export type FoundEntry = Lookup & { readonly kind: 'entry' };

/** Own brands of an account as entries. Search adds its part by declaration merging. */
export interface OwnEntries {
  /** Runs long work about these entries in slices. */
  readonly run: RunSteps;
  /** True where all own brands were removed. */
  readonly isEmpty: boolean;
  /** Length of the stored pages, UTF-16 units. Bounds what is built from them. */
  readonly chars: number;
  entries(): readonly Entry[];
  /** Slugs of `entries`. */
  slugs(): readonly Slug[];
  /** Returns the same object for the same state of a brand. */
  lookup(slug: Slug): FoundEntry | undefined;
  /** The brand that this alias leads to. */
  redirect(alias: Slug): Promise<Slug | undefined>;
  /** False also before the first `redirect`. */
  leadsNowhere(alias: Slug): boolean;
}

interface ReadOptions {
  /** An earlier state: its pages are not read again. */
  readonly before: OwnEntries | undefined;
  readonly run: RunSteps;
}

/** Drawings and pages of own brands, by the ids that an account names. */
export interface OwnBrandPages {
  /** Texts that are stored under these ids. */
  texts(id: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads the pages that an account names, in one round trip. Undefined: a page is gone. */
  read(id: AccountId, pages: string, options: ReadOptions): Promise<OwnEntries | undefined>;
}
