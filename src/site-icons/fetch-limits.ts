// Limits for sites whose icons are fetched for the first time, per account.
import type { AccountId } from '../accounts/account.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Plans } from '../accounts/plan.js';
import type { RateLimits } from '../accounts/rate-limits.js';
import { tierAt } from '../accounts/tier.js';
import { DAY_MS, MINUTE_MS } from '../platform/time.js';

const HOSTS_A_MINUTE = 30;

interface Options {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly rateLimits: Pick<RateLimits, 'consume'>;
  readonly plans: Plans;
  readonly now: () => number;
}

/** Returns a function that counts a host, and returns false if the account may fetch no further one now. */
export function createFetchLimits({ accounts, rateLimits, plans, now }: Options) {
  return async (accountId: AccountId): Promise<boolean> => {
    const account = await accounts.find(accountId);
    if (!account) return false;
    const limit = plans[tierAt(account, new Date(now()))].siteIcons;
    // A rule admits at least one use.
    if (limit === 0) return false;
    const rules = [
      { limit: HOSTS_A_MINUTE, windowMs: MINUTE_MS },
      ...(limit === null ? [] : [{ limit, windowMs: DAY_MS }]),
    ];
    return (await rateLimits.consume([{ key: `site-icons:${accountId}`, rules }])).ok;
  };
}
