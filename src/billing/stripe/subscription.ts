// Conversion of Stripe's subscriptions.
import type { Stripe } from 'stripe';
import {
  BILLING_INTERVALS,
  PAID_PLANS,
  rankOfPlan,
  SUBSCRIPTION_STATUSES,
  type BillingInterval,
  type Subscription,
  type SubscriptionStatus,
} from '../../accounts/subscription.js';
import { SECOND_MS } from '../../platform/time.js';
import type { Offer } from '../payments.js';
import type { Offers } from './offers.js';

/**
 * Converts a subscription. If it has several items, uses the item with the highest plan. The plan is null if no item
 * has a price of this service.
 */
export function subscriptionOf(subscription: Stripe.Subscription, offers: Offers): Subscription {
  const items = subscription.items.data.map((item) => itemOf(subscription, item, offers));
  const [best] = items.sort(
    (one, other) => rankOfPlan(other.plan) - rankOfPlan(one.plan) || other.periodEnd - one.periodEnd,
  );
  const { plan = null, interval = null, periodEnd = subscription.billing_cycle_anchor } = best ?? {};
  const { pause_collection: pause } = subscription;
  return {
    ...{ id: subscription.id, plan, interval },
    status: statusOf(subscription.status),
    currentPeriodEnd: dateOf(periodEnd),
    endsAt: endOf(subscription, periodEnd),
    pastDueSince: null,
    collectionPause: pause && { resumesAt: pause.resumes_at === null ? null : dateOf(pause.resumes_at) },
  };
}

function itemOf(
  subscription: Stripe.Subscription,
  { price, current_period_end: periodEnd }: Stripe.SubscriptionItem,
  offers: Offers,
) {
  const offer = offers.offerOf(price.id) ?? boughtOffer(subscription, price.id);
  return { plan: offer?.plan ?? null, interval: offer?.interval ?? intervalOf(price), periodEnd };
}

function intervalOf({ recurring }: Stripe.Price): BillingInterval | null {
  if (recurring?.interval_count !== 1) return null;
  return BILLING_INTERVALS.find((known) => known === recurring.interval) ?? null;
}

/**
 * Returns metadata that stores the offer in the subscription. The offer then stays known, even if its price is removed
 * from the configuration.
 */
export function offerMetadata(priceId: string, { plan, interval }: Offer): Readonly<Record<string, string>> {
  return { blazonPrice: priceId, blazonPlan: plan, blazonInterval: interval };
}

function boughtOffer({ metadata }: Stripe.Subscription, priceId: string): Offer | undefined {
  const plan = PAID_PLANS.find((known) => known === metadata.blazonPlan);
  const interval = BILLING_INTERVALS.find((known) => known === metadata.blazonInterval);
  return plan && interval && metadata.blazonPrice === priceId ? { plan, interval } : undefined;
}

/**
 * Returns the end of a canceled subscription. The end is `cancel_at` if the customer canceled it in Stripe's portal,
 * and the end of the period if this service canceled it. Returns null if the subscription is not canceled.
 */
function endOf({ cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd }: Stripe.Subscription, periodEnd: number) {
  if (cancelAt !== null) return dateOf(cancelAt);
  return atPeriodEnd ? dateOf(periodEnd) : null;
}

/** Returns the status. An unknown status, from a later API version, becomes `paused`, which grants no plan. */
function statusOf(status: string): SubscriptionStatus {
  return SUBSCRIPTION_STATUSES.find((known) => known === status) ?? 'paused';
}

function dateOf(seconds: number): Date {
  return new Date(seconds * SECOND_MS);
}
