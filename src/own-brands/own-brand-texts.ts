// Texts of own brands: pages of brands and their drawings. Each text is written once under its own id, and never
// changed.
import type { AccountId } from '../accounts/account.js';

export interface OwnBrandText {
  /** Id, unique within the account. */
  readonly id: string;
  readonly text: string;
}

/**
 * Store of texts. The account refers to its pages, and pages refer to drawings. A text that nothing refers to is never
 * read. Every method rejects with AppError `unavailable` while the store cannot be used.
 */
export interface OwnBrandTexts {
  /**
   * Returns texts by id in one round trip, and omits missing ids. Resolves or rejects within a second, because requests
   * wait for it.
   */
  get(accountId: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Adds texts. Resolves when they are durable. After a rejection, some of them may have been written. */
  add(accountId: AccountId, texts: readonly OwnBrandText[]): Promise<void>;
  remove(accountId: AccountId, ids: readonly string[]): Promise<void>;
  removeAll(accountId: AccountId): Promise<void>;
  /** Returns the ids of all texts of the account. */
  ids(accountId: AccountId): Promise<readonly string[]>;
}
