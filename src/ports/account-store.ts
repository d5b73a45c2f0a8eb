// Where accounts are kept, and the record of what happened to them.
import type { Account, AccountId, PasswordRecord } from '../domain/account/account.js';
import type { AuditEvent } from '../domain/account/audit-event.js';

/** What is durable when a promise of these resolves survives the death of the process. */
export interface AccountStore {
  /**
   * Adds a new account and its events, both or neither. `email_taken` when one with the same `emailIdentity` exists:
   * of any number of simultaneous calls for one identity, exactly one inserts.
   */
  insert(account: Account, events?: readonly AuditEvent[]): Promise<'inserted' | 'email_taken'>;
  find(id: AccountId): Promise<Account | undefined>;
  /** `identity` as of `emailIdentity`. */
  findByEmail(identity: string): Promise<Account | undefined>;
  /**
   * Takes the same time whether or not there is one, and however much else is kept of it. `identity` as of
   * `emailIdentity`.
   */
  passwordOf(identity: string): Promise<PasswordRecord | undefined>;
  /**
   * Compare and set: writes the account and its events, both or neither, if the stored version is `account.version -
   * 1`; else writes nothing and says false. Admissions see a changed key, tier or suspension at once, `key.lastUsedAt`
   * is theirs.
   */
  save(account: Account, events?: readonly AuditEvent[]): Promise<boolean>;
  /** Removes an account that is `deleting`, and its counters; its events stay until they are old. */
  remove(id: AccountId): Promise<void>;
  /** By id, after this one; for people and for jobs. */
  list(page: { readonly after?: AccountId; readonly limit: number }): Promise<readonly Account[]>;
  /**
   * Accounts for which `due` says that something has to be done by now, or later than it can be: a clock was ahead; at
   * most `limit`.
   */
  due(what: 'tidy' | 'mail' | 'deletion', now: Date, limit: number): Promise<readonly AccountId[]>;
}
