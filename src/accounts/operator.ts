// Account administration by the operator: creates, shows and changes accounts, without the owner's password.
import { randomBytes } from 'node:crypto';
import { emailIdentity, type Account } from './account.js';
import { parseAccountId, type AccountId } from './account-id.js';
import type { Change } from './changes/change.js';
import { revokeKey } from './changes/credentials.js';
import { newAccount } from './changes/lifecycle.js';
import { makeResetLink } from './changes/email-links.js';
import { setEmail } from './changes/email-change.js';
import { revokePublishableKey } from './changes/publishable-keys.js';
import { endAllSessions } from './changes/sessions.js';
import { setOperatorTier } from './changes/billing.js';
import { tierAt } from './tier.js';
import { setSuspended, unlock } from './changes/status.js';
import { auditEvents, type AuditEvent } from './audit-event.js';
import { linkToken, type OpenLink } from './email-link.js';
import type { Tier } from './plan.js';
import { AppError, isCode } from '../platform/errors.js';
import type { Customers } from './customers.js';
import { linkAddress } from './templates.mail.js';
import type { AccountUsage, UsageReport } from './account-usage.js';
import { createAccountListing } from './account-listing.js';
import { deleteAccount } from './account-deletion.js';
import { ownerRateLimitKeys, strangersOf } from './password-rate-limits.js';
import type { AccountContext } from './context.js';

const OPERATOR = { kind: 'operator', address: null } as const;
const OPERATOR_TURN = { lane: 'known', fairnessKey: 'operator' } as const;
const PASSWORD_BYTES = 32;
const RECENT_EVENTS = 10;

type Ports = Pick<
  AccountContext,
  | 'accounts'
  | 'actors'
  | 'audit'
  | 'payments'
  | 'rateLimits'
  | 'passwords'
  | 'origin'
  | 'linkSecrets'
  | 'unstoredMails'
  | 'now'
> & { readonly usage: Pick<AccountUsage, 'range' | 'today'> };

export interface ResetLink {
  readonly address: string;
  readonly expiresAt: Date;
}

/** Customer with open checkouts that the payment provider could not close. The customer can still pay them. */
export interface OpenCheckouts {
  readonly customerId: string;
  readonly reason: string;
}

export interface CreatedAccount {
  readonly account: Account;
  /** API key as text. Only its hash is stored. */
  readonly apiKey: string;
  /** Link for the owner to set a password. The initial password is random and discarded. */
  readonly resetLink: ResetLink;
}

export type Operator = ReturnType<typeof createOperator>;

/**
 * Methods that change an account reject with AppError `busy`, `conflict`, and with `not_found` if the account was
 * deleted. Further errors are listed at the methods.
 */
export function createOperator(ports: Ports) {
  const { accounts, actors, audit, rateLimits, passwords, now } = ports;

  return {
    /** Rejects with AppError `email_taken`. */
    async create(email: string, tier: Tier): Promise<CreatedAccount> {
      const passwordHash = await passwords.hash(randomBytes(PASSWORD_BYTES).toString('base64url'), OPERATOR_TURN);
      const at = new Date(now());
      const created = newAccount({ email, passwordHash, tier, at });
      const { account, facts, result: link } = makeResetLink(created.account, at);
      const events = auditEvents([...created.facts, ...facts], { account, by: OPERATOR, at });
      if ((await accounts.insert(account, events)) === 'email_taken') throw new AppError('email_taken');
      return { account, apiKey: created.result.apiKey, resetLink: resetLinkOf(ports, account.id, link) };
    },

    async find(emailOrId: string): Promise<Account> {
      const id = parseAccountId(emailOrId);
      const found =
        id === undefined ? await accounts.findByEmail(emailIdentity(emailOrId.trim())) : await accounts.find(id);
      if (!found) throw new AppError('not_found', `There is no account "${emailOrId}".`);
      return found;
    },

    ...createAccountListing(ports),
    /** Returns the latest security events of the topic `account`, newest first. */
    recentEvents: (id: AccountId): Promise<readonly AuditEvent[]> =>
      audit.read(id, { limit: RECENT_EVENTS, topic: 'account' }),

    /** Returns the current tier, which may differ from the stored tier. */
    tierOf: (account: Account): Tier => tierAt(account, new Date(now())),

    /** Returns the usage of the current UTC day, even if the account is suspended. */
    usageToday: (account: Account): Promise<UsageReport> => ports.usage.today(account),

    /**
     * Sets the tier, and closes the customer's open checkouts. Returns the customer and the reason if checkouts could
     * not be closed. With null, the subscription decides the tier again, and no checkout is closed.
     */
    async setTier(id: AccountId, tier: Tier | null): Promise<OpenCheckouts | undefined> {
      const customerId = await actors.run(id, OPERATOR, (account, at) =>
        withCustomer(setOperatorTier(account, tier, at)),
      );
      return tier === null ? undefined : closeCheckouts(ports.payments, customerId);
    },

    /**
     * Suspends the account, and closes the customer's open checkouts. Returns the customer and the reason if checkouts
     * could not be closed.
     */
    async suspend(id: AccountId): Promise<OpenCheckouts | undefined> {
      const customerId = await actors.run(id, OPERATOR, (account) => withCustomer(setSuspended(account, true)));
      return closeCheckouts(ports.payments, customerId);
    },

    resume: (id: AccountId): Promise<void> => actors.run(id, OPERATOR, (account) => setSuspended(account, false)),

    /**
     * Changes the e-mail address immediately. Mails a notice to the old address, and a verification link to the new
     * address. Rejects with AppError `email_taken`, or with `invalid_request` for the account's current address.
     */
    async setEmail(id: AccountId, email: string): Promise<void> {
      await actors.run(id, OPERATOR, (account, at) => setEmail(account, email, at));
      // Resets the limit of wrong passwords for this address, because strangers may have used it up. Otherwise the new
      // owner could not sign in.
      await rateLimits.reset(strangersOf(email));
    },

    revokeKey: (id: AccountId): Promise<boolean> => actors.run(id, OPERATOR, revokeKey),

    /** Returns false if no key has this id. */
    revokePublishableKey: (id: AccountId, keyId: string): Promise<boolean> =>
      actors.run(id, OPERATOR, (account, at) => revokePublishableKey(account, { session: undefined, id: keyId }, at)),

    /** Returns the number of sessions that were live. */
    logoutAll: (id: AccountId): Promise<number> =>
      actors.run(id, OPERATOR, (account, at) => endAllSessions(account, undefined, at)),

    /** Resets the rate limits that throttle sign-ins. */
    async unlock(account: Account): Promise<void> {
      for (const key of ownerRateLimitKeys(account)) await rateLimits.reset(key);
      await actors.run(account.id, OPERATOR, unlock);
    },

    async resetLink(id: AccountId): Promise<ResetLink> {
      return resetLinkOf(ports, id, await actors.run(id, OPERATOR, makeResetLink));
    },

    /**
     * Deletes the account. Rejects with `billing_unavailable`, and deletes nothing, if the account's subscriptions
     * could not be ended.
     */
    async delete({ id, deleting }: Account): Promise<void> {
      if (deleting) await accounts.remove(id);
      else await deleteAccount(ports, id, OPERATOR, undefined);
    },
  };
}

function resetLinkOf({ origin, linkSecrets }: Ports, id: AccountId, link: OpenLink): ResetLink {
  return { address: linkAddress(origin, link.purpose, linkToken(id, link, linkSecrets[0])), expiresAt: link.expiresAt };
}

const withCustomer = (change: Change): Change<string | undefined> => ({
  ...change,
  result: change.account.billing?.customerId,
});

/**
 * Closes the customer's open checkouts. Call it after the suspension or the tier is saved, because the customer can
 * open other checkouts until then.
 */
async function closeCheckouts(
  payments: Pick<Customers, 'closeCheckouts'>,
  customerId: string | undefined,
): Promise<OpenCheckouts | undefined> {
  if (customerId === undefined) return undefined;
  try {
    await payments.closeCheckouts(customerId);
    return undefined;
  } catch (error) {
    if (!isCode(error, 'billing_unavailable')) throw error;
    return { customerId, reason: error.message };
  }
}
