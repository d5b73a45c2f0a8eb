// What Blazon sells, and the variables that point it to the fake.
import type { FakeStripe } from './fake-stripe.js';

export type BillingVariables = Readonly<
  Record<
    | 'STRIPE_SECRET_KEY'
    | 'STRIPE_WEBHOOK_SECRET'
    | 'STRIPE_PRICE_PRO_MONTH'
    | 'STRIPE_PRICE_PRO_YEAR'
    | 'STRIPE_PRICE_ENTERPRISE_MONTH'
    | 'STRIPE_PRICE_ENTERPRISE_YEAR'
    | 'STRIPE_API_BASE',
    string
  >
>;

/** Adds the four prices. */
export function sellPlans(fake: FakeStripe, webhookSecret: string): BillingVariables {
  const sell = (tier: 'pro' | 'enterprise', interval: 'month' | 'year', amount: number) =>
    fake.price({ id: `price_${tier}_${interval}`, amount, interval, product: `prod_${tier}` }).id;
  return {
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PRO_MONTH: sell('pro', 'month', 900),
    STRIPE_PRICE_PRO_YEAR: sell('pro', 'year', 9000),
    STRIPE_PRICE_ENTERPRISE_MONTH: sell('enterprise', 'month', 9900),
    STRIPE_PRICE_ENTERPRISE_YEAR: sell('enterprise', 'year', 99_000),
    STRIPE_API_BASE: fake.base,
  };
}
