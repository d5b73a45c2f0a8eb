// The billing half of the service: payments, their events, and the subscriptions of accounts.
import type { Env } from '../../config/env.js';
import { createNoPayments } from '../adapters/no-payments.js';
import type { Payments } from '../ports/payments.js';

export type BillingEnv = Pick<
  Env,
  | 'PUBLIC_URL'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_PRICE_PRO_MONTH'
  | 'STRIPE_PRICE_PRO_YEAR'
  | 'STRIPE_PRICE_ENTERPRISE_MONTH'
  | 'STRIPE_PRICE_ENTERPRISE_YEAR'
  | 'STRIPE_API_BASE'
>;

/** Stripe's library is loaded only where it is used: it takes some 20 MB. `now`: ms since the epoch. */
export async function openPayments(env: BillingEnv, now: () => number): Promise<Payments> {
  if (env.STRIPE_SECRET_KEY === '') return createNoPayments();
  const { createStripePayments } = await import('../adapters/stripe/payments.js');
  return createStripePayments({
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
    priceIds: {
      PRO_MONTH: env.STRIPE_PRICE_PRO_MONTH,
      PRO_YEAR: env.STRIPE_PRICE_PRO_YEAR,
      ENTERPRISE_MONTH: env.STRIPE_PRICE_ENTERPRISE_MONTH,
      ENTERPRISE_YEAR: env.STRIPE_PRICE_ENTERPRISE_YEAR,
    },
    apiBase: env.STRIPE_API_BASE === '' ? undefined : env.STRIPE_API_BASE,
    origin: new URL(env.PUBLIC_URL).origin,
    now,
  });
}
