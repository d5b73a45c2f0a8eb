// The error of a used-up rate limit.
import { inWords, SECOND_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';

/** `message` and `hint` are sentences, before and after the one that says when to retry. */
export function rateLimitedError(message: string, retryAfterSeconds: number, hint = ''): AppError {
  const text = `${message} Try again in ${inWords(retryAfterSeconds * SECOND_MS)}.${hint && ` ${hint}`}`;
  return new AppError('rate_limited', text, { retryAfterSeconds });
}
