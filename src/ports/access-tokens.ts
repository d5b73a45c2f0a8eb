// Signed, short-lived proofs of a session.
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
  /** For at most 900 s, and not beyond `notAfter`. */
  issue(claims: AccessClaims, notAfter: Date): IssuedToken;
  /**
   * Undefined for what is forged, malformed, expired or meant for another service. Whether the session lives is not in
   * it.
   */
  verify(token: string): AccessClaims | undefined;
}
