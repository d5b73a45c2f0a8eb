// Reauthentication: checks that the proof of a request (session, password, API key) is still valid when its change is
// saved.
import { AppError } from '../../platform/errors.js';
import type { Account } from '../account.js';
import { isWithin, MINUTE_MS } from '../../platform/time.js';
import { isLive, type Session, type SessionId } from '../session.js';
import type { Change } from './change.js';

/** Time in ms for which the billing pages accept an earlier confirmation by password. */
const CONFIRMED_MS = 5 * MINUTE_MS;

/** Throws if the password has changed since it was checked. */
export function assertSamePassword(account: Account, checkedVersion: number): void {
  if (account.password.version !== checkedVersion) throw new AppError('invalid_credentials');
}

/** Proof of a customer who typed the password: the session, and the version of the password. */
export interface Reauthentication {
  readonly session: SessionId;
  /** Version of the password that was checked. */
  readonly passwordVersion: number;
}

/**
 * Throws `invalid_token`, `account_suspended` or `invalid_credentials` if the proof is no longer valid. `proof` is
 * undefined for the operator.
 */
export function assertStillAuthenticated(account: Account, proof: Reauthentication | undefined, at: Date): void {
  if (!proof) return;
  assertStillSignedIn(account, proof.session, at);
  assertSamePassword(account, proof.passwordVersion);
}

/**
 * Records in the session that the owner has typed the password at `at`. Throws the errors of
 * `assertStillAuthenticated`.
 */
export function confirmSession(account: Account, proof: Reauthentication, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  const confirmed = { at, passwordVersion: proof.passwordVersion };
  const sessions = account.sessions.map((one) => (one.id === proof.session ? { ...one, confirmed } : one));
  return { account: { ...account, sessions }, facts: [], result: undefined };
}

/**
 * Returns the proof if the owner has typed the password in this session in the last five minutes, otherwise undefined.
 * Pass the proof to `assertStillAuthenticated`, because the password may have changed in the meantime.
 */
export function recentProof({ id, confirmed }: Session, at: Date): Reauthentication | undefined {
  if (!confirmed || !isWithin(confirmed.at.getTime(), CONFIRMED_MS, at.getTime())) return undefined;
  return { session: id, passwordVersion: confirmed.passwordVersion };
}

/** Throws `invalid_token` or `account_suspended` if the session is no longer valid. */
export function assertStillSignedIn(account: Account, sessionId: SessionId, at: Date): void {
  const session = account.sessions.find(({ id }) => id === sessionId);
  if (!session || !isLive(session, at)) throw new AppError('invalid_token');
  if (account.suspended) throw new AppError('account_suspended');
}

/** Proof for changes that need no password: a session, or the API key's SHA-256 in hex. */
export type OwnerProof =
  | { readonly kind: 'session'; readonly session: SessionId }
  | { readonly kind: 'key'; readonly keyHash: string };

/** Throws `invalid_api_key` if the key is no longer valid, and the errors of `assertStillSignedIn`. */
export function assertStillOwner(account: Account, proof: OwnerProof, at: Date): void {
  if (proof.kind === 'session') assertStillSignedIn(account, proof.session, at);
  else assertStillKey(account, proof.keyHash);
}

function assertStillKey(account: Account, keyHash: string): void {
  if (account.key?.hash !== keyHash)
    throw new AppError('invalid_api_key', 'This API key was replaced. Use the new one.');
  if (account.suspended) throw new AppError('account_suspended');
}

/** Proof for a purchase: a session with a checked password, or an API key. */
export type RequesterProof =
  | { readonly kind: 'session'; readonly proof: Reauthentication }
  /** SHA-256 of the presented API key in hex. */
  | { readonly kind: 'key'; readonly keyHash: string };

/** Throws `invalid_api_key` if the key is no longer valid, and the errors of `assertStillAuthenticated`. */
export function assertStillRequester(account: Account, requester: RequesterProof, at: Date): void {
  if (requester.kind === 'session') {
    assertStillAuthenticated(account, requester.proof, at);
    return;
  }
  assertStillKey(account, requester.keyHash);
}
