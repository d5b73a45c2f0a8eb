// Changes to an account's key and password.
import type { Account, AccountId, AccountKey } from '../account.js';
import { assertStillAuthenticated, type Reauthentication } from './reauthentication.js';
import type { Change } from './change.js';
import { withNotice } from './mails.js';
import { newApiKey } from '../api-key.js';
import type { AuditFact } from '../audit-event.js';
import type { SessionId } from '../session.js';

export function freshKey(id: AccountId, at: Date): { readonly raw: string; readonly key: AccountKey } {
  const { raw, hash, hint } = newApiKey(id);
  return { raw, key: { hash, hint, createdAt: at, lastUsedAt: null } };
}

export interface KeyChange {
  readonly raw: string;
  readonly key: AccountKey;
}

/** One write: the old key stops with it, the new one begins. `asked` is undefined for the operator. */
export function regenerateKey(account: Account, asked: Reauthentication | undefined, at: Date): Change<KeyChange> {
  assertStillAuthenticated(account, asked, at);
  const { raw, key } = freshKey(account.id, at);
  const facts: AuditFact[] = [
    { type: 'authn_token_created', detail: { token: 'API key', hint: key.hint, replaced: account.key?.hint ?? null } },
  ];
  return { account: withNotice({ ...account, key }, 'key-replaced', at), facts, result: { raw, key } };
}

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
  /** Its session is the one that goes on. */
  readonly asked: Reauthentication;
  readonly passwordHash: string;
}

/** Ends all other sessions, and every link that could set yet another password. */
export function changePassword(account: Account, { asked, passwordHash }: PasswordChange, at: Date): Change {
  assertStillAuthenticated(account, asked, at);
  return withPassword(account, passwordHash, { at, keep: asked.session });
}

/** Ends all sessions but `keep`; where it is undefined, a link has set the password. */
export function withPassword(
  account: Account,
  passwordHash: string,
  { at, keep }: { readonly at: Date; readonly keep?: SessionId },
): Change {
  const sessions = account.sessions.filter(({ id }) => id === keep);
  const links = account.links.filter(({ purpose }) => purpose !== 'reset-password');
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
