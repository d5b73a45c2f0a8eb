// Store of password reset requests. A request is stored until its link is mailed.
import type { AuditActor } from './audit-event.js';

export interface PasswordResetRequest {
  readonly id: string;
  /** `emailIdentity` of the typed address. The account may not exist. */
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/**
 * Maximum number of stored requests. Most requests are handled immediately. If the background queue of a process is
 * full, a job handles the others within a minute.
 */
export const MAX_STORED_REQUESTS = 10_000;

export interface PasswordResetRequests {
  /** Stores a request durably. Returns false without storing it, if there are already `MAX_STORED_REQUESTS`. */
  add(request: PasswordResetRequest): Promise<boolean>;
  /**
   * Returns at most `limit` requests that were stored until `until`, oldest first. Requests that are dated more than
   * `CLOCK_TOLERANCE_MS` in the future are returned as well, because a wrong clock has dated them.
   */
  storedUntil(until: Date, limit: number): Promise<readonly PasswordResetRequest[]>;
  remove(id: string): Promise<void>;
}
