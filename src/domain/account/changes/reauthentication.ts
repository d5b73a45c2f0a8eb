// What has to be true still when a change that a customer asked for is made.
import { AppError } from '../../../errors.js';
import type { Account } from '../account.js';
import { isLive, type SessionId } from '../session.js';

/** The password was checked outside; meanwhile another one may have been set. */
export function assertSamePassword(account: Account, checkedVersion: number): void {
  if (account.password.version !== checkedVersion) throw new AppError('invalid_credentials');
}

/** What the customer proved when asking: checking the password takes time, in which all of it may have ended. */
export interface Reauthentication {
  readonly session: SessionId;
  /** Of the password that was found right. */
  readonly passwordVersion: number;
}

/**
 * Nothing to prove for the operator, who is undefined here. Throws `invalid_token`, `account_suspended`,
 * `invalid_credentials`.
 */
export function assertStillAuthenticated(account: Account, asked: Reauthentication | undefined, at: Date): void {
  if (!asked) return;
  const session = account.sessions.find(({ id }) => id === asked.session);
  if (!session || !isLive(session, at)) throw new AppError('invalid_token');
  if (account.suspended) throw new AppError('account_suspended');
  assertSamePassword(account, asked.passwordVersion);
}
