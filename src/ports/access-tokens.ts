// Access tokens: signed, short-lived proofs of a session.
import type { AccountId } from '../domain/account/account.js';
import type { SessionId } from '../domain/account/session.js';

export interface AccessClaims {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

export interface IssuedToken {
  readonly token: string;
  /** Until it expires. */
  readonly expiresInSeconds: number;
}

export interface AccessTokens {
  /** Valid for at most 900 s, and not beyond `notAfter`. */
  issue(claims: AccessClaims, notAfter: Date): IssuedToken;
  /**
   * Undefined for a forged, malformed or expired token, or one of another service. Does not check whether the session is
   * live.
   */
  verify(token: string): AccessClaims | undefined;
}
