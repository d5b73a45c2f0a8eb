// Tier of an account at a moment: the operator's setting, else the subscription's, else free.
import type { Account } from './account.js';
import { grantedUntil, isGranted } from './subscription.js';
import type { Tier } from './plan.js';

type TierSource = 'operator' | 'stripe' | 'none';

/** Returns the source of the tier: the operator's setting, else a granted subscription, else neither. */
export function tierSource({ operatorTier, billing }: Account, at: Date): TierSource {
  if (operatorTier !== null) return 'operator';
  return billing?.subscription && isGranted(billing.subscription, at) ? 'stripe' : 'none';
}

/** Returns the tier that results from the operator's setting and the subscription. */
export function tierOf(account: Account, at: Date): Tier {
  const { operatorTier, billing } = account;
  if (operatorTier !== null) return operatorTier;
  return (billing?.subscription && isGranted(billing.subscription, at) ? billing.subscription.plan : null) ?? 'free';
}

export type TierParts = Pick<Account, 'tier' | 'operatorTier' | 'billing'>;

/**
 * Returns when the stored tier ends: with the paid period, or with the grace period after a missed payment. Null means
 * no known end.
 */
export function tierEndsAt({ tier, operatorTier, billing }: TierParts): Date | null {
  const subscription = billing?.subscription;
  if (operatorTier !== null || subscription?.plan !== tier) return null;
  const end = grantedUntil(subscription);
  // The subscription grants nothing, so the tier has already ended.
  return end === undefined ? new Date(0) : end;
}

/** Returns the tier with the limits at that moment. The stored tier may have ended, until a job writes the next one. */
export function tierAt(account: TierParts, at: Date): Tier {
  const end = tierEndsAt(account);
  return end !== null && at >= end ? 'free' : account.tier;
}
