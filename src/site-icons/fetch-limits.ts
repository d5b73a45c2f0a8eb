// Limits of each account for fetching icons of new sites: per minute and per day.
import type { AccountId } from '../accounts/account.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Plans } from '../accounts/plan.js';
import type { RateLimits } from '../accounts/rate-limits.js';
import { tierAt } from '../accounts/tier.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/time.js';

const HOSTS_A_MINUTE = 30;
/**
 * Maximum number of accounts that are remembered after they used up a limit. Further requests of a remembered account
 * are rejected without a write to the store.
 */
const MAX_REMEMBERED = 10_000;
/**
 * Maximum time for which an account is remembered. A new plan with higher limits takes effect after at most this time.
 */
const MAX_REMEMBERED_MS = MINUTE_MS;

interface Options {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly rateLimits: Pick<RateLimits, 'consume'>;
  readonly plans: Plans;
  readonly now: () => number;
}

/** Returns a function that counts a host. That function returns false if the account may fetch no further host now. */
export function createFetchLimits({ accounts, rateLimits, plans, now }: Options) {
  const usedUpUntilMs = lruCache<AccountId, number>(MAX_REMEMBERED);
  return async (accountId: AccountId): Promise<boolean> => {
    if ((usedUpUntilMs.get(accountId) ?? 0) > now()) return false;
    const account = await accounts.find(accountId);
    if (!account) return false;
    const limit = plans[tierAt(account, new Date(now()))].siteIcons;
    // A rate limit rule admits at least one use, so it cannot express a limit of 0.
    if (limit === 0) return false;
    const rules = [
      { limit: HOSTS_A_MINUTE, windowMs: MINUTE_MS },
      ...(limit === null ? [] : [{ limit, windowMs: DAY_MS }]),
    ];
    const outcome = await rateLimits.consume([{ key: `site-icons:${accountId}`, rules }]);
    if (!outcome.ok)
      usedUpUntilMs.set(accountId, now() + Math.min(outcome.retryAfterSeconds * SECOND_MS, MAX_REMEMBERED_MS));
    return outcome.ok;
  };
}
