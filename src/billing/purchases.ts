// Purchases: checkout, portal and cancellation. Each action runs under the account's lock.
import { createMailboxes } from '../accounts/mailbox.js';
import type { Account, AccountBilling, AccountId } from '../accounts/account.js';
import type { AuditActor } from '../accounts/audit-event.js';
import type { Change } from '../accounts/changes/change.js';
import { noteBillingPage, setCustomer, setSubscription, watchSubscription } from '../accounts/changes/billing.js';
import { assertStillRequester, type RequesterProof } from '../accounts/changes/reauthentication.js';
import { chooseSubscription, isOpen, type Subscription } from '../accounts/subscription.js';
import { MINUTE_MS } from '../platform/time.js';
import { AppError, billingOffError } from '../platform/errors.js';
import type { Offer, PaymentPage, Payments } from './payments.js';
import { withinDailyLimit } from '../accounts/rate-limiting.js';
import type { BillingContext } from './context.js';
import { expectEvent, newSubscription, type FoundSubscription } from './billing-sync.js';

export interface BillingRequester {
  readonly accountId: AccountId;
  readonly by: AuditActor;
  readonly proof: RequesterProof;
}

export type Purchases = ReturnType<typeof createPurchases>;

/** Time in ms after which another attempt to create the same customer gets a new idempotency key. */
const ATTEMPT_MS = MINUTE_MS;
/** Maximum number of cancellations and resumptions per account and day. */
const CHANGED_A_DAY = 100;

type Ports = Pick<BillingContext, 'accounts' | 'actors' | 'paymentEvents' | 'payments' | 'rateLimits' | 'now'>;

/**
 * All methods reject with AppError `billing_unavailable`, `invalid_api_key`, `invalid_token`, `invalid_credentials`,
 * `account_suspended`, `busy`, `conflict`, `not_found`. Further errors are listed at the methods.
 */
export function createPurchases(ports: Ports) {
  const { accounts, actors, payments, rateLimits, now } = ports;
  // Lets only one purchase per account wait for the account's lock. A purchase holds the lock during a call to the
  // payment provider, which may be slow. Many purchases with a stolen key could otherwise prevent the owner from
  // replacing the key.
  const queues = createMailboxes();

  /**
   * Throws if billing is off. Must be called before the account is read, so that this error takes precedence over
   * errors about the account.
   */
  function assertConfigured(): void {
    if (!payments.isConfigured) throw billingOffError();
  }

  return {
    /**
     * Returns a checkout page. A repeated call returns the same page until the checkout is paid or closed. Rejects with
     * `already_subscribed` if the customer has an open subscription.
     */
    async checkout(requester: BillingRequester, offer: Offer): Promise<PaymentPage> {
      assertConfigured();
      return queues.enter(requester.accountId, () => checkout(ports, requester, offer));
    },

    /**
     * Returns a page of the payment provider on which customers manage their subscriptions. With `offer`, the page
     * changes the open subscription to that offer, if the provider supports that. Rejects with `no_customer` if the
     * account has no customer at the provider.
     */
    async portal({ accountId, by, proof }: BillingRequester, offer?: Offer): Promise<PaymentPage> {
      assertConfigured();
      const account = await accounts.find(accountId);
      if (!account || account.deleting) throw new AppError('not_found', 'There is no such account.');
      const at = new Date(now());
      assertStillRequester(account, proof, at);
      const { customerId, subscription } = customerOf(account);
      const change =
        offer && subscription && isOpen(subscription) ? { subscriptionId: subscription.id, offer } : undefined;
      const page = await payments.portal(customerId, change);
      if (!page) throw new AppError('no_customer');
      await queues.enter(accountId, () => actors.run(accountId, by, noteBillingPage));
      return page;
    },

    /**
     * Sets whether the subscription ends with its current period (`cancel` true) or continues (false). Returns the
     * changed account. Rejects with `no_customer` and `rate_limited`.
     */
    async setCancelAtPeriodEnd(requester: BillingRequester, cancel: boolean): Promise<Account> {
      assertConfigured();
      const { accountId } = requester;
      const message = `A subscription can be canceled and resumed at most ${CHANGED_A_DAY} times per day.`;
      const limit = { accountId, what: 'subscription-changed', limit: CHANGED_A_DAY, message };
      return withinDailyLimit(rateLimits, limit, () =>
        queues.enter(accountId, () => setCancelAtPeriodEnd(ports, requester, cancel)),
      );
    },
  };
}

/** Changes the open subscription that the provider reports, because the stored subscription may be outdated. */
async function setCancelAtPeriodEnd(
  ports: Ports,
  { accountId, by, proof }: BillingRequester,
  cancel: boolean,
): Promise<Account> {
  const { actors, payments } = ports;
  const { account: saved, found } = await actors.runPrepared(accountId, by, {
    async prepare(account, at) {
      assertStillRequester(account, proof, at);
      const { customerId } = customerOf(account);
      const subscriptions = (await payments.subscriptions(customerId)) ?? [];
      const open = chooseSubscription(subscriptions.filter(isOpen), at);
      return { customerId, changed: open && (await payments.setCancelAtPeriodEnd(open.id, cancel)) };
    },
    decide(account, at, { customerId, changed }): Change<{ account: Account; found: FoundSubscription | undefined }> {
      if (!changed || !isOpen(changed))
        throw new AppError(
          'conflict',
          'There is no subscription to change: the account never had one, or it has ended.',
        );
      const change = setSubscription(account, customerId, { subscription: changed, at });
      const found = newSubscription(customerOf(account), changed);
      return { ...change, result: { account: change.account, found } };
    },
  });
  if (found) await expectEvent(ports, found);
  return saved;
}

async function checkout(ports: Ports, requester: BillingRequester, offer: Offer): Promise<PaymentPage> {
  const customerId = await ensureCustomer(ports, requester);
  let page = await openCheckout(ports, requester, { customerId, offer });
  if (page === 'no_customer') {
    // The customer was deleted at the provider, so a new one is created.
    const another = await ensureCustomer(ports, requester, customerId);
    page = await openCheckout(ports, requester, { customerId: another, offer });
  }
  if (typeof page === 'object' && 'found' in page) {
    if (page.found) await expectEvent(ports, page.found);
    throw new AppError('already_subscribed');
  }
  if (page === 'no_customer') throw new AppError('conflict');
  if (page === 'not_sold')
    throw new AppError(
      'conflict',
      `The ${offer.plan} plan with billing every ${offer.interval} is not sold here. Choose an offer with a ` +
        'price (GET /v1/subscription/plans), or ask the operator of this service.',
    );
  return page;
}

/**
 * Returns the account's customer, or creates one. The customer is saved before the first purchase. Otherwise an event
 * of the purchase could name a customer that no account has yet.
 */
function ensureCustomer(
  { actors, payments }: Ports,
  { accountId, by, proof }: BillingRequester,
  replaced?: string,
): Promise<string> {
  return actors.runPrepared(accountId, by, {
    async prepare(account, at) {
      assertStillRequester(account, proof, at);
      assertNotSetByOperator(account);
      const { id, email, version, billing } = account;
      if (billing && billing.customerId !== replaced) return billing.customerId;
      // If a process dies before it saves the customer, the next attempt sends the same idempotency key and gets the
      // same customer. The key changes after `ATTEMPT_MS`. Otherwise the provider would repeat the error of a failed
      // attempt.
      const slot = Math.floor(at.getTime() / ATTEMPT_MS);
      return payments.createCustomer({ accountId: id, email }, `${id} ${version} ${slot}`);
    },
    decide: (account, at, customerId): Change<string> => ({
      ...setCustomer(account, customerId, at),
      result: customerId,
    }),
  });
}

type CheckoutOutcome = Awaited<ReturnType<Payments['checkout']>>;
/**
 * An outcome with the property `found` means that an open subscription at the provider prevents the purchase. The value
 * is this subscription, or undefined if the account already knows it.
 */
type OpenedCheckout =
  | Exclude<CheckoutOutcome, 'already_subscribed'>
  | { readonly found: FoundSubscription | undefined };

function openCheckout(
  ports: Ports,
  requester: BillingRequester,
  { customerId, offer }: { readonly customerId: string; readonly offer: Offer },
): Promise<OpenedCheckout> {
  const { actors, payments } = ports;
  const { accountId, by, proof } = requester;
  return actors.runPrepared(accountId, by, {
    async prepare(account, at): Promise<{ subscriptions: readonly Subscription[]; outcome: CheckoutOutcome }> {
      assertStillRequester(account, proof, at);
      const subscriptions = await payments.subscriptions(customerId);
      if (!subscriptions) return { subscriptions: [], outcome: 'no_customer' };
      // Uses the provider's subscriptions, because the event of a new subscription may be late or lost.
      if (subscriptions.some(isOpen)) return { subscriptions, outcome: 'already_subscribed' };
      const outcome = await payments.checkout({ customerId, accountId }, offer);
      if (typeof outcome !== 'string') await assertStillAllowed(ports, requester, customerId);
      return { subscriptions, outcome };
    },
    decide(account, at, { subscriptions, outcome }): Change<OpenedCheckout> {
      if (typeof outcome === 'object') return { ...watchSubscription(account, at), result: outcome };
      if (outcome !== 'already_subscribed') return { account, facts: [], result: outcome };
      const subscription = chooseSubscription(subscriptions, at);
      const found = account.billing ? newSubscription(account.billing, subscription) : undefined;
      return { ...setSubscription(account, customerId, { subscription, at }), result: { found } };
    },
  });
}

/**
 * If the account may not buy anymore, closes the customer's new checkout and throws. With SQLite, the account's lock
 * does not stop operator commands. A command may therefore have suspended the account while the checkout was created.
 */
async function assertStillAllowed(
  { accounts, payments, now }: Ports,
  { accountId, proof }: BillingRequester,
  customerId: string,
): Promise<void> {
  const account = await accounts.find(accountId);
  try {
    if (!account || account.deleting) throw new AppError('not_found', 'There is no such account.');
    assertStillRequester(account, proof, new Date(now()));
    assertNotSetByOperator(account);
  } catch (error) {
    await payments.closeCheckouts(customerId);
    throw error;
  }
}

function customerOf({ billing }: Account): AccountBilling {
  if (!billing) throw new AppError('no_customer');
  return billing;
}

/** Throws if the operator has set the tier, because a subscription would cost the customer money and have no effect. */
function assertNotSetByOperator({ operatorTier }: Account): void {
  if (operatorTier !== null)
    throw new AppError(
      'conflict',
      `The operator of this service has set the tier of this account to ${operatorTier}. A subscription would ` +
        'not change it.',
    );
}
