// What a change to an account says.
import type { Account } from '../account.js';
import type { AuditFact } from '../audit-event.js';

/**
 * What the account becomes, what is to be recorded, and what the caller gets. Whoever makes one takes the account as it
 * is and does not wait, so whatever is decided is decided about one state.
 */
export interface Change<Result = undefined> {
  /** The same object as before: there is nothing to save. */
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly result: Result;
}

export function unchanged(account: Account): Change {
  return { account, facts: [], result: undefined };
}
