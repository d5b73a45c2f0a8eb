// Listener to the changes of accounts, provided by another feature.
import type { Account } from './account.js';
import type { AuditFact } from './audit-event.js';

export interface ChangeToRecord {
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly at: Date;
}

export interface ChangeListener {
  /**
   * Returns the account to save: the given account and the data that the feature stores about the change. May be called
   * again with a newer account.
   */
  record(change: ChangeToRecord): Account;
  saved(account: Account): void;
}

/** Returns the listener of another feature. The indirection is needed because that feature is opened after accounts. */
export function changeListenerOf(services: { readonly changeListener?: ChangeListener }): ChangeListener {
  return {
    record: (change) => services.changeListener?.record(change) ?? change.account,
    saved: (account) => services.changeListener?.saved(account),
  };
}
