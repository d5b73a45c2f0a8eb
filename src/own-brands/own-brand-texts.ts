// Texts of own brands: pages of brands and their drawings. Each text is written once under its own id, and never changed.
import type { AccountId } from '../accounts/account.js';

export interface OwnBrandText {
  /** Unique within the account. */
  readonly id: string;
  readonly text: string;
}

/**
 * The account names its visible pages. A text that neither the account nor one of its pages names is never read. Every method
 * rejects with AppError `unavailable` while the store cannot be used.
 */
export interface OwnBrandTexts {
  /** Returns texts by id in one round trip, and omits missing ids. It takes at most a second, because requests wait for it. */
  get(accountId: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Resolves when the texts are durable. After a rejection, some may have been written. */
  add(accountId: AccountId, texts: readonly OwnBrandText[]): Promise<void>;
  remove(accountId: AccountId, ids: readonly string[]): Promise<void>;
  removeAll(accountId: AccountId): Promise<void>;
  /** Returns the ids of all texts of the account. */
  ids(accountId: AccountId): Promise<readonly string[]>;
}
