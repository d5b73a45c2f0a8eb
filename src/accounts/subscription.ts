// Subscription of an account: what the account has bought, as the payment provider last reported it, and the tier that
// the purchase grants.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS } from '../platform/time.js';

export const PAID_PLANS = ['pro', 'enterprise'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Statuses of Stripe (docs.stripe.com/api/subscriptions/object#subscription_object-status). */
export const SUBSCRIPTION_STATUSES = [
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'paused',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const subscriptionSchema = z.object({
  id: z.string(),
  /** Plan; null if this service has no plan with the subscription's price. */
  plan: z.enum(PAID_PLANS).nullable(),
  /** Billing interval; null if it is neither a month nor a year. */
  interval: z.enum(BILLING_INTERVALS).nullable(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  currentPeriodEnd: instant,
  /** Time at which the subscription ends because it was canceled; null if it renews. */
  endsAt: instant.nullable(),
  /** Time since which a payment is missing; null unless the status is `past_due`. */
  pastDueSince: instant.nullable(),
  /**
   * Pause of the collection of payments, set by the operator at the provider; null if payments are collected. `status`
   * does not show the pause.
   */
  collectionPause: z
    .object({
      /** Time at which the paused collection of payments resumes; null if no time is set. */
      resumesAt: instant.nullable(),
    })
    .nullable()
    .default(null),
});
export type Subscription = RecordOf<typeof subscriptionSchema>;

/** Grace period in ms: an account keeps its plan this long while a payment is missing. */
const GRACE_MS = 7 * DAY_MS;

/** Returns the time until which the plan is granted; null if no end is known; undefined if the plan is not granted. */
export function grantedUntil({ plan, status, endsAt, pastDueSince }: Subscription): Date | null | undefined {
  if (plan === null) return undefined;
  switch (status) {
    case 'trialing':
    case 'active':
      return endsAt;
    case 'past_due': {
      const graceEnd = pastDueSince && new Date(pastDueSince.getTime() + GRACE_MS);
      return endsAt && (!graceEnd || endsAt < graceEnd) ? endsAt : graceEnd;
    }
    case 'canceled':
    case 'unpaid':
    case 'incomplete':
    case 'incomplete_expired':
    case 'paused':
      return undefined;
  }
}

export function isGranted(subscription: Subscription, at: Date): boolean {
  const until = grantedUntil(subscription);
  return until === null || (until !== undefined && at < until);
}

/**
 * Returns true if the customer may still be charged for the subscription. A customer with an open subscription must not
 * buy a second one.
 */
export function isOpen({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired' && status !== 'incomplete';
}

/**
 * Returns the subscription that decides the tier of a customer with several subscriptions. Prefers granted
 * subscriptions, then open ones, then the higher plan, the later end, and the greater id.
 */
export function chooseSubscription(subscriptions: readonly Subscription[], at: Date): Subscription | null {
  const rank = (one: Subscription): readonly (number | string)[] => [
    Number(isGranted(one, at)),
    Number(isOpen(one)),
    rankOfPlan(one.plan),
    one.currentPeriodEnd.getTime(),
    one.id,
  ];
  return subscriptions.reduce<Subscription | null>(
    (best, one) => (best && compare(rank(best), rank(one)) >= 0 ? best : one),
    null,
  );
}

/** Returns the rank of a plan: greater for a higher plan, -1 for null. */
export function rankOfPlan(plan: PaidPlan | null): number {
  return plan === null ? -1 : PAID_PLANS.indexOf(plan);
}

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  if (at === -1) return 0;
  return (one[at] ?? 0) > (other[at] ?? 0) ? 1 : -1;
}
