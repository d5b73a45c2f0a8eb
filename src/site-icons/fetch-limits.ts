// Limits for sites whose icons are fetched for the first time, per account.
import type { AccountId } from '../accounts/account.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Plans } from '../accounts/plan.js';
import type { RateLimits } from '../accounts/rate-limits.js';
import { tierAt } from '../accounts/tier.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/time.js';

const HOSTS_A_MINUTE = 30;
/** Accounts whose used up limits are remembered, so that a flood of requests writes nothing to the store. */
const MAX_REMEMBERED = 10_000;
/** A new plan is effective after this time. */
const MAX_REMEMBERED_MS = MINUTE_MS;

interface Options {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly rateLimits: Pick<RateLimits, 'consume'>;
  readonly plans: Plans;
  readonly now: () => number;
}

/** Returns a function that counts a host, and returns false if the account may fetch no further one now. */
export function createFetchLimits({ accounts, rateLimits, plans, now }: Options) {
  const usedUpUntilMs = lruCache<AccountId, number>(MAX_REMEMBERED);
  return async (accountId: AccountId): Promise<boolean> => {
    if ((usedUpUntilMs.get(accountId) ?? 0) > now()) return false;
    const account = await accounts.find(accountId);
    if (!account) return false;
    const limit = plans[tierAt(account, new Date(now()))].siteIcons;
    // A rule admits at least one use.
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
