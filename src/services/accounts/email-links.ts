// What is done by a link in a mail: setting another password without the old one, and proving that an address is one's
// own.
import { mapNotFound, type AccountActors } from '../../actors/account-actors.js';
import { emailIdentity, type Account, type AccountKey } from '../../domain/account/account.js';
import { resetPassword, sendLink, verifyEmail } from '../../domain/account/changes/email-links.js';
import { LINK_LIFETIME_MS, linkAccount, linkOf } from '../../domain/account/email-link.js';
import { inWords, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { AppError, invalidField } from '../../errors.js';
import type { AccountStore } from '../../ports/account-store.js';
import type { RateLimit, RateLimitRule, RateLimits } from '../../ports/rate-limits.js';
import type { Client } from './client-info.js';
import type { NewPassword } from './new-password.js';
import { ownerRateLimitKeys } from './password-rate-limits.js';
import type { PasswordResets } from './password-resets.js';
import type { Caller, Sessions } from './sessions.js';

/**
 * Mails of one kind to one address: nobody can fill somebody else's inbox. No longer than a reset link is good for, so
 * that strangers who use it up cannot leave the owner without one.
 */
const MAILS_PER_OWNER: readonly RateLimitRule[] = [{ limit: 5, windowMs: LINK_LIFETIME_MS['reset-password'] }];
/** Mails asked for, and links tried, from one client address. */
const PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];

interface Ports {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly actors: AccountActors;
  readonly rateLimits: RateLimits;
  readonly passwords: NewPassword;
  readonly sessions: Pick<Sessions, 'device'>;
  readonly resets: Pick<PasswordResets, 'request'>;
  readonly linkSecrets: readonly string[];
  readonly now: () => number;
}

export interface PasswordReset {
  /** Works as before. */
  readonly key: AccountKey | null;
  /**
   * The browser that used the link is known from now on: others' wrong passwords must not keep its owner from signing
   * in.
   */
  readonly deviceToken: string;
}

export interface EmailLinks {
  /**
   * Says nothing about whether there is such an account, nor whether a mail is sent. Throws AppError `busy`: nothing
   * was promised.
   */
  forgotPassword(email: string, client: Client): Promise<void>;
  /**
   * Ends all sessions; wrong passwords given before count no more. The key goes on, and is told. Throws AppError:
   * `invalid_request` for a bad link or password, `rate_limited`, `busy`.
   */
  resetPassword(token: string, newPassword: string, client: Client): Promise<PasswordReset>;
  /** Throws AppError: `invalid_request` for a bad link, `rate_limited`. */
  verifyEmail(token: string, client: Client): Promise<void>;
  /** Throws AppError `rate_limited`. */
  resendVerification(caller: Caller, client: Client): Promise<void>;
}

/** Verification mails of registrations with this address. */
export const registrationMailRateLimit = (email: string): RateLimit => ({
  key: `registration-mail:${emailIdentity(email)}`,
  rules: MAILS_PER_OWNER,
});

/**
 * Verification mails requested by a signed-in account. Apart from registrations, which are open to strangers, who must
 * not use this one up.
 */
const resentMailBudget = (email: string): RateLimit => ({
  key: `resent-mail:${emailIdentity(email)}`,
  rules: MAILS_PER_OWNER,
});

const badLink = (): AppError =>
  invalidField('token', 'this link is not valid, was used already, or is too old', 'the token of the newest mail');

export function createEmailLinks({
  accounts,
  actors: all,
  rateLimits,
  passwords,
  sessions,
  resets,
  linkSecrets,
  now,
}: Ports): EmailLinks {
  const linked = mapNotFound(badLink, all);
  const own = mapNotFound(() => new AppError('invalid_token'), all);

  async function spendAddress(client: Client): Promise<void> {
    const spent = await rateLimits.consume([{ key: `links-address:${client.rateLimitKey}`, rules: PER_ADDRESS }]);
    if (!spent.ok)
      throw new AppError(
        'rate_limited',
        `Too many links were asked for or tried from this address. Try again in ${inWords(spent.retryAfterSeconds * SECOND_MS)}.`,
        { retryAfterSeconds: spent.retryAfterSeconds },
      );
  }

  async function accountOfLink(token: string): Promise<Account> {
    const id = linkAccount(token);
    const account = id && (await accounts.find(id));
    if (!account || account.deleting) throw badLink();
    return account;
  }

  return {
    async forgotPassword(email, client) {
      const identity = emailIdentity(email);
      const asked = [
        { key: `links-address:${client.rateLimitKey}`, rules: PER_ADDRESS },
        { key: `reset-mail:${identity}`, rules: MAILS_PER_OWNER },
      ];
      const spent = await rateLimits.consume(asked);
      if (!spent.ok) return;
      try {
        await resets.request(identity, client.actor);
      } catch (error) {
        await rateLimits.refund(asked);
        throw error;
      }
    },

    async resetPassword(token, newPassword, client) {
      await spendAddress(client);
      const account = await accountOfLink(token);
      // Looked at before the password is hashed, and again when the link is used up.
      if (!linkOf(account, token, { purpose: 'reset-password', secrets: linkSecrets, at: new Date(now()) }))
        throw badLink();
      passwords.assertGood(newPassword, account.email, 'newPassword');
      const passwordHash = await passwords.hash(newPassword, client.fairnessKey);
      const done = await linked.run(account.id, client.actor, (current, at) =>
        resetPassword(current, { token, secrets: linkSecrets, passwordHash }, at),
      );
      if (!done) throw badLink();
      // The way out for an owner whom strangers' wrong passwords have locked out.
      for (const key of ownerRateLimitKeys(account)) await rateLimits.reset(key);
      return { key: done.key, deviceToken: sessions.device(done, client) };
    },

    async verifyEmail(token, client) {
      await spendAddress(client);
      const account = await accountOfLink(token);
      // A forged one costs no turn of the account's actor.
      if (!linkOf(account, token, { purpose: 'verify-email', secrets: linkSecrets, at: new Date(now()) }))
        throw badLink();
      const done = await linked.run(account.id, client.actor, (current, at) =>
        verifyEmail(current, { token, secrets: linkSecrets }, at),
      );
      if (!done) throw badLink();
    },

    async resendVerification({ account }, client) {
      const spent = await rateLimits.consume([resentMailBudget(account.email)]);
      if (!spent.ok)
        throw new AppError(
          'rate_limited',
          `At most five such mails in half an hour. Try again in ${inWords(spent.retryAfterSeconds * SECOND_MS)}.`,
          { retryAfterSeconds: spent.retryAfterSeconds },
        );
      await own.run(account.id, client.actor, (current, at) => sendLink(current, 'verify-email', at));
    },
  };
}
