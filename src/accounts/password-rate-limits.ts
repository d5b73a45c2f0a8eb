// Rate limits of password checks: wrong ones per e-mail address, device and client address, right ones per account and
// client address.
import { emailIdentity, type AccountId, type PasswordRecord } from './account.js';
import { DAY_MS, inWords, MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimitOutcome, RateLimitRule } from './rate-limits.js';
import type { Client } from './client-info.js';
import { rateLimitedError } from './rate-limiting.js';
import type { Denial } from './rate-limit-reservations.js';

/**
 * Purpose of a password check. Right passwords have separate limits for each, so that a script that signs in too often
 * does not block a change of the password. Wrong ones have the same limits for both.
 */
export type Purpose = 'sign-in' | 'confirmation';

/** Wrong passwords per e-mail address, existing or not; a trusted device has the same limits for itself. */
const WRONG_PER_OWNER: readonly RateLimitRule[] = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 100, windowMs: DAY_MS },
];
/** Wrong passwords from all trusted devices of an account together: each sign-in may create another device. */
const WRONG_PER_ACCOUNT_DEVICES: readonly RateLimitRule[] = [
  { limit: 50, windowMs: 15 * MINUTE_MS },
  { limit: 500, windowMs: DAY_MS },
];
const WRONG_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];

/**
 * Right ones of one account: each is written to its record, which is kept for 400 days. A script that signs in every
 * minute (1,440 a day) is within them, and so are as many at once as may wait for their check.
 */
const RIGHT_PER_ACCOUNT: readonly RateLimitRule[] = [
  // Twice the live sessions of an account: also the sign-in that replaces the oldest one is within it.
  { limit: 200, windowMs: 15 * MINUTE_MS },
  { limit: 2000, windowMs: DAY_MS },
];
/** Right ones from one client address, of all accounts: an office, or a fleet of build machines, behind one. */
const RIGHT_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 300, windowMs: 15 * MINUTE_MS }];

/** Limit of wrong passwords for this e-mail address from clients without a trusted device, signed in or not. */
export const strangersOf = (email: string): string => `password:${emailIdentity(email)}`;
const wrongFrom = ({ rateLimitKey }: Client): string => `password-address:${rateLimitKey}`;
const rightFrom = ({ rateLimitKey }: Client): string => `right-password-address:${rateLimitKey}`;
const rightOf = (id: AccountId, purpose: Purpose): string => `${purpose}:${id}`;

export interface CheckedPassword {
  /** As typed. */
  readonly email: string;
  readonly account: PasswordRecord | undefined;
  /** Id of the trusted device whose valid cookie the request carries. */
  readonly device: string | undefined;
  readonly client: Client;
}

/** All are consumed before the check; afterwards those that the outcome did not use are refunded. */
export interface PasswordRateLimits {
  readonly owner: RateLimit;
  readonly others: readonly RateLimit[];
  /** Refunded when the password was right. */
  readonly wrong: readonly RateLimit[];
  /** Refunded when it was wrong. */
  readonly right: readonly RateLimit[];
}

export function passwordRateLimits({ email, account, device, client }: CheckedPassword): PasswordRateLimits {
  const isKnown = account !== undefined && device !== undefined;
  const key = isKnown ? `device:${device}:${account.unlocks}` : strangersOf(email);
  const owner = { key, rules: WRONG_PER_OWNER };
  const devices = isKnown
    ? [{ key: `devices:${account.id}:${account.unlocks}`, rules: WRONG_PER_ACCOUNT_DEVICES }]
    : [];
  const wrong = [{ key: wrongFrom(client), rules: WRONG_PER_ADDRESS }, ...devices];
  const right = [{ key: rightFrom(client), rules: RIGHT_PER_ADDRESS }];
  return { owner, others: [...wrong, ...right], wrong: [owner, ...wrong], right };
}

/** Consumed when the password was right, and not refunded. */
export function rightPasswordRateLimit(id: AccountId, purpose: Purpose): RateLimit {
  return { key: rightOf(id, purpose), rules: RIGHT_PER_ACCOUNT };
}

/** Limits that can lock the owner out; reset by a password reset and by the operator. */
export function ownerRateLimitKeys({
  id,
  email,
}: {
  readonly id: AccountId;
  readonly email: string;
}): readonly string[] {
  return [strangersOf(email), rightOf(id, 'sign-in'), rightOf(id, 'confirmation')];
}

/** False when only the client's own address is over its limits. */
export function isAboutOwner({ keys, pending }: Denial, client: Client): boolean {
  return !pending && keys.some((key) => key !== wrongFrom(client) && key !== rightFrom(client));
}

export function throttledError({ pending, keys, retryAfterSeconds }: Denial, client: Client): AppError {
  const wait = `Try again in ${inWords(retryAfterSeconds * SECOND_MS)}`;
  if (keys.includes(wrongFrom(client)))
    return throttled(`Too many wrong passwords were given from your network address. ${wait}.`);
  if (keys.includes(rightFrom(client)))
    return rateLimitedError('Too many sign-ins from your network address.', retryAfterSeconds);
  if (pending) return throttled(`Many passwords of this account are being checked at this moment. ${wait}.`);
  return throttled(
    `Too many wrong passwords. ${wait}, or choose a new password with a link (POST /auth/forgot-password).`,
  );

  function throttled(message: string): AppError {
    return new AppError('login_throttled', message, { retryAfterSeconds });
  }
}

/** Right passwords given too often. */
export function rightPasswordError(
  { retryAfterSeconds }: Extract<RateLimitOutcome, { ok: false }>,
  purpose: Purpose,
): AppError {
  if (purpose === 'confirmation')
    return rateLimitedError('Too many changes to this account that need its password.', retryAfterSeconds);
  return rateLimitedError(
    'Too many sign-ins to this account.',
    retryAfterSeconds,
    'A session lasts for days: POST /auth/refresh renews its access token without a sign-in.',
  );
}
