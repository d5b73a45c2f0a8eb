// Tier of an account at a given time: the operator's setting, else the tier of the subscription, else free.
import type { Account } from './account.js';
import { grantedUntil, isGranted } from './subscription.js';
import type { Tier } from './plan.js';

type TierSource = 'operator' | 'stripe' | 'none';

export function tierSource({ operatorTier, billing }: Account, at: Date): TierSource {
  if (operatorTier !== null) return 'operator';
  return billing?.subscription && isGranted(billing.subscription, at) ? 'stripe' : 'none';
}

export function tierOf(account: Account, at: Date): Tier {
  const { operatorTier, billing } = account;
  if (operatorTier !== null) return operatorTier;
  return (billing?.subscription && isGranted(billing.subscription, at) ? billing.subscription.plan : null) ?? 'free';
}

export type TierParts = Pick<Account, 'tier' | 'operatorTier' | 'billing'>;

/**
 * Returns the time at which the stored tier ends: the end of the paid period, or the end of the grace period after a
 * missed payment. Null means that no end is known.
 */
export function tierEndsAt({ tier, operatorTier, billing }: TierParts): Date | null {
  const subscription = billing?.subscription;
  if (operatorTier !== null || subscription?.plan !== tier) return null;
  const end = grantedUntil(subscription);
  // If the subscription grants no plan, the stored tier has already ended.
  return end === undefined ? new Date(0) : end;
}

/**
 * Returns the tier that applies at `at`. It may differ from the stored tier: when a tier has ended, a job replaces it
 * only some time later.
 */
export function tierAt(account: TierParts, at: Date): Tier {
  const end = tierEndsAt(account);
  return end !== null && at >= end ? 'free' : account.tier;
}
