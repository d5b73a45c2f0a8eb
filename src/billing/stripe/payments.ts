// Payments with Stripe.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Stripe } from 'stripe';
import { isOpen } from '../../accounts/subscription.js';
import type { Payments } from '../payments.js';
import { createStripeCalls, REQUEST_LIMIT_MS, unlessMissing, unlessRejected } from './calls.js';
import { createOffers, type Offers, type PriceIds } from './offers.js';
import { closeCheckouts, deleteCustomer, openCheckout, subscriptionsOf } from './customers.js';
import { openPortal } from './portal.js';
import { priceProblems, pricesOf } from './prices.js';
import { subscriptionOf } from './subscription.js';
import { readEvent } from './webhook.js';

/** API version of the response types in this folder. Change it only together with the version of Stripe's library. */
const API_VERSION = '2026-10-28.endive';
const MAX_CONNECTIONS = 16;

interface Options {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly priceIds: PriceIds;
  /** Base URL of a server that replaces Stripe in tests, such as `http://127.0.0.1:12111`. */
  readonly apiBase: string | undefined;
  /** Origin of this deployment. Stripe's pages link back to it. */
  readonly origin: string;
  /** URI at which customers can contact the operator; empty if unknown. */
  readonly operatorContact: string;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Reports to the operator a problem at Stripe or in the environment variables. */
  readonly onProblem: (text: string) => void;
}

export function createStripePayments(options: Options): Payments {
  const { webhookSecrets, origin, operatorContact, now, onProblem } = options;
  const stripe = clientOf(options);
  const offers = createOffers(options.priceIds);
  const onUnknownPrice = (id: string) =>
    onProblem(`the price of the subscription ${id} is in no STRIPE_PRICE_… variable, so it does not give a plan`);
  const context = { stripe, offers, origin, onUnknownPrice };
  const call = createStripeCalls({ now: () => performance.now(), operatorContact });

  return {
    isConfigured: true,

    createCustomer: ({ accountId, email }, attempt) =>
      call(async () => {
        const { id } = await stripe.customers.create(
          { email, metadata: { blazonAccount: accountId } },
          { idempotencyKey: `blazon customer ${attempt}` },
        );
        return id;
      }),

    setEmail: (customerId, email) =>
      call(async () => {
        if (!(await unlessRejected(stripe.customers.update(customerId, { email }))))
          onProblem(`Stripe did not accept the new e-mail address of the customer ${customerId}`);
      }),

    subscriptions: (customerId) => call(() => subscriptionsOf(context, customerId)),
    checkout: (customer, offer) => call(() => openCheckout(context, customer, offer)),
    closeCheckouts: (customerId) => call(() => closeCheckouts(stripe, customerId)),

    portal: (customerId, change) => call(() => openPortal(context, customerId, change)),

    setCancelAtPeriodEnd: (subscriptionId, cancel) => call(() => setEnd(stripe, offers, { subscriptionId, cancel })),

    deleteCustomer: (customerId) => call(() => deleteCustomer(stripe, customerId)),

    prices: () => call(() => pricesOf(stripe, offers, onProblem)),
    priceProblems: () => call(() => priceProblems(stripe, offers)),

    readEvent: (payload, signature) =>
      readEvent(payload, signature, { webhooks: stripe.webhooks, secrets: webhookSecrets, now }),
  };
}

async function setEnd(
  stripe: Stripe,
  offers: Offers,
  { subscriptionId, cancel }: { readonly subscriptionId: string; readonly cancel: boolean },
) {
  const found = await unlessMissing(stripe.subscriptions.retrieve(subscriptionId));
  const subscription = found && subscriptionOf(found, offers);
  if (!subscription || !isOpen(subscription)) return undefined;
  const isEnding = found.cancel_at_period_end || found.cancel_at !== null;
  if (isEnding === cancel) return subscription;
  // Stripe's customer portal may have set `cancel_at`, which ends the subscription at that date. The subscription
  // continues only if this date is removed.
  const change: Stripe.SubscriptionUpdateParams =
    cancel || found.cancel_at_period_end ? { cancel_at_period_end: cancel } : { cancel_at: '' };
  return subscriptionOf(await stripe.subscriptions.update(subscriptionId, change), offers);
}

function clientOf({ secretKey, apiBase }: Options): Stripe {
  const base = apiBase === undefined ? undefined : new URL(apiBase);
  const isPlain = base?.protocol === 'http:';
  const connections = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: REQUEST_LIMIT_MS,
    // The library must not retry a failed call. The client's next request or a job repeats the call.
    maxNetworkRetries: 0,
    telemetry: false,
    httpAgent: isPlain ? new HttpAgent(connections) : new HttpsAgent(connections),
    ...(base && { host: base.hostname, port: base.port === '' ? (isPlain ? 80 : 443) : base.port }),
    ...(isPlain && { protocol: 'http' as const }),
  });
}
