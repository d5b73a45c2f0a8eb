// Interface of a tested family.
import type { Stores } from '../../src/platform/stores/stores.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { Bucket } from '../../src/accounts/plan.js';

export interface TestBackend {
  /** Environment in which a service uses the same stores. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stores: Stores;
  /** Returns the number of accounts plus the number of this account's security events. */
  records(id: AccountId): Promise<number>;
  /** True while a password reset request is stored or a mail is unsent. */
  isMailing(): Promise<boolean>;
  /** Sets today's counter. */
  setUsed(id: AccountId, bucket: Bucket, used: number): Promise<void>;
  /** All stored bytes. */
  stored(): Promise<Buffer>;
  /** Makes the stores reject writes. Returns a function that ends this. */
  block(): Promise<() => void>;
  /** With `keep`, stored data remains for the next opening of the folder. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}
