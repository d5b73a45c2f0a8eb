// Daily limits of what an account can repeat: each time is a security event.
import type { AccountId } from '../../domain/account/account.js';
import { DAY_MS } from '../../domain/time.js';
import type { RateLimits } from '../../ports/rate-limits.js';
import { rateLimitedError } from './rate-limited-error.js';

interface DailyLimit {
  readonly accountId: AccountId;
  /** Names the counter. */
  readonly what: string;
  readonly limit: number;
  /** A sentence. */
  readonly message: string;
}

/** Throws AppError `rate_limited`, without running it, beyond the limit. What throws is not counted. */
export type WithinDailyLimit = <Result>(limit: DailyLimit, run: () => Promise<Result>) => Promise<Result>;

export function createDailyLimits(rateLimits: Pick<RateLimits, 'consume' | 'refund'>): WithinDailyLimit {
  return async ({ accountId, what, limit, message }, run) => {
    const limits = [{ key: `${what}:${accountId}`, rules: [{ limit, windowMs: DAY_MS }] }];
    const outcome = await rateLimits.consume(limits);
    if (!outcome.ok) throw rateLimitedError(message, outcome.retryAfterSeconds);
    try {
      return await run();
    } catch (error) {
      // Should that fail too, the first error is still the one to report.
      await rateLimits.refund(limits).catch(() => undefined);
      throw error;
    }
  };
}
