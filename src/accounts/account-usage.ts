// Usage of accounts, as far as accounts show it. The feature metering implements this interface.
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { Account } from './account.js';
import type { AccountId } from './account-id.js';
import type { Bucket, Tier } from './plan.js';

export interface UsageReport {
  readonly date: UtcDay;
  readonly tier: Tier;
  /** Requests of the day and their daily limit by bucket; a null limit means unlimited. */
  readonly endpoints: Readonly<Record<Bucket, { readonly used: number; readonly limit: number | null }>>;
}

export interface AccountUsage {
  /** Returns the counted requests of these days. Days without requests may be missing. */
  range(
    id: AccountId,
    days: DayRange,
  ): Promise<readonly { readonly used: Readonly<Partial<Record<Bucket, number>>> }[]>;
  /** Returns the report of the current day, even for a suspended account. */
  today(account: Account): Promise<UsageReport>;
  /** Returns today's requests of the publishable keys by key id. */
  byKey(id: AccountId): Promise<Readonly<Record<string, number>>>;
}

/** Returns the usage that metering provides. The indirection is needed because metering is opened after accounts. */
export function accountUsageOf(services: { readonly accountUsage: AccountUsage }): AccountUsage {
  return {
    range: (id, days) => services.accountUsage.range(id, days),
    today: (account) => services.accountUsage.today(account),
    byKey: (id) => services.accountUsage.byKey(id),
  };
}
