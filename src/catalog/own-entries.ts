// Interface between the catalog and the brands of an account, which the feature own-brands implements.
import type { RunSteps } from '../platform/concurrency/time-slices.js';
import type { AccountId } from '../accounts/account.js';
import type { Entry, Lookup, Slug } from './entry.js';

export type FoundEntry = Lookup & { readonly kind: 'entry' };

/** Own brands of an account as entries. The feature search adds its part by declaration merging. */
export interface OwnEntries {
  /** Runs long work on these entries in time slices. */
  readonly run: RunSteps;
  /** True when all own brands were removed. */
  readonly isEmpty: boolean;
  /** Length of the stored pages, UTF-16 units. It bounds the size of everything built from the pages. */
  readonly chars: number;
  entries(): readonly Entry[];
  /** Slugs of `entries`. */
  slugs(): readonly Slug[];
  /** Returns the entry of an own brand, or undefined. Until the brand changes, every call returns the same object. */
  lookup(slug: Slug): FoundEntry | undefined;
  /** Returns the slug of the brand to which this alias redirects. */
  redirect(alias: Slug): Promise<Slug | undefined>;
  /** Returns true if `redirect` has found that the alias redirects to no own brand. Returns false if it is unknown. */
  leadsNowhere(alias: Slug): boolean;
}

interface ReadOptions {
  /** Earlier entries of the account. Pages that they already contain are not read again. */
  readonly before: OwnEntries | undefined;
  readonly run: RunSteps;
}

/** Drawings and pages of own brands, by the ids in the account's record. */
export interface OwnBrandPages {
  /** Returns the texts that are stored under these ids, by id. */
  texts(id: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads the pages that an account names, in one round trip. Resolves with undefined if a page no longer exists. */
  read(id: AccountId, pageIds: string, options: ReadOptions): Promise<OwnEntries | undefined>;
}
