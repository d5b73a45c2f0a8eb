// The tier of an account at a moment: the operator's setting, else of a subscription, else free.
import type { Account } from './account.js';
import { grantedUntil, isGranted } from './subscription.js';
import type { Tier } from './plan.js';

type TierSource = 'operator' | 'stripe' | 'none';

/** Where the tier comes from: the operator's setting, else a subscription that is granted, else neither. */
export function tierSource({ operatorTier, billing }: Account, at: Date): TierSource {
  if (operatorTier !== null) return 'operator';
  return billing?.subscription && isGranted(billing.subscription, at) ? 'stripe' : 'none';
}

/** The tier that follows from the operator's setting and the subscription. */
export function tierOf(account: Account, at: Date): Tier {
  const { operatorTier, billing } = account;
  if (operatorTier !== null) return operatorTier;
  return (billing?.subscription && isGranted(billing.subscription, at) ? billing.subscription.plan : null) ?? 'free';
}

export type TierParts = Pick<Account, 'tier' | 'operatorTier' | 'billing'>;

/**
 * Returns when the stored tier ends: with the paid period, or with the grace period after a missed payment. Null: no known end.
 */
export function tierEndsAt({ tier, operatorTier, billing }: TierParts): Date | null {
  const subscription = billing?.subscription;
  if (operatorTier !== null || subscription?.plan !== tier) return null;
  const end = grantedUntil(subscription);
  // Grants nothing: it has ended already.
  return end === undefined ? new Date(0) : end;
}

/** The tier whose limits hold at that moment. Until a job has written the next one, the stored tier outlives its end. */
export function tierAt(account: TierParts, at: Date): Tier {
  const end = tierEndsAt(account);
  return end !== null && at >= end ? 'free' : account.tier;
}
