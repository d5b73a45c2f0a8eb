// A subscription as Stripe has it, as a subscription of this service.
import type { Stripe } from 'stripe';
import {
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
} from '../../domain/billing/subscription.js';
import { SECOND_MS } from '../../domain/time.js';
import type { Offers } from './offers.js';

/** For `subscriptionOf`. */
export const EXPANDED = ['latest_invoice'];

/** Undefined: of something that this service does not sell. */
export function subscriptionOf(subscription: Stripe.Subscription, offers: Offers): Subscription | undefined {
  for (const { price, current_period_start: start, current_period_end: end } of subscription.items.data) {
    const offer = offers.offerOf(price.id);
    if (!offer) continue;
    const status = statusOf(subscription.status);
    const { latest_invoice: invoice } = subscription;
    // The invoice that was not paid; its date does not depend on when this service learns of it.
    const unpaidSince = invoice !== null && typeof invoice === 'object' ? invoice.created : start;
    return {
      id: subscription.id,
      ...offer,
      status,
      currentPeriodEnd: dateOf(end),
      endsAt: endOf(subscription, end),
      pastDueSince: status === 'past_due' ? dateOf(unpaidSince) : null,
    };
  }
  return undefined;
}

/** The portal ends a subscription by a date, the API by its period. */
function endOf({ cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd }: Stripe.Subscription, periodEnd: number) {
  if (cancelAt !== null) return dateOf(cancelAt);
  return atPeriodEnd ? dateOf(periodEnd) : null;
}

/** One that a later version of the API adds gives no plan. */
function statusOf(status: string): SubscriptionStatus {
  return SUBSCRIPTION_STATUSES.find((known) => known === status) ?? 'paused';
}

function dateOf(seconds: number): Date {
  return new Date(seconds * SECOND_MS);
}
