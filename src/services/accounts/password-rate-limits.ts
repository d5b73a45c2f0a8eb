// Rate limits of password checks: wrong ones per e-mail address, device and client address, right ones per account and
// client address.
import { emailIdentity, type AccountId, type PasswordRecord } from '../../domain/account/account.js';
import { DAY_MS, inWords, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { RateLimit, RateLimitOutcome, RateLimitRule } from '../../ports/rate-limits.js';
import type { Client } from './client-info.js';
import type { Denial } from './rate-limit-reservations.js';

/**
 * What a password is given for. Each has limits of its own, so that a script that signs in too often keeps nobody from
 * changing the password.
 */
export type Purpose = 'sign-in' | 'confirmation';

/** Wrong ones per e-mail address, existing or not, or per device that signed in before. */
const WRONG_PER_OWNER: readonly RateLimitRule[] = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 100, windowMs: DAY_MS },
];
/** Wrong ones from all known devices of an account together: each sign-in may make another device. */
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
  { limit: 100, windowMs: 15 * MINUTE_MS },
  { limit: 2000, windowMs: DAY_MS },
];
/** Right ones from one client address, of all accounts: an office, or a fleet of build machines, behind one. */
const RIGHT_PER_ADDRESS: readonly RateLimitRule[] = [{ limit: 300, windowMs: 15 * MINUTE_MS }];

/** Whose bucket wrong passwords for this e-mail address come out of, from a device that nobody knows. */
const strangersOf = (email: string): string => `password:${emailIdentity(email)}`;
const wrongFrom = ({ rateLimitKey }: Client): string => `password-address:${rateLimitKey}`;
const rightFrom = ({ rateLimitKey }: Client): string => `right-password-address:${rateLimitKey}`;
const rightOf = (id: AccountId, purpose: Purpose): string => `${purpose}:${id}`;

export interface CheckedPassword {
  /** As typed. */
  readonly email: string;
  readonly account: PasswordRecord | undefined;
  /** The known device that the client proved to be. */
  readonly device: string | undefined;
  readonly client: Client;
}

/** All is spent before the check; afterwards what the outcome did not use is given back. */
export interface PasswordRateLimits {
  readonly owner: RateLimit;
  readonly others: readonly RateLimit[];
  /** Given back when the password was right. */
  readonly wrong: readonly RateLimit[];
  /** Given back when it was wrong. */
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

/** Spent when the password was right, and kept. */
export function rightPasswordRateLimit(id: AccountId, purpose: Purpose): RateLimit {
  return { key: rightOf(id, purpose), rules: RIGHT_PER_ACCOUNT };
}

/** What keeps the owner out of an account; refilled when a mailed link or the operator lets the owner in. */
export function ownerRateLimitKeys({
  id,
  email,
}: {
  readonly id: AccountId;
  readonly email: string;
}): readonly string[] {
  return [strangersOf(email), rightOf(id, 'sign-in'), rightOf(id, 'confirmation')];
}

/** Not when it is only the client's own address that is over its limits. */
export function isAboutOwner({ keys, pending }: Denial, client: Client): boolean {
  return !pending && keys.some((key) => key !== wrongFrom(client) && key !== rightFrom(client));
}

export function throttledError({ pending, keys, retryAfterSeconds }: Denial, client: Client): AppError {
  const wait = `Try again in ${inWords(retryAfterSeconds * SECOND_MS)}`;
  if (keys.includes(wrongFrom(client)))
    return throttled(`Too many wrong passwords were given from your network address. ${wait}.`);
  if (keys.includes(rightFrom(client)))
    return new AppError('rate_limited', `Too many sign-ins from your network address. ${wait}.`, { retryAfterSeconds });
  if (pending) return throttled(`Many passwords of this account are being checked at this moment. ${wait}.`);
  return throttled(
    `Too many wrong passwords. ${wait}, or set another password with a link (POST /auth/forgot-password).`,
  );

  function throttled(message: string): AppError {
    return new AppError('login_throttled', message, { retryAfterSeconds });
  }
}

const RATE_LIMITED: Readonly<Record<Purpose, (wait: string) => string>> = {
  'sign-in': (wait) =>
    `Too many sign-ins to this account. Try again in ${wait}. A session lasts for days: POST /auth/refresh renews its access token without a sign-in.`,
  confirmation: (wait) => `Too many changes to this account that need its password. Try again in ${wait}.`,
};

export function rateLimitedError(
  { retryAfterSeconds }: Extract<RateLimitOutcome, { ok: false }>,
  purpose: Purpose,
): AppError {
  return new AppError('rate_limited', RATE_LIMITED[purpose](inWords(retryAfterSeconds * SECOND_MS)), {
    retryAfterSeconds,
  });
}
