// Account store. It writes the audit events of a change together with the change.
import type { Account, AccountId, PasswordRecord } from './account.js';
import type { AuditEvent } from './audit-event.js';

export type DueWork = 'expiry' | 'mail' | 'billing' | 'features' | 'deletion';

/** Changes are durable when their promise resolves: they survive the end of the process. */
export interface AccountStore {
  /**
   * Adds a new account and its events in one write. Returns `email_taken` if an account with the same `emailIdentity`
   * exists. If several calls with one identity run at the same time, exactly one of them adds an account.
   */
  insert(account: Account, events?: readonly AuditEvent[]): Promise<'inserted' | 'email_taken'>;
  find(id: AccountId): Promise<Account | undefined>;
  findByEmail(identity: string): Promise<Account | undefined>;
  /** Returns the account with this customer id at the payment provider. */
  findByCustomer(customerId: string): Promise<Account | undefined>;
  /**
   * Returns the password record of an `emailIdentity`. The duration of the call does not depend on the account's size
   * or existence, so it does not reveal whether an account exists.
   */
  passwordOf(identity: string): Promise<PasswordRecord | undefined>;
  /**
   * Compare-and-set: writes the account and its events in one write, but only if the stored version directly precedes
   * `account.version`. Otherwise writes nothing and resolves with false. Rejects with AppError `email_taken`, and
   * writes nothing, if another account has the same `emailIdentity`, even if several calls run at the same time. `from`
   * is the stored account before the change. A changed key, tier or suspension is effective immediately. Ignores
   * `key.lastUsedAt`, because requests with the key write it.
   */
  save(account: Account, events?: readonly AuditEvent[], from?: Account): Promise<boolean>;
  /**
   * Removes an account that is `deleting`, and the data that other stores have about it. The account's audit events
   * stay until they expire.
   */
  remove(id: AccountId): Promise<void>;
  /** Returns at most `limit` accounts with ids greater than `after`, sorted by id. */
  list(page: { readonly after?: AccountId; readonly limit: number }): Promise<readonly Account[]>;
  /**
   * Returns the ids of at most `limit` accounts with due work. `expiry`: expired sessions or links. `mail`: a due mail.
   * `billing`: a plan that ends, or a due sync with the payment provider. `features`: work of another feature.
   * `deletion`: an unfinished deletion. Work with a time too far in the future counts as due, because a wrong clock has
   * set that time.
   */
  due(work: DueWork, now: Date, limit: number): Promise<readonly AccountId[]>;
}
