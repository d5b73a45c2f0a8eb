// Helpers for rate limits: error for a used-up limit, and a function that undoes the count of a failed action.
import type { AccountId } from './account.js';
import { DAY_MS, inWords, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimits } from './rate-limits.js';

/** Returns the error. `message` is the sentence before the retry time, `hint` the sentence after it. */
export function rateLimitedError(message: string, retryAfterSeconds: number, hint = ''): AppError {
  const text = `${message} Try again in ${inWords(retryAfterSeconds * SECOND_MS)}.${hint && ` ${hint}`}`;
  return new AppError('rate_limited', text, { retryAfterSeconds });
}

/**
 * Counts a request against the limits. If a limit is used up, throws AppError `rate_limited` with the sentence
 * `message`.
 */
export async function consume(
  rateLimits: Pick<RateLimits, 'consume'>,
  limits: readonly RateLimit[],
  message: string,
): Promise<void> {
  const outcome = await rateLimits.consume(limits);
  if (!outcome.ok) throw rateLimitedError(message, outcome.retryAfterSeconds);
}

/** Runs `work`, which the caller has counted against `limits`. If `work` throws, undoes the count. */
export async function refundOnFailure<Result>(
  rateLimits: Pick<RateLimits, 'refund'>,
  limits: readonly RateLimit[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // An error of `refund` is ignored, because the caller needs the error of `work`.
    await rateLimits.refund(limits).catch(() => undefined);
    throw error;
  }
}

interface DailyLimit {
  readonly accountId: AccountId;
  /** Name of the counted action, part of the limit's key. */
  readonly what: string;
  readonly limit: number;
  readonly message: string;
}

/**
 * Runs an action that is limited per account and day, because each run adds an audit event. Above the limit, throws
 * AppError `rate_limited` without running the action. Failed runs are not counted.
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
