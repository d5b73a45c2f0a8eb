// Audit log of security events, append-only until they are old. AccountStore writes the events of a change with it.
import type { AccountId } from './account.js';
import type { AuditEvent, AuditTopic } from './audit-event.js';

export interface AuditLog {
  /** Events without a change of the account, as a wrong password. */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first, of one topic or of all; `before` is the id of the last one of the page before. */
  read(
    accountId: AccountId,
    page: { readonly before?: string; readonly limit: number; readonly topic?: AuditTopic },
  ): Promise<readonly AuditEvent[]>;
  /** Deletes older events; how many there were. */
  prune(before: Date): Promise<number>;
}
