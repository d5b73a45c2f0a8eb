// Rate limit headers (draft-ietf-httpapi-ratelimit-headers, structured fields).
import type { Bucket } from '../accounts/plan.js';
import { DAY_MS, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { QuotaReading } from './metering.js';
import type { HeaderFields } from '../platform/http/response/reply.js';

const DAY_SECONDS = DAY_MS / SECOND_MS;
const NO_FIELDS: HeaderFields = {};

/** Returns the headers. Returns no headers for an unlimited bucket, or if the client must not see the limit. */
export function rateLimitHeaders(bucket: Bucket, { of, limit, used, secondsLeft }: QuotaReading): HeaderFields {
  if (limit === null || of === 'account') return NO_FIELDS;
  const name = of === 'key' ? 'key' : bucket;
  return {
    'RateLimit-Policy': `"${name}-day";q=${limit};w=${DAY_SECONDS}`,
    RateLimit: `"${name}-day";r=${Math.max(0, limit - used)};t=${secondsLeft}`,
  };
}

export function quotaExceeded(bucket: Bucket, { of, limit, tier, day, secondsLeft }: QuotaReading): AppError {
  const reset = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().replace('.000Z', 'Z');
  const name = {
    bucket: `The ${bucket} quota of the ${tier} tier (${limit ?? 0} requests per day)`,
    key: `The daily limit of this publishable key (${limit ?? 0} requests per day)`,
    account: "Today's quota of this publishable key",
  }[of];
  const message = `${name} is used up. It resets at ${reset}.`;
  return new AppError('quota_exceeded', message, { retryAfterSeconds: secondsLeft });
}
