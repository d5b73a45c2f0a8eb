// Requests for a link to set another password, kept until they are carried out.
import type { AuditActor } from '../domain/account/audit-event.js';

export interface PasswordResetRequest {
  readonly id: string;
  /** As `emailIdentity` gives it; there may be no such account. */
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/** More are not stored: each is carried out within a second, so that many have come at once. */
export const MAX_STORED_REQUESTS = 10_000;

export interface PasswordResetRequests {
  /** Durable when it resolves. False when `MAX_STORED_REQUESTS` are stored; then this one is not. */
  add(request: PasswordResetRequest): Promise<boolean>;
  /**
   * The oldest of those stored until then, at most `limit`; with them those that a clock which was ahead has dated more
   * than `CLOCK_TOLERANCE_MS` later than now.
   */
  storedUntil(until: Date, limit: number): Promise<readonly PasswordResetRequest[]>;
  /** Does nothing when it is gone. */
  remove(id: string): Promise<void>;
}
