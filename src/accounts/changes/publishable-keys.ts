// Changes of an account's publishable keys.
import { AppError } from '../../platform/errors.js';
import type { Account } from '../account.js';
import {
  MAX_PUBLISHABLE_KEYS,
  newPublishableKey,
  type PublishableKey,
  type PublishableKeySettings,
} from '../publishable-key.js';
import type { SessionId } from '../session.js';
import { unchanged, type Change } from './change.js';
import { withNotice } from './mails.js';
import { assertStillSignedIn } from './reauthentication.js';

const TOKEN = 'publishable key';

function withKeys(account: Account, publishableKeys: readonly PublishableKey[], at: Date): Account {
  return withNotice({ ...account, publishableKeys }, 'publishable-keys-changed', at);
}

/** Adds a key. Throws `conflict` if the account already has ten, and the errors of `assertStillSignedIn`. */
export function addPublishableKey(
  account: Account,
  { session, settings }: { readonly session: SessionId; readonly settings: PublishableKeySettings },
  at: Date,
): Change<PublishableKey> {
  assertStillSignedIn(account, session, at);
  if (account.publishableKeys.length >= MAX_PUBLISHABLE_KEYS)
    throw new AppError(
      'conflict',
      `This account already has ${MAX_PUBLISHABLE_KEYS} publishable keys. Revoke one with DELETE ` +
        '/auth/publishable-keys/{id}.',
    );
  const key = newPublishableKey(account.id, settings, at);
  return {
    account: withKeys(account, [...account.publishableKeys, key], at),
    facts: [{ type: 'authn_token_created', detail: { token: TOKEN, id: key.id, name: key.name } }],
    result: key,
  };
}

interface Edit {
  readonly session: SessionId;
  readonly id: string;
  readonly settings: Partial<PublishableKeySettings>;
}

/** The result is the updated key, or undefined if no key has this id. */
export function editPublishableKey(
  account: Account,
  { session, id, settings }: Edit,
  at: Date,
): Change<PublishableKey | undefined> {
  assertStillSignedIn(account, session, at);
  const before = account.publishableKeys.find((key) => key.id === id);
  if (!before) return unchanged(account);
  const after = { ...before, ...settings };
  if (JSON.stringify(after) === JSON.stringify(before)) return { account, facts: [], result: before };
  return {
    account: withKeys(
      account,
      account.publishableKeys.map((key) => (key === before ? after : key)),
      at,
    ),
    facts: [
      {
        type: 'user_updated',
        detail: { token: TOKEN, id, name: after.name, origins: after.origins.join(' '), dailyLimit: after.dailyLimit },
      },
    ],
    result: after,
  };
}

/** `session` is undefined for the operator. The result is false if no key has this id. */
export function revokePublishableKey(
  account: Account,
  { session, id }: { readonly session: SessionId | undefined; readonly id: string },
  at: Date,
): Change<boolean> {
  if (session !== undefined) assertStillSignedIn(account, session, at);
  const key = account.publishableKeys.find((candidate) => candidate.id === id);
  if (!key) return { account, facts: [], result: false };
  return {
    account: withKeys(
      account,
      account.publishableKeys.filter((candidate) => candidate !== key),
      at,
    ),
    facts: [{ type: 'authn_token_revoked', detail: { token: TOKEN, id, name: key.name } }],
    result: true,
  };
}
