// Subscription: the account's purchase as the payment provider last reported it, and the resulting tier.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS } from '../platform/time.js';

/** Tiers that can be bought. */
export const PAID_PLANS = ['pro', 'enterprise'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Stripe's statuses (docs.stripe.com/api/subscriptions/object#subscription_object-status). */
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
  /** Id assigned by the payment provider. */
  id: z.string(),
  /** Plan; null if the price belongs to no plan of this service. */
  plan: z.enum(PAID_PLANS).nullable(),
  /** Billing interval; null if it is none of these. */
  interval: z.enum(BILLING_INTERVALS).nullable(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  currentPeriodEnd: instant,
  /** Time at which a canceled subscription ends; null while it renews. */
  endsAt: instant.nullable(),
  /** Time since which a payment is known to be missing; null unless `past_due`. */
  pastDueSince: instant.nullable(),
  /**
   * Set if the operator has paused the collection of payments at the provider; the status stays the same. Null:
   * payments are collected.
   */
  collectionPause: z
    .object({
      /** Time at which collection resumes; null if the operator decides. */
      resumesAt: instant.nullable(),
    })
    .nullable()
    .default(null),
});
export type Subscription = RecordOf<typeof subscriptionSchema>;

/** Time in ms for which a plan is kept while its payment is missing. */
const GRACE_MS = 7 * DAY_MS;

/**
 * Returns the time until which the plan is granted, as far as known: null means without end, undefined means not
 * granted.
 */
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

/** Returns true if the subscription grants its plan at that moment. */
export function isGranted(subscription: Subscription, at: Date): boolean {
  const until = grantedUntil(subscription);
  return until === null || (until !== undefined && at < until);
}

/**
 * Returns true if the subscription is active at the payment provider, so that a second one would be paid in addition.
 */
export function isOpen({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired' && status !== 'incomplete';
}

/**
 * Returns the subscription that counts if a customer has several. Order: granted, then open, then the higher plan, the
 * later end, and the greater id.
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

/** Returns a rank: higher for a higher plan, lowest for no plan. */
export function rankOfPlan(plan: PaidPlan | null): number {
  return plan === null ? -1 : PAID_PLANS.indexOf(plan);
}

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  if (at === -1) return 0;
  return (one[at] ?? 0) > (other[at] ?? 0) ? 1 : -1;
}
