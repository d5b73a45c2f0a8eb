// The prices of Blazon's plans at the fake, and the variables that point Blazon to it.
import type { FakeStripe } from './fake-stripe.js';

/** Adds the four prices. Returns the variables of the service. */
export function sellPlans(fake: FakeStripe, webhookSecret: string) {
  const sell = (tier: 'pro' | 'enterprise', interval: 'month' | 'year', amount: number): string =>
    fake.price({ id: `price_${tier}_${interval}`, amount, interval }).id;
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
