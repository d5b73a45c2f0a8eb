// Changes of an account's API key and password.
import type { Account, AccountId, AccountKey } from '../account.js';
import { assertStillAuthenticated, type Reauthentication } from './reauthentication.js';
import type { Change } from './change.js';
import { withNotice } from './mails.js';
import { newApiKey } from '../api-key.js';
import type { AuditFact } from '../audit-event.js';
import type { SessionId } from '../session.js';

/** Creates an API key. The raw key is returned, but not stored. */
export function freshKey(id: AccountId, at: Date): { readonly raw: string; readonly key: AccountKey } {
  const { raw, hash, hint } = newApiKey(id);
  return { raw, key: { hash, hint, createdAt: at, lastUsedAt: null } };
}

export interface KeyChange {
  readonly raw: string;
  readonly key: AccountKey;
}

/**
 * Replaces the key. Old key and new key are never valid at the same time, because one write replaces the key. `proof`
 * is undefined for the operator.
 */
export function regenerateKey(account: Account, proof: Reauthentication | undefined, at: Date): Change<KeyChange> {
  assertStillAuthenticated(account, proof, at);
  const { raw, key } = freshKey(account.id, at);
  const facts: AuditFact[] = [
    { type: 'authn_token_created', detail: { token: 'API key', hint: key.hint, replaced: account.key?.hint ?? null } },
  ];
  return { account: withNotice({ ...account, key }, 'key-replaced', at), facts, result: { raw, key } };
}

/** The result is false if there was no key. */
export function revokeKey(account: Account): Change<boolean> {
  const { key } = account;
  if (!key) return { account, facts: [], result: false };
  return {
    account: { ...account, key: null },
    facts: [{ type: 'authn_token_revoked', detail: { token: 'API key', hint: key.hint } }],
    result: true,
  };
}

export interface PasswordChange {
  /** Proof of the caller's identity. The password change does not end the session of this proof. */
  readonly proof: Reauthentication;
  readonly passwordHash: string;
}

/**
 * Sets a new password. Ends all sessions except the caller's, and removes open reset links and a pending change of the
 * e-mail address.
 */
export function changePassword(account: Account, { proof, passwordHash }: PasswordChange, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  return withPassword(account, passwordHash, { at, keep: proof.session });
}

/**
 * Sets the password and ends all sessions except `keep`. Omit `keep` if a mailed link sets the password, because the
 * client then has no session.
 */
export function withPassword(
  account: Account,
  passwordHash: string,
  { at, keep }: { readonly at: Date; readonly keep?: SessionId },
): Change {
  const sessions = account.sessions.filter(({ id }) => id === keep);
  const links = account.links.filter(({ purpose }) => purpose === 'verify-email');
  const password = { hash: passwordHash, version: account.password.version + 1 };
  const changed = { ...account, password, sessions, links };
  const { by, notice } =
    keep === undefined
      ? ({ by: 'link', notice: 'password-changed-by-link' } as const)
      : ({ by: 'password', notice: 'password-changed' } as const);
  return {
    account: withNotice(changed, notice, at),
    facts: [
      { type: 'authn_password_change', detail: { by, endedSessions: account.sessions.length - sessions.length } },
    ],
    result: undefined,
  };
}
