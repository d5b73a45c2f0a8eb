// Account store, with the audit events of each change.
import type { Account, AccountId, PasswordRecord } from './account.js';
import type { AuditEvent } from './audit-event.js';

export type DueWork = 'expiry' | 'mail' | 'billing' | 'deletion';

/** A change is durable when its promise resolves: it survives the end of the process. */
export interface AccountStore {
  /**
   * Adds a new account and its events, both or neither. `email_taken` when one with the same `emailIdentity` exists:
   * of any number of simultaneous calls for one identity, exactly one inserts.
   */
  insert(account: Account, events?: readonly AuditEvent[]): Promise<'inserted' | 'email_taken'>;
  /** Also one that is `deleting`. */
  find(id: AccountId): Promise<Account | undefined>;
  /** `identity` as of `emailIdentity`. */
  findByEmail(identity: string): Promise<Account | undefined>;
  /** By the payment provider's id. */
  findByCustomer(customerId: string): Promise<Account | undefined>;
  /**
   * Takes the same time whether or not there is one, and however large the rest of the account is. `identity` as of
   * `emailIdentity`.
   */
  passwordOf(identity: string): Promise<PasswordRecord | undefined>;
  /**
   * Compare and set: writes the account and its events, both or neither, if the stored version is `account.version -
   * 1`; else writes nothing and resolves with false. `from`: the stored account that the change was decided about. Rejects with AppError `email_taken`, and writes nothing, when another
   * account has its `emailIdentity`: of any number of simultaneous calls for one identity, exactly one writes. Admissions read a changed key, tier or suspension at once, and are the only
   * writers of `key.lastUsedAt`.
   */
  save(account: Account, events?: readonly AuditEvent[], from?: Account): Promise<boolean>;
  /** Removes an account that is `deleting`, and its counters; its events stay until they are old. */
  remove(id: AccountId): Promise<void>;
  /** Ordered by id, after this one. */
  list(page: { readonly after?: AccountId; readonly limit: number }): Promise<readonly Account[]>;
  /**
   * At most `limit` accounts with expired sessions or links (`expiry`), a due mail, a plan that ends or a report of the
   * payment provider that is due (`billing`), or a deletion to finish. Also those whose time is later than any valid
   * one: a clock was ahead.
   */
  due(work: DueWork, now: Date, limit: number): Promise<readonly AccountId[]>;
}
