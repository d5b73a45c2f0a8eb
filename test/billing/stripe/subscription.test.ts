// Conversion of Stripe's subscriptions that the fake of Stripe cannot have.
import { expect } from 'chai';
import type { Stripe } from 'stripe';
import { createOffers } from '../../../src/billing/stripe/offers.js';
import { subscriptionOf } from '../../../src/billing/stripe/subscription.js';

const OFFERS = createOffers({ PRO_MONTH: ['price_month'], PRO_YEAR: ['price_year'] });
const DAY_SECONDS = 86_400;

describe('a subscription at Stripe', () => {
  const item = (id: string, endsAfterDays: number, recurring: object | null = null) => ({
    price: { id, recurring },
    current_period_end: endsAfterDays * DAY_SECONDS,
  });
  const read = (items: readonly object[], more: object = {}) =>
    subscriptionOf(
      {
        ...{ id: 'sub_1', items: { data: items }, metadata: {}, status: 'active', billing_cycle_anchor: DAY_SECONDS },
        ...{ cancel_at: null, cancel_at_period_end: false, pause_collection: null },
        ...more,
      } as unknown as Stripe.Subscription,
      OFFERS,
    );

  it('has the item with the later end, if several items have the same plan', () => {
    const items = [item('price_month', 31), item('price_year', 365)];
    for (const both of [items, items.toReversed()])
      expect(read(both)).to.deep.include({ interval: 'year', currentPeriodEnd: new Date('1971-01-01') });
  });

  it('without items has no plan, and the start of its billing cycle as the end', () => {
    const ending = { cancel_at_period_end: true };
    const end = new Date('1970-01-02');
    expect(read([], ending)).to.deep.include({ plan: null, interval: null, currentPeriodEnd: end, endsAt: end });
  });

  it('grants no plan in a status that this service does not know', () => {
    expect(read([item('price_month', 31)], { status: 'invented' })).to.include({ plan: 'pro', status: 'paused' });
  });

  it('to another product has the interval of its price, if that is one month or one year', () => {
    for (const [recurring, interval] of [
      [{ interval: 'year', interval_count: 1 }, 'year'],
      [{ interval: 'year', interval_count: 2 }, null],
      [{ interval: 'week', interval_count: 1 }, null],
      [null, null],
    ] as const)
      expect(read([item('price_other', 31, recurring)])).to.include({ plan: null, interval });
  });

  it('keeps the bought offer only if the subscription states it completely', () => {
    const bought = { blazonPrice: 'price_old', blazonPlan: 'enterprise', blazonInterval: 'year' };
    const planOf = (metadata: object) => read([item('price_old', 31)], { metadata }).plan;
    expect(planOf(bought)).to.equal('enterprise');
    for (const wrong of [{ blazonPrice: 'price_x' }, { blazonPlan: 'internal' }, { blazonInterval: 'week' }])
      expect(planOf({ ...bought, ...wrong })).to.equal(null);
  });
});
