// Reauthentication: checks that what a request has proven (session, password, API key) is still valid when it is carried out.
import { AppError } from '../../../errors.js';
import type { Account } from '../account.js';
import { isLive, type SessionId } from '../session.js';

/** The password was checked before; another one may have been set meanwhile. */
export function assertSamePassword(account: Account, checkedVersion: number): void {
  if (account.password.version !== checkedVersion) throw new AppError('invalid_credentials');
}

/** Proof of a customer: while the password is checked, session or password may change. */
export interface Reauthentication {
  readonly session: SessionId;
  /** Version of the password that was found right. */
  readonly passwordVersion: number;
}

/**
 * `proof` is undefined for the operator. Throws `invalid_token`, `account_suspended`,
 * `invalid_credentials`.
 */
export function assertStillAuthenticated(account: Account, proof: Reauthentication | undefined, at: Date): void {
  if (!proof) return;
  assertStillSignedIn(account, proof.session, at);
  assertSamePassword(account, proof.passwordVersion);
}

/** Throws `invalid_token`, `account_suspended`. */
export function assertStillSignedIn(account: Account, sessionId: SessionId, at: Date): void {
  const session = account.sessions.find(({ id }) => id === sessionId);
  if (!session || !isLive(session, at)) throw new AppError('invalid_token');
  if (account.suspended) throw new AppError('account_suspended');
}

/** Proof of who asks for a purchase: a session with the password, or the API key. */
export type RequesterProof =
  | { readonly kind: 'session'; readonly proof: Reauthentication }
  /** SHA-256 of the presented key, hex. */
  | { readonly kind: 'key'; readonly keyHash: string };

/** Throws `invalid_api_key`, and what `assertStillAuthenticated` throws. */
export function assertStillRequester(account: Account, requester: RequesterProof, at: Date): void {
  if (requester.kind === 'session') {
    assertStillAuthenticated(account, requester.proof, at);
    return;
  }
  if (account.key?.hash !== requester.keyHash) throw new AppError('invalid_api_key', 'This API key was replaced.');
  if (account.suspended) throw new AppError('account_suspended');
}
