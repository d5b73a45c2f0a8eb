// A subscription as Stripe has it, as a subscription of this service.
import type { Stripe } from 'stripe';
import {
  BILLING_INTERVALS,
  isOpen,
  PAID_PLANS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
} from '../../domain/billing/subscription.js';
import { SECOND_MS } from '../../domain/time.js';
import type { Offer } from '../../ports/payments.js';
import type { Offers } from './offers.js';

/** Undefined: of something that this service does not sell. */
export function subscriptionOf(subscription: Stripe.Subscription, offers: Offers): Subscription | undefined {
  for (const { price, current_period_end: end } of subscription.items.data) {
    const offer = offers.offerOf(price.id) ?? boughtOffer(subscription, price.id);
    if (!offer) continue;
    return {
      id: subscription.id,
      plan: offer.plan,
      interval: offer.interval,
      status: statusOf(subscription.status),
      currentPeriodEnd: dateOf(end),
      endsAt: endOf(subscription, end),
      pastDueSince: null,
    };
  }
  return undefined;
}

/** For the metadata of a subscription: its price may leave the configuration while it goes on. */
export function offerMetadata(priceId: string, { plan, interval }: Offer): Readonly<Record<string, string>> {
  return { blazonPrice: priceId, blazonPlan: plan, blazonInterval: interval };
}

function boughtOffer({ metadata }: Stripe.Subscription, priceId: string): Offer | undefined {
  const plan = PAID_PLANS.find((known) => known === metadata.blazonPlan);
  const interval = BILLING_INTERVALS.find((known) => known === metadata.blazonInterval);
  return plan && interval && metadata.blazonPrice === priceId ? { plan, interval } : undefined;
}

/** The portal ends a subscription by a date, the API by its period. */
function endOf({ cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd }: Stripe.Subscription, periodEnd: number) {
  if (cancelAt !== null) return dateOf(cancelAt);
  return atPeriodEnd ? dateOf(periodEnd) : null;
}

/** Whether it goes on, whatever it is to. */
export function isOpenAtStripe({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return isOpen({ status: statusOf(status) });
}

/** One that a later version of the API adds gives no plan. */
function statusOf(status: string): SubscriptionStatus {
  return SUBSCRIPTION_STATUSES.find((known) => known === status) ?? 'paused';
}

function dateOf(seconds: number): Date {
  return new Date(seconds * SECOND_MS);
}
