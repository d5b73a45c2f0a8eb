// Purchases: checkout, portal, and the end of a subscription, each in the account's turn.
import type { AccountActors } from '../../actors/account-actors.js';
import type { Account, AccountBilling, AccountId } from '../../domain/account/account.js';
import type { AuditActor } from '../../domain/account/audit-event.js';
import type { Change } from '../../domain/account/changes/change.js';
import { setCustomer, setSubscription } from '../../domain/account/changes/billing.js';
import { assertStillRequester, type RequesterProof } from '../../domain/account/changes/requester.js';
import { chooseSubscription, isOpen } from '../../domain/billing/subscription.js';
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

export function createPurchases({ actors, payments }: Ports): Purchases {
  /** The customer that the account has or gets. It is saved before anything is sold, so that every event finds it. */
  function ensureCustomer({ accountId, by, proof }: BillingRequester, replaced?: string): Promise<string> {
    return actors.runPrepared(accountId, by, {
      async prepare(account, at) {
        assertStillRequester(account, proof, at);
        assertNotSetByOperator(account);
        const { id, email, version, billing } = account;
        if (billing && billing.customerId !== replaced) return billing.customerId;
        // Of a process that dies before it is saved, the next one gets the same.
        return payments.createCustomer({ accountId: id, email }, `${id} ${version}`);
      },
      decide: (account, at, customerId): Change<string> => ({
        ...setCustomer(account, customerId, at),
        result: customerId,
      }),
    });
  }

  /** Undefined: the provider does not know the customer any more, or does not sell this. */
  function openCheckout({ accountId, by, proof }: BillingRequester, customerId: string, offer: Offer) {
    return actors.runPrepared(accountId, by, {
      async prepare(account, at) {
        assertStillRequester(account, proof, at);
        const subscriptions = await payments.subscriptions(customerId);
        // Known here before its event arrives, or after that was lost.
        if (subscriptions?.some(isOpen)) return { subscriptions, page: 'already_subscribed' as const };
        const page = subscriptions && (await payments.checkout({ customerId, accountId }, offer));
        return { subscriptions: subscriptions ?? [], page };
      },
      decide(account, at, { subscriptions, page }): Change<PaymentPage | 'already_subscribed' | undefined> {
        if (page !== 'already_subscribed') return { account, facts: [], result: page };
        const subscription = chooseSubscription(subscriptions, at);
        return { ...setSubscription(account, customerId, { subscription, at }), result: page };
      },
    });
  }

  return {
    async checkout(requester, offer) {
      const customerId = await ensureCustomer(requester);
      const page = (await openCheckout(requester, customerId, offer)) ?? (await withNewCustomer(requester, customerId));
      if (page === 'already_subscribed') throw new AppError('already_subscribed');
      if (page) return page;
      throw new AppError('billing_unavailable', `The plan ${offer.plan} is not sold by the ${offer.interval} here.`);

      async function withNewCustomer(again: BillingRequester, replaced: string) {
        if ((await payments.subscriptions(replaced)) !== undefined) return undefined;
        return openCheckout(again, await ensureCustomer(again, replaced), offer);
      }
    },

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
            throw new AppError('conflict', 'There is no subscription to change: it has ended.');
          const change = setSubscription(account, customerId, { subscription: changed, at });
          return { ...change, result: change.account };
        },
      }),
  };
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
