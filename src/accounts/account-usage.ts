// Interface to the usage of accounts. The feature `metering` implements it.
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { Account } from './account.js';
import type { AccountId } from './account-id.js';
import type { Bucket, Tier } from './plan.js';

export interface UsageReport {
  readonly date: UtcDay;
  readonly tier: Tier;
  /** Counted requests of the day, and daily limit, by bucket. A null limit means unlimited. */
  readonly endpoints: Readonly<Record<Bucket, { readonly used: number; readonly limit: number | null }>>;
}

export interface AccountUsage {
  /** Returns the counted requests by day. Days without requests may be missing. */
  range(
    id: AccountId,
    days: DayRange,
  ): Promise<readonly { readonly used: Readonly<Partial<Record<Bucket, number>>> }[]>;
  /** Returns the usage of the current UTC day, even if the account is suspended. */
  today(account: Account): Promise<UsageReport>;
  /** Returns today's requests by id of the publishable key. */
  byKey(id: AccountId): Promise<Readonly<Record<string, number>>>;
}

/**
 * Returns the usage that the feature `metering` provides. Reads `services.accountUsage` on each call, because
 * `metering` is opened after `accounts`.
 */
export function accountUsageOf(services: { readonly accountUsage: AccountUsage }): AccountUsage {
  return {
    range: (id, days) => services.accountUsage.range(id, days),
    today: (account) => services.accountUsage.today(account),
    byKey: (id) => services.accountUsage.byKey(id),
  };
}
