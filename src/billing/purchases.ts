// Purchases: checkout, portal, and the end of a subscription, each in the account's turn.
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

/** A failed attempt to create a customer is repeated as a new one after this. */
const ATTEMPT_MS = MINUTE_MS;
/** Cancellations and their undoing. */
const CHANGED_A_DAY = 100;

type Ports = Pick<BillingContext, 'accounts' | 'actors' | 'paymentEvents' | 'payments' | 'rateLimits' | 'now'>;

/**
 * All reject with AppError `billing_unavailable`, `invalid_api_key`, `invalid_token`, `invalid_credentials`,
 * `account_suspended`, `busy`, `conflict`, `not_found`.
 */
export function createPurchases(ports: Ports) {
  const { accounts, actors, payments, rateLimits, now } = ports;
  // The provider is asked within the account's turn and may take its time. One purchase of an account at a time asks for a
  // turn, so that a flood of purchases with a stolen key does not keep the owner from replacing that key.
  const queues = createMailboxes();

  /** Before what the account has is looked at. */
  function assertConfigured(): void {
    if (!payments.isConfigured) throw billingOffError();
  }

  return {
    /** Also rejects with `already_subscribed`. Repeated, it gives the same page while that is open. */
    async checkout(requester: BillingRequester, offer: Offer): Promise<PaymentPage> {
      assertConfigured();
      return queues.enter(requester.accountId, () => checkout(ports, requester, offer));
    },

    /** Also rejects with `no_customer`. With an offer: where the open subscription is changed to it, if the provider can do so. */
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

    /** Ends the subscription with its period, or undoes that. Also rejects with `no_customer` and `rate_limited`. */
    async setCancelAtPeriodEnd(requester: BillingRequester, cancel: boolean): Promise<Account> {
      assertConfigured();
      const { accountId } = requester;
      const message = `A subscription is canceled and resumed at most ${CHANGED_A_DAY} times a day.`;
      const limit = { accountId, what: 'subscription-changed', limit: CHANGED_A_DAY, message };
      return withinDailyLimit(rateLimits, limit, () =>
        queues.enter(accountId, () => setCancelAtPeriodEnd(ports, requester, cancel)),
      );
    },
  };
}

/** Changes the subscription that is open now, whatever events have arrived by then. */
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
        throw new AppError('conflict', 'There is no subscription to change: none was bought, or it has ended.');
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
    // Deleted at the provider.
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
      `The plan ${offer.plan} is not sold by the ${offer.interval} here. Choose an offer that has a price (GET /v1/subscription/plans), or ask the operator of this service.`,
    );
  return page;
}

/** The customer that the account has or gets. It is saved before anything is sold, so that every event finds it. */
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
      // After a process that dies before it is saved, the next one gets the same.
      // Not for ever: the provider repeats its answer, an error too.
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
/** `found`: the subscription that exists already, if nothing was known of it. */
type OpenedCheckout =
  Exclude<CheckoutOutcome, 'already_subscribed'> | { readonly found: FoundSubscription | undefined };

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
      // Known here before its event arrives, or after that was lost.
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
 * Closes what was opened when the account may not buy any more. Without a lock over all processes (embedded, beside a
 * command), the operator may have closed the checkouts before this one was there.
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

/** A subscription would be paid and change nothing. */
function assertNotSetByOperator({ operatorTier }: Account): void {
  if (operatorTier !== null)
    throw new AppError(
      'conflict',
      `The operator of this service has set the tier of this account to ${operatorTier}; a subscription would not change it.`,
    );
}
