// Rate limits of password checks. Wrong passwords are limited per e-mail address, per device and per client address.
// Right passwords are limited per account and per client address.
import { emailIdentity, type AccountId, type PasswordRecord } from './account.js';
import { DAY_MS, inWords, MINUTE_MS, SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit, RateLimitOutcome, RateLimitRule } from './rate-limits.js';
import type { Client } from './client-info.js';
import { rateLimitedError } from './rate-limiting.js';
import type { Denial } from './rate-limit-reservations.js';

/**
 * Purpose of a password check. Right passwords have separate limits for each purpose, because a script that signs in
 * too often must not block a password change. Wrong passwords have the same limits for all purposes.
 */
export type Purpose = 'sign-in' | 'confirmation';

/**
 * Limits of wrong passwords per e-mail address, even if no account has the address. Each trusted device has its own
 * limits of the same size.
 */
const WRONG_PER_OWNER: readonly RateLimitRule[] = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 100, windowMs: DAY_MS },
];
/**
 * Limits of wrong passwords from all trusted devices of an account together, because each sign-in may create another
 * device.
 */
const WRONG_PER_ACCOUNT_DEVICES: readonly RateLimitRule[] = [
  { limit: 50, windowMs: 15 * MINUTE_MS },
  { limit: 500, windowMs: DAY_MS },
];
const WRONG_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];

/**
 * Limits on how often the right password of an account is used. Each use adds an audit event, which is kept for 400
 * days. The limits are high enough for a script that signs in every minute (1,440 times a day).
 */
const RIGHT_PER_ACCOUNT: readonly RateLimitRule[] = [
  // 200 is twice the maximum number of live sessions. Within the window, a client can create all sessions, and then
  // replace each of them once.
  { limit: 200, windowMs: 15 * MINUTE_MS },
  { limit: 2000, windowMs: DAY_MS },
];
/**
 * Limits on how often right passwords are used from one client address, for all accounts together. These limits are
 * high, because an office or many build machines may share an address.
 */
const RIGHT_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 300, windowMs: 15 * MINUTE_MS }];

/**
 * Returns the rate-limit key for wrong passwords that untrusted devices send for this e-mail address. Trusted devices
 * have a separate limit.
 */
export const strangersOf = (email: string): string => `password:${emailIdentity(email)}`;
const wrongFrom = ({ rateLimitKey }: Client): string => `password-address:${rateLimitKey}`;
const rightFrom = ({ rateLimitKey }: Client): string => `right-password-address:${rateLimitKey}`;
const rightOf = (id: AccountId, purpose: Purpose): string => `${purpose}:${id}`;

export interface CheckedPassword {
  /** E-mail address as typed. */
  readonly email: string;
  readonly account: PasswordRecord | undefined;
  /** Id of the trusted device, if the request has a valid device cookie. */
  readonly device: string | undefined;
  readonly client: Client;
}

/**
 * Limits that count each password check before it runs. After a right password, the limits in `wrong` undo this count.
 * After a wrong password, the limits in `right` undo it. `rightPasswordRateLimit` is a separate limit. It counts only
 * right passwords, after the check.
 */
export interface PasswordRateLimits {
  readonly owner: RateLimit;
  readonly others: readonly RateLimit[];
  readonly wrong: readonly RateLimit[];
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

/**
 * Returns the limit on how often the right password of an account is used. A use is counted after the check, and its
 * count is never undone.
 */
export function rightPasswordRateLimit(id: AccountId, purpose: Purpose): RateLimit {
  return { key: rightOf(id, purpose), rules: RIGHT_PER_ACCOUNT };
}

/**
 * Returns the keys of the limits that can lock the owner out. A password reset and the operator's `unlock` reset these
 * limits.
 */
export function ownerRateLimitKeys({
  id,
  email,
}: {
  readonly id: AccountId;
  readonly email: string;
}): readonly string[] {
  return [strangersOf(email), rightOf(id, 'sign-in'), rightOf(id, 'confirmation')];
}

/**
 * Returns true if the owner's limits are used up. Returns false if only limits of the client's address are used up.
 * Also returns false while other checks are running, because their counts may soon be undone.
 */
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
