// Interface of a family under test.
import type { Stores } from '../../src/platform/stores/stores.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { Bucket } from '../../src/accounts/plan.js';

export interface TestBackend {
  /** Variables with which a service uses these stores. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stores: Stores;
  /** Returns the number of all accounts plus the number of this account's audit events. */
  records(id: AccountId): Promise<number>;
  /** Returns true while a password reset request is stored or a mail is waiting to be sent. */
  isMailing(): Promise<boolean>;
  /** Sets today's usage of the account in one bucket. */
  setUsed(id: AccountId, bucket: Bucket, used: number): Promise<void>;
  /** Returns all bytes of the stores. */
  stored(): Promise<Buffer>;
  /** Makes the stores reject writes. Returns a function that lifts the block. */
  block(): Promise<() => void>;
  /** Closes the stores. With `keep`, the data remains for the next opening of the folder. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}
