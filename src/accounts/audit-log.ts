// Audit log of security events, append-only until they expire. AccountStore writes the events of a change with the
// change.
import type { AccountId } from './account.js';
import type { AuditEvent, AuditTopic } from './audit-event.js';

export interface AuditLog {
  /** Adds events that do not change the account, such as a wrong password. */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** Returns events of one topic or of all, newest first. `before`: id of the last event of the previous page. */
  read(
    accountId: AccountId,
    page: { readonly before?: string; readonly limit: number; readonly topic?: AuditTopic },
  ): Promise<readonly AuditEvent[]>;
  /** Deletes older events. Returns the number of deleted events. */
  prune(before: Date): Promise<number>;
}
