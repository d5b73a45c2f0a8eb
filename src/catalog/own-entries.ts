// Interface to the own brands of an account. The catalog uses it, and the feature `own-brands` implements it.
import type { RunSteps } from '../platform/concurrency/time-slices.js';
import type { AccountId } from '../accounts/account.js';
import type { Entry, Lookup, Slug } from './entry.js';

export type FoundEntry = Lookup & { readonly kind: 'entry' };

/**
 * The own brands of an account, as catalog entries. The feature `search` adds methods to this interface by declaration
 * merging.
 */
export interface OwnEntries {
  readonly run: RunSteps;
  /** True if all own brands were removed. */
  readonly isEmpty: boolean;
  /**
   * Length of the stored records of own brands, UTF-16 units. The size of indexes and other data from the records is
   * proportional to it.
   */
  readonly chars: number;
  entries(): readonly Entry[];
  slugs(): readonly Slug[];
  /** Returns the entry of an own brand, or undefined. Returns the same object until the brand changes. */
  lookup(slug: Slug): FoundEntry | undefined;
  /** Returns the slug of the own brand with this alias, or undefined. */
  redirect(alias: Slug): Promise<Slug | undefined>;
  /**
   * Returns true if an earlier call of `redirect` has found no own brand with this alias. Returns false if the alias
   * was not checked yet.
   */
  leadsNowhere(alias: Slug): boolean;
}

interface ReadOptions {
  /** Own brands from an earlier read. Records that were already read at that time are not read again. */
  readonly before: OwnEntries | undefined;
  readonly run: RunSteps;
}

/** Reads own brands and their drawings from the store, by the ids in the account's record. */
export interface OwnBrandPages {
  texts(id: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Reads the records (pages) that store an account's own brands, in one round trip. Resolves with undefined if a
   * record no longer exists.
   */
  read(id: AccountId, pageIds: string, options: ReadOptions): Promise<OwnEntries | undefined>;
}
