// Purchases: checkout, portal, and the end of a subscription, each in the account's turn.
import type { AccountActors } from '../../actors/account-actors.js';
import type { Account, AccountBilling, AccountId } from '../../domain/account/account.js';
import type { AuditActor } from '../../domain/account/audit-event.js';
import type { Change } from '../../domain/account/changes/change.js';
import { setCustomer, setSubscription } from '../../domain/account/changes/billing.js';
import { assertStillRequester, type RequesterProof } from '../../domain/account/changes/requester.js';
import { chooseSubscription, isOpen, type Subscription } from '../../domain/billing/subscription.js';
import { AppError } from '../../errors.js';
import type { Offer, PaymentPage, Payments } from '../../ports/payments.js';

export interface BillingRequester {
  readonly accountId: AccountId;
  readonly by: AuditActor;
  readonly proof: RequesterProof;
}

/**
 * All reject with AppError `billing_unavailable`, `invalid_api_key`, `invalid_token`, `invalid_credentials`,
 * `account_suspended`, `busy`, `conflict`, `not_found`.
 */
export interface Purchases {
  /** Also rejects with `already_subscribed`. Repeated, it gives the same page while that is open. */
  checkout(requester: BillingRequester, offer: Offer): Promise<PaymentPage>;
  /** Also rejects with `no_customer`. */
  portal(requester: BillingRequester): Promise<PaymentPage>;
  /** Ends the subscription with its period, or undoes that. Also rejects with `no_customer`. */
  setCancelAtPeriodEnd(requester: BillingRequester, cancel: boolean): Promise<Account>;
}

interface Ports {
  readonly actors: AccountActors;
  readonly payments: Payments;
}

export function createPurchases(ports: Ports): Purchases {
  const { actors, payments } = ports;
  return {
    checkout: (requester, offer) => checkout(ports, requester, offer),

    async portal({ accountId, by, proof }) {
      const page = await actors.runPrepared(accountId, by, {
        prepare: async (account, at) => {
          assertStillRequester(account, proof, at);
          return payments.portal(customerOf(account).customerId);
        },
        decide: (account, _at, result): Change<PaymentPage | undefined> => ({ account, facts: [], result }),
      });
      if (!page) throw new AppError('no_customer');
      return page;
    },

    setCancelAtPeriodEnd: ({ accountId, by, proof }, cancel) =>
      actors.runPrepared(accountId, by, {
        async prepare(account, at) {
          assertStillRequester(account, proof, at);
          const { customerId, subscription } = customerOf(account);
          const changed = subscription && (await payments.setCancelAtPeriodEnd(subscription.id, cancel));
          return { customerId, changed };
        },
        decide(account, at, { customerId, changed }): Change<Account> {
          if (!changed || !isOpen(changed))
            throw new AppError('conflict', 'There is no subscription to change: none was bought, or it has ended.');
          const change = setSubscription(account, customerId, { subscription: changed, at });
          return { ...change, result: change.account };
        },
      }),
  };
}

async function checkout(ports: Ports, requester: BillingRequester, offer: Offer): Promise<PaymentPage> {
  const customerId = await ensureCustomer(ports, requester);
  let page = await openCheckout(ports, requester, { customerId, offer });
  if (page === 'no_customer') {
    // Somebody has deleted it at the provider.
    const another = await ensureCustomer(ports, requester, customerId);
    page = await openCheckout(ports, requester, { customerId: another, offer });
  }
  if (page === 'already_subscribed') throw new AppError('already_subscribed');
  if (page === undefined || page === 'no_customer')
    throw new AppError('billing_unavailable', `The plan ${offer.plan} is not sold by the ${offer.interval} here.`);
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
      return payments.createCustomer({ accountId: id, email }, `${id} ${version}`);
    },
    decide: (account, at, customerId): Change<string> => ({
      ...setCustomer(account, customerId, at),
      result: customerId,
    }),
  });
}

type CheckoutOutcome = PaymentPage | 'already_subscribed' | 'no_customer' | undefined;

/** Undefined: this is not sold. */
function openCheckout(
  { actors, payments }: Ports,
  { accountId, by, proof }: BillingRequester,
  { customerId, offer }: { readonly customerId: string; readonly offer: Offer },
): Promise<CheckoutOutcome> {
  return actors.runPrepared(accountId, by, {
    async prepare(account, at): Promise<{ subscriptions: readonly Subscription[]; outcome: CheckoutOutcome }> {
      assertStillRequester(account, proof, at);
      const subscriptions = await payments.subscriptions(customerId);
      if (!subscriptions) return { subscriptions: [], outcome: 'no_customer' };
      // Known here before its event arrives, or after that was lost.
      if (subscriptions.some(isOpen)) return { subscriptions, outcome: 'already_subscribed' };
      return { subscriptions, outcome: await payments.checkout({ customerId, accountId }, offer) };
    },
    decide(account, at, { subscriptions, outcome }): Change<CheckoutOutcome> {
      if (outcome !== 'already_subscribed') return { account, facts: [], result: outcome };
      const subscription = chooseSubscription(subscriptions, at);
      return { ...setSubscription(account, customerId, { subscription, at }), result: outcome };
    },
  });
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
