// Helpers for rate limits: the error when a limit is used up, and the refund after a failure.
import type { AccountId } from './account.js';
import { DAY_MS, inWords, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimits } from './rate-limits.js';

/** Returns the error. `message` and `hint` are the sentences before and after the retry time. */
export function rateLimitedError(message: string, retryAfterSeconds: number, hint = ''): AppError {
  const text = `${message} Try again in ${inWords(retryAfterSeconds * SECOND_MS)}.${hint && ` ${hint}`}`;
  return new AppError('rate_limited', text, { retryAfterSeconds });
}

/** Consumes the limits. Throws AppError `rate_limited`. `message` is a sentence. */
export async function consume(
  rateLimits: Pick<RateLimits, 'consume'>,
  limits: readonly RateLimit[],
  message: string,
): Promise<void> {
  const outcome = await rateLimits.consume(limits);
  if (!outcome.ok) throw rateLimitedError(message, outcome.retryAfterSeconds);
}

/** Runs `work`, and refunds the limits consumed before if it throws. */
export async function refundOnFailure<Result>(
  rateLimits: Pick<RateLimits, 'refund'>,
  limits: readonly RateLimit[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // If the refund fails too, the first error is reported.
    await rateLimits.refund(limits).catch(() => undefined);
    throw error;
  }
}

interface DailyLimit {
  readonly accountId: AccountId;
  /** Name of the counter. */
  readonly what: string;
  readonly limit: number;
  /** Message of the error, a sentence. */
  readonly message: string;
}

/**
 * Runs an action that an account can repeat and that is a security event each time. Beyond the limit, throws AppError
 * `rate_limited` without running it. Failed runs are not counted.
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
