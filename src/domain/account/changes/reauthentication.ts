// Reauthentication: checks that the session and password proven with a request are still valid when it is carried out.
import { AppError } from '../../../errors.js';
import type { Account } from '../account.js';
import { isLive, type SessionId } from '../session.js';

/** The password was checked before; another one may have been set meanwhile. */
export function assertSamePassword(account: Account, checkedVersion: number): void {
  if (account.password.version !== checkedVersion) throw new AppError('invalid_credentials');
}

/** What a customer has proven: the password check takes time, in which session or password may change. */
export interface Reauthentication {
  readonly session: SessionId;
  /** Of the password that was found right. */
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
