// Limits for changes of own brands, per account.
import type { AccountId } from '../accounts/account.js';
import { DAY_MS, MINUTE_MS } from '../platform/time.js';
import type { AccountContext } from '../accounts/context.js';
import { consume } from '../accounts/rate-limiting.js';

const CHANGES_A_MINUTE = 60;
const CHANGES_A_DAY = 5000;

/**
 * Counts a change against the limits of the account, even if it turns out to change nothing. Throws AppError
 * `rate_limited`.
 */
export async function takeFromLimits(rateLimits: AccountContext['rateLimits'], accountId: AccountId): Promise<void> {
  const rules = [
    { limit: CHANGES_A_MINUTE, windowMs: MINUTE_MS },
    { limit: CHANGES_A_DAY, windowMs: DAY_MS },
  ];
  const message = `Own brands can be changed at most ${CHANGES_A_MINUTE} times per minute and ${CHANGES_A_DAY} times per day.`;
  await consume(rateLimits, [{ key: `own-brands:${accountId}`, rules }], message);
}
