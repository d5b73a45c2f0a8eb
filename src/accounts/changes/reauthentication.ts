// Reauthentication: checks that what a request has proven (session, password, API key) is still valid when it is carried out.
import { AppError } from '../../platform/errors.js';
import type { Account } from '../account.js';
import { isWithin, MINUTE_MS } from '../../platform/time.js';
import { isLive, type Session, type SessionId } from '../session.js';
import type { Change } from './change.js';

/** Time for which a typed password is enough on the pages of billing. */
const CONFIRMED_MS = 5 * MINUTE_MS;

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

/** Writes down that the password was typed in this session. Throws what `assertStillAuthenticated` throws. */
export function confirmSession(account: Account, proof: Reauthentication, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  const confirmed = { at, passwordVersion: proof.passwordVersion };
  const sessions = account.sessions.map((one) => (one.id === proof.session ? { ...one, confirmed } : one));
  return { account: { ...account, sessions }, facts: [], result: undefined };
}

/** Undefined: the password is needed again. It is for `assertStillAuthenticated`, as a new one is. */
export function recentProof({ id, confirmed }: Session, at: Date): Reauthentication | undefined {
  if (!confirmed || !isWithin(confirmed.at.getTime(), CONFIRMED_MS, at.getTime())) return undefined;
  return { session: id, passwordVersion: confirmed.passwordVersion };
}

/** Throws `invalid_token`, `account_suspended`. */
export function assertStillSignedIn(account: Account, sessionId: SessionId, at: Date): void {
  const session = account.sessions.find(({ id }) => id === sessionId);
  if (!session || !isLive(session, at)) throw new AppError('invalid_token');
  if (account.suspended) throw new AppError('account_suspended');
}

/** Proof of who changes something that needs no password: a session, or the API key by its SHA-256, hex. */
export type OwnerProof =
  { readonly kind: 'session'; readonly session: SessionId } | { readonly kind: 'key'; readonly keyHash: string };

/** Throws `invalid_api_key`, and what `assertStillSignedIn` throws. */
export function assertStillOwner(account: Account, proof: OwnerProof, at: Date): void {
  if (proof.kind === 'session') assertStillSignedIn(account, proof.session, at);
  else assertStillKey(account, proof.keyHash);
}

function assertStillKey(account: Account, keyHash: string): void {
  if (account.key?.hash !== keyHash) throw new AppError('invalid_api_key', 'This API key was replaced.');
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
  assertStillKey(account, requester.keyHash);
}
