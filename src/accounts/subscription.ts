// Subscription: what an account has bought, as the payment provider last reported it, and the tier that it gives.
import { z } from 'zod';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS } from '../platform/time.js';

/** Tiers that can be bought. */
export const PAID_PLANS = ['pro', 'enterprise'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Stripe's own (docs.stripe.com/api/subscriptions/object#subscription_object-status). */
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
  /** The payment provider's. */
  id: z.string(),
  /** Null: its price is of no plan of this service. */
  plan: z.enum(PAID_PLANS).nullable(),
  /** Null: it is not paid by one of these. */
  interval: z.enum(BILLING_INTERVALS).nullable(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  currentPeriodEnd: instant,
  /** When it ends because it was canceled; null while it renews itself. */
  endsAt: instant.nullable(),
  /** Since when it is known that a payment is missing; null unless `past_due`. */
  pastDueSince: instant.nullable(),
  /** The operator has paused the collection of payments at the provider; the status stays. Null: payments are collected. */
  collectionPause: z
    .object({
      /** When payments are collected again; null: when the operator says so. */
      resumesAt: instant.nullable(),
    })
    .nullable()
    .default(null),
});
export type Subscription = RecordOf<typeof subscriptionSchema>;

/** How long a plan is kept while its payment is missing. */
const GRACE_MS = 7 * DAY_MS;

/**
 * Until when the plan of a subscription is granted, as far as is known: null is without end, undefined not at all.
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

/** Whether the subscription gives its plan at that moment. */
export function isGranted(subscription: Subscription, at: Date): boolean {
  const until = grantedUntil(subscription);
  return until === null || (until !== undefined && at < until);
}

/** Whether it exists at the payment provider, so that a second one would be paid beside it. */
export function isOpen({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired' && status !== 'incomplete';
}

/**
 * The one that counts when a customer has several: granted before not granted, then open before ended, the higher plan,
 * the later end, and the greater id.
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

/** Higher for a higher plan, lowest for none. */
export function rankOfPlan(plan: PaidPlan | null): number {
  return plan === null ? -1 : PAID_PLANS.indexOf(plan);
}

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  if (at === -1) return 0;
  return (one[at] ?? 0) > (other[at] ?? 0) ? 1 : -1;
}
