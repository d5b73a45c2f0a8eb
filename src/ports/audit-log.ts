// The record of security events: only ever added to, until it is old. Events of a change are written by AccountStore
// with it.
import type { AccountId } from '../domain/account/account.js';
import type { AuditEvent } from '../domain/account/audit-event.js';

export interface AuditLog {
  /** For what happened without a change (a wrong password). */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first; `before` is the id of the last one of the page before. */
  read(
    accountId: AccountId,
    page: { readonly before?: string; readonly limit: number },
  ): Promise<readonly AuditEvent[]>;
  /** Drops what is older; how many there were. */
  prune(before: Date): Promise<number>;
}
