// Mailed links: reset of a forgotten password, and verification of an e-mail address.
import { mapNotFound } from './account-actors.js';
import { emailIdentity, type Account, type AccountKey } from './account.js';
import { resetPassword, sendLink, verifyEmail } from './changes/email-links.js';
import { LINK_LIFETIME_MS, linkAccount, linkOf, type LinkPurpose } from './email-link.js';
import { MINUTE_MS } from '../platform/time.js';
import { AppError, invalidField } from '../platform/errors.js';
import type { RateLimit, RateLimitRule, RateLimits } from './rate-limits.js';
import { ownersTurn, type Client } from './client-info.js';
import { ownerRateLimitKeys } from './password-rate-limits.js';
import { consume, refundOnFailure } from './rate-limiting.js';
import type { PasswordResets } from './password-resets.js';
import type { Caller, Sessions } from './sessions.js';
import type { AccountContext } from './context.js';

/**
 * Limit of mails of one kind to one address, so that strangers cannot fill an inbox. Links that strangers request are
 * mailed only to the owner. The window is as long as a reset link is valid. Even if strangers use up the limit, the
 * owner usually has a valid link until the next window.
 */
export const MAILS_PER_OWNER: readonly RateLimitRule[] = [{ limit: 5, windowMs: LINK_LIFETIME_MS['reset-password'] }];
/** Limit per client address. It counts both requests for links and uses of links. */
const PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];

type Ports = Pick<AccountContext, 'accounts' | 'actors' | 'rateLimits' | 'passwords' | 'linkSecrets' | 'now'> & {
  readonly sessions: Pick<Sessions, 'device'>;
  readonly resets: Pick<PasswordResets, 'request'>;
};

export interface PasswordReset {
  /** API key, unchanged by the reset; null if the account has none. */
  readonly key: AccountKey | null;
  /**
   * New value of the device cookie for the browser that used the link. Sign-ins with this cookie have separate rate
   * limits, so that wrong passwords from other clients cannot lock the owner out.
   */
  readonly deviceToken: string;
}

export type EmailLinks = ReturnType<typeof createEmailLinks>;

export const registrationMailRateLimit = (email: string): RateLimit => ({
  key: `registration-mail:${emailIdentity(email)}`,
  rules: MAILS_PER_OWNER,
});

/**
 * Returns the limit of verification mails that a signed-in account requests. It is separate from the limit of mails at
 * registration, which strangers can use up.
 */
const resentMailRateLimit = (email: string): RateLimit => ({
  key: `resent-mail:${emailIdentity(email)}`,
  rules: MAILS_PER_OWNER,
});

export const badLink = (): AppError =>
  invalidField('token', 'this link is not valid, was already used, or has expired', 'the token of the latest e-mail');

export function createEmailLinks(ports: Ports) {
  const { actors, rateLimits, passwords, sessions, linkSecrets } = ports;
  const linkActors = mapNotFound(badLink, actors);
  const ownActors = mapNotFound(() => new AppError('invalid_token'), actors);

  return {
    /**
     * Mails a reset link. Does not reveal whether the account exists or whether a mail is sent. Throws AppError `busy`
     * if the request was not stored.
     */
    forgotPassword: (email: string, client: Client): Promise<void> => requestReset(ports, emailIdentity(email), client),

    /**
     * Sets a new password, ends all sessions, and resets the owner's password rate limits. The API key stays valid.
     * Throws AppError `invalid_request` if the link is invalid or the password is unacceptable. Throws `rate_limited`
     * if the limit of the client address is used up, and `busy` if the service is overloaded.
     */
    async resetPassword(token: string, newPassword: string, client: Client): Promise<PasswordReset> {
      await consumeLinkAddress(rateLimits, client);
      // The link is checked first, because the password hash is costly. `resetPassword` checks the link again.
      const account = await accountOfLink(ports, token, 'reset-password');
      passwords.assertGood(newPassword, account.email, 'newPassword');
      const passwordHash = await passwords.hash(newPassword, ownersTurn(account));
      const done = await linkActors.run(account.id, client.actor, (current, at) =>
        resetPassword(current, { token, secrets: linkSecrets, passwordHash }, at),
      );
      if (!done) throw badLink();
      // The owner must be able to sign in, even if wrong passwords of strangers have used up these limits.
      for (const key of ownerRateLimitKeys(account)) await rateLimits.reset(key);
      return { key: done.key, deviceToken: sessions.device(done, client) };
    },

    /**
     * Throws AppError `invalid_request` if the link is invalid, and `rate_limited` if the limit of the client address
     * is used up.
     */
    async verifyEmail(token: string, client: Client): Promise<void> {
      await consumeLinkAddress(rateLimits, client);
      // The link is checked before the change starts, because the change would wait for the account's lock even with a
      // forged link.
      const account = await accountOfLink(ports, token, 'verify-email');
      const done = await linkActors.run(account.id, client.actor, (current, at) =>
        verifyEmail(current, { token, secrets: linkSecrets }, at),
      );
      if (!done) throw badLink();
    },

    async resendVerification({ account }: Caller, client: Client): Promise<void> {
      await consume(
        rateLimits,
        [resentMailRateLimit(account.email)],
        'At most five of these e-mails are sent per half hour.',
      );
      await ownActors.run(account.id, client.actor, (current, at) => sendLink(current, 'verify-email', at));
    },
  };
}

const addressRateLimit = ({ rateLimitKey }: Client): RateLimit => ({
  key: `links-address:${rateLimitKey}`,
  rules: PER_ADDRESS,
});

/**
 * Counts one attempt against the limit of links per client address. Throws AppError `rate_limited` if the limit is used
 * up.
 */
export async function consumeLinkAddress(rateLimits: RateLimits, client: Client): Promise<void> {
  const message = 'Too many links were requested or tried from your IP address.';
  await consume(rateLimits, [addressRateLimit(client)], message);
}

/**
 * Requests a reset. If a limit is used up, drops the request without an error, because an error would reveal that other
 * people have requested resets for this address.
 */
async function requestReset({ rateLimits, resets }: Ports, identity: string, client: Client): Promise<void> {
  const limits = [addressRateLimit(client), { key: `reset-mail:${identity}`, rules: MAILS_PER_OWNER }];
  const outcome = await rateLimits.consume(limits);
  if (outcome.ok) await refundOnFailure(rateLimits, limits, () => resets.request(identity, client.actor));
}

/** Returns the account of a link. Throws AppError `invalid_request` if the link is forged, used or expired. */
export async function accountOfLink(
  { accounts, linkSecrets, now }: Pick<Ports, 'accounts' | 'linkSecrets' | 'now'>,
  token: string,
  purpose: LinkPurpose,
): Promise<Account> {
  const id = linkAccount(token);
  const account = id && (await accounts.find(id));
  const isOpen =
    account && linkOf(account, token, { purpose, secrets: linkSecrets, at: new Date(now()) }) !== undefined;
  if (!isOpen) throw badLink();
  return account;
}
