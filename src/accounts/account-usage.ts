// Usage of accounts, as far as accounts show it. The feature metering implements it.
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { Account } from './account.js';
import type { AccountId } from './account-id.js';
import type { Bucket, Tier } from './plan.js';

export interface UsageReport {
  readonly date: UtcDay;
  readonly tier: Tier;
  /** Requests of the day, and their daily limit. Null: unlimited. */
  readonly endpoints: Readonly<Record<Bucket, { readonly used: number; readonly limit: number | null }>>;
}

export interface AccountUsage {
  /** Counted requests of these days; days without requests may be missing. */
  range(
    id: AccountId,
    days: DayRange,
  ): Promise<readonly { readonly used: Readonly<Partial<Record<Bucket, number>>> }[]>;
  /** Report of the current day; of a suspended account, too. */
  today(account: Account): Promise<UsageReport>;
  /** Today's requests of the publishable keys, by their id. */
  byKey(id: AccountId): Promise<Readonly<Record<string, number>>>;
}

/** The usage that metering tells of. It is opened after accounts. */
export function accountUsageOf(services: { readonly accountUsage: AccountUsage }): AccountUsage {
  return {
    range: (id, days) => services.accountUsage.range(id, days),
    today: (account) => services.accountUsage.today(account),
    byKey: (id) => services.accountUsage.byKey(id),
  };
}
