// Rate limits of password checks. Wrong passwords are limited per e-mail address, device and client address. Right
// passwords are limited per account and client address.
import { emailIdentity, type AccountId, type PasswordRecord } from './account.js';
import { DAY_MS, inWords, MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimitOutcome, RateLimitRule } from './rate-limits.js';
import type { Client } from './client-info.js';
import { rateLimitedError } from './rate-limiting.js';
import type { Denial } from './rate-limit-reservations.js';

/**
 * Purpose of a password check. Right passwords have separate limits per purpose, so that a script that signs in too
 * often does not block a password change. Wrong passwords have the same limits for both purposes.
 */
export type Purpose = 'sign-in' | 'confirmation';

/**
 * Wrong passwords per e-mail address, whether the account exists or not. A trusted device has separate limits of the
 * same size.
 */
const WRONG_PER_OWNER: readonly RateLimitRule[] = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 100, windowMs: DAY_MS },
];
/** Wrong passwords from all trusted devices of an account together, because each sign-in may create another device. */
const WRONG_PER_ACCOUNT_DEVICES: readonly RateLimitRule[] = [
  { limit: 50, windowMs: 15 * MINUTE_MS },
  { limit: 500, windowMs: DAY_MS },
];
const WRONG_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];

/**
 * Right passwords of one account. Each is recorded for 400 days. The limits allow a script that signs in every minute
 * (1,440 a day), and as many simultaneous checks as may wait.
 */
const RIGHT_PER_ACCOUNT: readonly RateLimitRule[] = [
  // Twice the live sessions of an account, so that sign-ins which replace the oldest session are possible.
  { limit: 200, windowMs: 15 * MINUTE_MS },
  { limit: 2000, windowMs: DAY_MS },
];
/**
 * Right passwords from one client address for all accounts. An office or a fleet of build machines may share an
 * address.
 */
const RIGHT_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 300, windowMs: 15 * MINUTE_MS }];

/**
 * Returns the limit key of wrong passwords for this e-mail address from clients without a trusted device, signed in or
 * not.
 */
export const strangersOf = (email: string): string => `password:${emailIdentity(email)}`;
const wrongFrom = ({ rateLimitKey }: Client): string => `password-address:${rateLimitKey}`;
const rightFrom = ({ rateLimitKey }: Client): string => `right-password-address:${rateLimitKey}`;
const rightOf = (id: AccountId, purpose: Purpose): string => `${purpose}:${id}`;

export interface CheckedPassword {
  /** E-mail address as typed. */
  readonly email: string;
  readonly account: PasswordRecord | undefined;
  /** Id of the trusted device, if the request has its valid cookie. */
  readonly device: string | undefined;
  readonly client: Client;
}

/** All limits are consumed before the check. Afterwards, the limits that do not apply to the outcome are refunded. */
export interface PasswordRateLimits {
  readonly owner: RateLimit;
  readonly others: readonly RateLimit[];
  /** Refunded if the password was right. */
  readonly wrong: readonly RateLimit[];
  /** Refunded if the password was wrong. */
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

/** Returns the limit consumed after a right password. It is not refunded. */
export function rightPasswordRateLimit(id: AccountId, purpose: Purpose): RateLimit {
  return { key: rightOf(id, purpose), rules: RIGHT_PER_ACCOUNT };
}

/** Returns the limits that can lock the owner out. A password reset and the operator reset them. */
export function ownerRateLimitKeys({
  id,
  email,
}: {
  readonly id: AccountId;
  readonly email: string;
}): readonly string[] {
  return [strangersOf(email), rightOf(id, 'sign-in'), rightOf(id, 'confirmation')];
}

/** Returns false if only the client's own address is over its limits. */
export function isAboutOwner({ keys, pending }: Denial, client: Client): boolean {
  return !pending && keys.some((key) => key !== wrongFrom(client) && key !== rightFrom(client));
}

export function throttledError({ pending, keys, retryAfterSeconds }: Denial, client: Client): AppError {
  const wait = `Try again in ${inWords(retryAfterSeconds * SECOND_MS)}`;
  if (keys.includes(wrongFrom(client))) return throttled(`Too many wrong passwords from your IP address. ${wait}.`);
  if (keys.includes(rightFrom(client)))
    return rateLimitedError('Too many sign-ins from your IP address.', retryAfterSeconds);
  if (pending) return throttled(`Too many passwords of this account are being checked right now. ${wait}.`);
  return throttled(
    `Too many wrong passwords. ${wait}, or set a new password with a reset link (POST /auth/forgot-password).`,
  );

  function throttled(message: string): AppError {
    return new AppError('login_throttled', message, { retryAfterSeconds });
  }
}

/** Returns the error for right passwords given too often. */
export function rightPasswordError(
  { retryAfterSeconds }: Extract<RateLimitOutcome, { ok: false }>,
  purpose: Purpose,
): AppError {
  if (purpose === 'confirmation')
    return rateLimitedError('Too many changes to this account that require its password.', retryAfterSeconds);
  return rateLimitedError(
    'Too many sign-ins to this account.',
    retryAfterSeconds,
    'Use POST /auth/refresh to get access tokens from an existing session instead of signing in again.',
  );
}
