// Listener for changes of accounts. Another feature provides it.
import type { Account } from './account.js';
import type { AuditFact } from './audit-event.js';

export interface ChangeToRecord {
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly at: Date;
}

export interface ChangeListener {
  /**
   * Returns the given account with the data that the feature stores about the change. May be called again with a newer
   * version of the account.
   */
  record(change: ChangeToRecord): Account;
  saved(account: Account): void;
}

/**
 * Returns a listener that calls the listener of another feature. The indirection is needed because the other feature is
 * opened after accounts.
 */
export function changeListenerOf(services: { readonly changeListener?: ChangeListener }): ChangeListener {
  return {
    record: (change) => services.changeListener?.record(change) ?? change.account,
    saved: (account) => services.changeListener?.saved(account),
  };
}
