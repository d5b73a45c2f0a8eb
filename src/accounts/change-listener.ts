// Listener to the changes of accounts, which a later feature provides.
import type { Account } from './account.js';
import type { AuditFact } from './audit-event.js';

export interface ChangeToRecord {
  /** Account as it would be saved. */
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly at: Date;
}

export interface ChangeListener {
  /**
   * Returns the account to save: the given one, with what the feature keeps about the change. It is one write with the
   * change. May be called again for a newer state, and must not wait.
   */
  record(change: ChangeToRecord): Account;
  /** Called after the account was saved. */
  saved(account: Account): void;
}

/** Returns the listener of a later feature. The indirection is needed because the feature is opened after accounts. */
export function changeListenerOf(services: { readonly changeListener?: ChangeListener }): ChangeListener {
  return {
    record: (change) => services.changeListener?.record(change) ?? change.account,
    saved: (account) => services.changeListener?.saved(account),
  };
}
