// Offers as Stripe's prices: which prices are sold, and which plan a price belongs to.
import { BILLING_INTERVALS, PAID_PLANS } from '../../accounts/subscription.js';
import type { Offer } from '../payments.js';

/**
 * Price ids by `PLAN_INTERVAL` in upper case, such as `PRO_MONTH`. The first id is sold. The others are recognized,
 * because subscriptions keep their original price.
 */
export type PriceIds = Readonly<Record<string, readonly string[]>>;

export type Offers = ReturnType<typeof createOffers>;

export function createOffers(ids: PriceIds) {
  const offers = PAID_PLANS.flatMap((plan) => BILLING_INTERVALS.map((interval): Offer => ({ plan, interval })));
  const idsOf = ({ plan, interval }: Offer) => ids[`${plan}_${interval}`.toUpperCase()] ?? [];
  const byPrice = new Map(offers.flatMap((offer) => idsOf(offer).map((id) => [id, offer] as const)));
  return {
    /** Returns undefined if the offer is not sold. */
    priceOf: (offer: Offer): string | undefined => idsOf(offer)[0],
    /** Returns undefined if the price belongs to something else. */
    offerOf: (priceId: string): Offer | undefined => byPrice.get(priceId),
    /** Sold offers with their prices. */
    sold: offers.flatMap((offer) =>
      idsOf(offer)
        .slice(0, 1)
        .map((id) => [offer, id] as const),
    ),
  };
}
