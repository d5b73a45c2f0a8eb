// Stored texts of own brands: pages (records that contain several brands), variants of uploads, and drawings. Each text
// is written once under its own id, and never changed.
import type { AccountId } from '../accounts/account.js';

export interface OwnBrandText {
  /** Id, unique within the account. */
  readonly id: string;
  readonly text: string;
}

/**
 * Store of texts. An account's record refers to pages, and pages refer to variants and drawings. A text to which
 * nothing refers is never read. Every method rejects with AppError `unavailable` while the store cannot be used.
 */
export interface OwnBrandTexts {
  /**
   * Returns texts by id in one round trip, and omits missing ids. Resolves or rejects within a second, because requests
   * wait for it.
   */
  get(accountId: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Adds texts. Resolves when all of them are durable. After a rejection, some of them may have been written. */
  add(accountId: AccountId, texts: readonly OwnBrandText[]): Promise<void>;
  remove(accountId: AccountId, ids: readonly string[]): Promise<void>;
  removeAll(accountId: AccountId): Promise<void>;
  ids(accountId: AccountId): Promise<readonly string[]>;
}
