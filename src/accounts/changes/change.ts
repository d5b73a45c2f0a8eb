// Changes of an account. A change is a pure function from the stored account to the new account.
import type { Account } from '../account.js';
import type { AuditFact } from '../audit-event.js';

/**
 * Change that was decided, but is not saved yet. If another change of the account is saved first, this change is
 * decided again.
 */
export interface Change<Result = undefined> {
  /** Account after the change. If this is the unchanged stored account, nothing is saved. */
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly result: Result;
}

export function unchanged(account: Account): Change {
  return { account, facts: [], result: undefined };
}
