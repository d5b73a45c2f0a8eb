// Audit log of security events. It is append-only until the events expire. AccountStore writes the events of a change
// together with the account.
import type { AccountId } from './account.js';
import type { AuditEvent, AuditTopic } from './audit-event.js';

export interface AuditLog {
  /** Adds events that belong to no change of an account, such as a wrong password. */
  append(events: readonly AuditEvent[]): Promise<void>;
  /**
   * Returns at most `limit` events, newest first. `before`: id of the last event of the previous page. `topic`:
   * undefined means all topics.
   */
  read(
    accountId: AccountId,
    page: { readonly before?: string; readonly limit: number; readonly topic?: AuditTopic },
  ): Promise<readonly AuditEvent[]>;
  prune(before: Date): Promise<number>;
}
