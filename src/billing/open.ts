// Opens billing: payment provider, payment events, and subscriptions.
import { waitAtMost } from '../platform/concurrency/deadline.js';
import type { Opening } from '../platform/feature.js';
import type { Services } from '../platform/services.js';
import { PRICE_VARIABLES, type Env } from '../../config/env.js';
import { createNoPayments } from './no-payments.js';
import type { Payments } from './payments.js';
import type { BillingContext } from './context.js';
import { createBillingSync } from './billing-sync.js';
import { createPaymentEventProcessing } from './payment-events.js';
import { createPriceList } from './price-list.js';
import { createPurchases } from './purchases.js';
import { createSubscriptions } from './subscriptions.js';

const CLOSE_LIMIT_MS = 2000;

export type BillingEnv = Pick<
  Env,
  | 'PUBLIC_URL'
  | 'OPERATOR_CONTACT'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_API_BASE'
  | (typeof PRICE_VARIABLES)[number]
>;

/**
 * Opens the payment provider. Stripe's library (about 20 MB of memory) is loaded only if billing is configured. `now`:
 * time in ms since the epoch.
 */
export async function openPayments(
  env: BillingEnv,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): Promise<Payments> {
  if (env.STRIPE_SECRET_KEY === '') return createNoPayments();
  const { createStripePayments } = await import('./stripe/payments.js');
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

export async function openBilling({ env, services, now, onError }: Opening) {
  const payments = await openPayments(env, now, onError);
  const parts = billingParts({ ...services.accountContext, payments });
  return {
    services: { customers: payments, ...parts },
    startJobs: () => parts.paymentEventProcessing.start(),
    close: () => waitAtMost(CLOSE_LIMIT_MS, parts.paymentEventProcessing.close()),
  };
}

function billingParts(context: BillingContext) {
  const { payments, onError } = context;
  const onProblem = (text: string): void => onError(undefined, `billing: ${text}`);
  const billing = createBillingSync({ ...context, onProblem });
  return {
    isBillingConfigured: payments.isConfigured,
    billing,
    paymentEventProcessing: createPaymentEventProcessing({
      ...context,
      ...{ billing, onProblem },
      onError: (error) => onError(error, 'processing payment events failed; trying again'),
    }),
    prices: createPriceList({
      payments,
      now: () => performance.now(),
      onError: (error) => onError(error, 'reading prices failed; trying again'),
    }),
    purchases: createPurchases(context),
    subscriptions: createSubscriptions({ ...context, billing }),
  } satisfies Partial<Services>;
}
