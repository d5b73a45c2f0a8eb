// Store of password reset requests, which are kept until the link is mailed.
import type { AuditActor } from './audit-event.js';

export interface PasswordResetRequest {
  readonly id: string;
  /** `emailIdentity` of the typed address. The account may not exist. */
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/**
 * Maximum number of stored requests. Requests that a process cannot handle in the background are handled by a job
 * within a minute.
 */
export const MAX_STORED_REQUESTS = 10_000;

export interface PasswordResetRequests {
  /** Stores a request durably. Returns false without storing it, if there are already `MAX_STORED_REQUESTS`. */
  add(request: PasswordResetRequest): Promise<boolean>;
  /**
   * Returns at most `limit` requests that were stored until `until`, oldest first. Also returns requests with a date
   * more than `CLOCK_TOLERANCE_MS` in the future, because it comes from a wrong clock.
   */
  storedUntil(until: Date, limit: number): Promise<readonly PasswordResetRequest[]>;
  remove(id: string): Promise<void>;
}
