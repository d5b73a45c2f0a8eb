// Interface to the stores under test, either embedded (SQLite) or cluster (MongoDB and Redis).
import type { Stores } from '../../src/platform/stores/stores.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { Bucket } from '../../src/accounts/plan.js';

export interface TestBackend {
  /** Environment variables of a service that uses these stores. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stores: Stores;
  /** Returns the number of all accounts plus the number of this account's audit events. */
  records(id: AccountId): Promise<number>;
  /** Returns true while a password reset request is stored or a mail waits to be sent. */
  isMailing(): Promise<boolean>;
  /** Sets today's usage of the account in this bucket. */
  setUsed(id: AccountId, bucket: Bucket, used: number): Promise<void>;
  stored(): Promise<Buffer>;
  /** Makes the stores reject writes. Returns a function that ends this state. */
  block(): Promise<() => void>;
  /** Closes the stores. With `keep`, their data is kept for the next `openBackend` call with this folder. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}
