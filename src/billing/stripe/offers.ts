// Offers as Stripe's prices: which are sold, and which plan a subscription to a price has.
import { BILLING_INTERVALS, PAID_PLANS } from '../../accounts/subscription.js';
import type { Offer } from '../payments.js';

/**
 * Price ids by `PLAN_INTERVAL` in upper case, as in `PRO_MONTH`: the first is sold, the others are recognized, because
 * subscriptions keep the price they began with.
 */
export type PriceIds = Readonly<Record<string, readonly string[]>>;

export type Offers = ReturnType<typeof createOffers>;

export function createOffers(ids: PriceIds) {
  const offers = PAID_PLANS.flatMap((plan) => BILLING_INTERVALS.map((interval): Offer => ({ plan, interval })));
  const idsOf = ({ plan, interval }: Offer) => ids[`${plan}_${interval}`.toUpperCase()] ?? [];
  const byPrice = new Map(offers.flatMap((offer) => idsOf(offer).map((id) => [id, offer] as const)));
  return {
    /** Undefined: not sold. */
    priceOf: (offer: Offer): string | undefined => idsOf(offer)[0],
    /** Undefined: a price of something else. */
    offerOf: (priceId: string): Offer | undefined => byPrice.get(priceId),
    /** With their prices. */
    sold: offers.flatMap((offer) =>
      idsOf(offer)
        .slice(0, 1)
        .map((id) => [offer, id] as const),
    ),
  };
}
