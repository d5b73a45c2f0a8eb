// Use of rate limits: the error of one that is used up, and the refund of what came to nothing.
import type { AccountId } from './account.js';
import { DAY_MS, inWords, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimits } from './rate-limits.js';

/** `message` and `hint` are sentences, before and after the one that says when to retry. */
export function rateLimitedError(message: string, retryAfterSeconds: number, hint = ''): AppError {
  const text = `${message} Try again in ${inWords(retryAfterSeconds * SECOND_MS)}.${hint && ` ${hint}`}`;
  return new AppError('rate_limited', text, { retryAfterSeconds });
}

/** Throws AppError `rate_limited`. `message` is a sentence. */
export async function consume(
  rateLimits: Pick<RateLimits, 'consume'>,
  limits: readonly RateLimit[],
  message: string,
): Promise<void> {
  const outcome = await rateLimits.consume(limits);
  if (!outcome.ok) throw rateLimitedError(message, outcome.retryAfterSeconds);
}

/** Refunds the limits, which were consumed before, when `work` throws. */
export async function refundOnFailure<Result>(
  rateLimits: Pick<RateLimits, 'refund'>,
  limits: readonly RateLimit[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // Should that fail too, the first error is still the one to report.
    await rateLimits.refund(limits).catch(() => undefined);
    throw error;
  }
}

interface DailyLimit {
  readonly accountId: AccountId;
  /** Names the counter. */
  readonly what: string;
  readonly limit: number;
  /** A sentence. */
  readonly message: string;
}

/**
 * For what an account can repeat, and each time is a security event. Throws AppError `rate_limited`, without running it,
 * beyond the limit. What throws is not counted.
 */
export async function withinDailyLimit<Result>(
  rateLimits: Pick<RateLimits, 'consume' | 'refund'>,
  { accountId, what, limit, message }: DailyLimit,
  run: () => Promise<Result>,
): Promise<Result> {
  const limits = [{ key: `${what}:${accountId}`, rules: [{ limit, windowMs: DAY_MS }] }];
  await consume(rateLimits, limits, message);
  return refundOnFailure(rateLimits, limits, run);
}
