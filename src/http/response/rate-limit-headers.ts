// Rate limit headers of draft-ietf-httpapi-ratelimit-headers (structured fields).
import type { Bucket } from '../../domain/metering/plan.js';
import { DAY_MS, SECOND_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { QuotaReading } from '../../services/metering.js';
import type { HeaderFields } from './reply.js';

const DAY_SECONDS = DAY_MS / SECOND_MS;
const NO_FIELDS: HeaderFields = {};

/** None for an unlimited bucket. */
export function rateLimitHeaders(bucket: Bucket, { of, limit, used, secondsLeft }: QuotaReading): HeaderFields {
  if (limit === null) return NO_FIELDS;
  const name = of === 'key' ? 'key' : bucket;
  return {
    'RateLimit-Policy': `"${name}-day";q=${limit};w=${DAY_SECONDS}`,
    RateLimit: `"${name}-day";r=${Math.max(0, limit - used)};t=${secondsLeft}`,
  };
}

export function quotaExceeded(bucket: Bucket, { of, limit, tier, day, secondsLeft }: QuotaReading): AppError {
  const reset = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().replace('.000Z', 'Z');
  const name = of === 'key' ? 'daily limit of this publishable key' : `${bucket} quota of the ${tier} tier`;
  const message = `The ${name}, ${limit ?? 0} requests a day, is used up. It resets at ${reset}.`;
  return new AppError('quota_exceeded', message, { retryAfterSeconds: secondsLeft });
}
