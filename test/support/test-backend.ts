// A family under test, as tests see it.
import type { Stores } from '../../src/compose/stores.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { Bucket } from '../../src/accounts/plan.js';

export interface TestBackend {
  /** Environment in which a service finds the same stores. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stores: Stores;
  /** Accounts, and security events of this one. */
  records(id: AccountId): Promise<number>;
  /** True while a request for a password reset is stored, or a mail is still to be sent. */
  isMailing(): Promise<boolean>;
  /** Sets today's counter. */
  setUsed(id: AccountId, bucket: Bucket, used: number): Promise<void>;
  /** All bytes that are stored. */
  stored(): Promise<Buffer>;
  /** From now on the stores cannot be written; returns the function that ends it. */
  block(): Promise<() => void>;
  /** `keep`: what is stored stays for the next time the folder is opened. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}
