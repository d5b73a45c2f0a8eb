// The billing half of the service: payments, their events, and the subscriptions of accounts.
import { PRICE_VARIABLES, type Env } from '../../config/env.js';
import { createNoPayments } from '../billing/no-payments.js';
import type { Payments } from '../billing/payments.js';
import type { AccountContext } from '../accounts/context.js';
import { createBillingSync } from '../billing/billing-sync.js';
import { createPaymentEventProcessing } from '../billing/payment-events.js';
import { createPriceList } from '../billing/price-list.js';
import { createPurchases } from '../billing/purchases.js';
import { createSubscriptions } from '../billing/subscriptions.js';

export type BillingEnv = Pick<
  Env,
  | 'PUBLIC_URL'
  | 'OPERATOR_CONTACT'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_API_BASE'
  | (typeof PRICE_VARIABLES)[number]
>;

/** Stripe's library is loaded only where it is used: it takes some 20 MB. `now`: ms since the epoch. */
export async function openPayments(
  env: BillingEnv,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): Promise<Payments> {
  if (env.STRIPE_SECRET_KEY === '') return createNoPayments();
  const { createStripePayments } = await import('../billing/stripe/payments.js');
  return createStripePayments({
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
    priceIds: Object.fromEntries(PRICE_VARIABLES.map((name) => [name.replace('STRIPE_PRICE_', ''), env[name]])),
    apiBase: env.STRIPE_API_BASE === '' ? undefined : env.STRIPE_API_BASE,
    origin: new URL(env.PUBLIC_URL).origin,
    operatorContact: env.OPERATOR_CONTACT,
    now,
    onProblem: (text) => onError(undefined, `billing: ${text}`),
  });
}

export function composeBilling(context: AccountContext) {
  const { payments, onError } = context;
  const onProblem = (text: string): void => onError(undefined, `billing: ${text}`);
  const billing = createBillingSync({ ...context, onProblem });
  return {
    billing,
    paymentEventProcessing: createPaymentEventProcessing({
      ...context,
      ...{ billing, onProblem },
      onError: (error) => onError(error, 'events of the payment provider could not be processed; trying again'),
    }),
    prices: createPriceList({
      payments,
      now: () => performance.now(),
      onError: (error) => onError(error, 'the prices could not be read; trying again'),
    }),
    purchases: createPurchases(context),
    subscriptions: createSubscriptions({ ...context, billing }),
  };
}
