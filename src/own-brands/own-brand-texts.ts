// Texts of own brands: pages of brands and their drawings, each written once under an id of its own, never changed.
import type { AccountId } from '../accounts/account.js';

export interface OwnBrandText {
  /** Unique within the account. */
  readonly id: string;
  readonly text: string;
}

/**
 * What is visible is decided by the account, which names the pages: a text that it does not name, directly or through a page,
 * is not read. Every method rejects with AppError `unavailable` while the store cannot be used.
 */
export interface OwnBrandTexts {
  /** Texts by id, in one round trip; those that do not exist are left out. Requests wait for it: it takes a second at most. */
  get(accountId: AccountId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Durable when it resolves. One that is rejected may have written some. */
  add(accountId: AccountId, texts: readonly OwnBrandText[]): Promise<void>;
  remove(accountId: AccountId, ids: readonly string[]): Promise<void>;
  removeAll(accountId: AccountId): Promise<void>;
  /** Ids of all texts of the account. */
  ids(accountId: AccountId): Promise<readonly string[]>;
}
