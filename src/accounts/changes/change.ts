// Changes to an account: pure functions of the stored account.
import type { Account } from '../account.js';
import type { AuditFact } from '../audit-event.js';

/**
 * The next account, the audit facts, and the result for the caller. A change is decided synchronously about one stored
 * state. It may be decided again about a newer state.
 */
export interface Change<Result = undefined> {
  /** Account after the change. If it is the same object as before, there is nothing to save. */
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly result: Result;
}

/** Returns a change without anything to save or record. */
export function unchanged(account: Account): Change {
  return { account, facts: [], result: undefined };
}
