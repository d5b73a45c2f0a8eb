// Password verification. Every check is counted against rate limits before a hash is computed.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { emailIdentity, type PasswordRecord } from './account.js';
import { noteThrottled } from './changes/status.js';
import { auditEvents } from './audit-event.js';
import { deviceOf } from './trusted-device.js';
import { canonicalPassword } from './password-policy.js';
import { MINUTE_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import { ownersTurn, strangersTurn, type Client } from './client-info.js';
import { createRateLimitReservations } from './rate-limit-reservations.js';
import {
  isAboutOwner,
  passwordRateLimits,
  rightPasswordError,
  rightPasswordRateLimit,
  throttledError,
  type Purpose,
} from './password-rate-limits.js';
import type { AccountContext } from './context.js';

/**
 * Maximum number of waiting checks per owner. A check waits if the checks that are running have used up the owner's
 * limit.
 */
const MAX_WAITING = 64;
/**
 * Minimum time in ms between two attempts of this process to notify an owner that sign-ins are throttled. In addition,
 * `noteThrottled` limits these notices to one an hour.
 */
const NOTED_MS = 10 * MINUTE_MS;
const MAX_NOTED = 10_000;

/**
 * Maximum random delay in ms of the response to a wrong password. Reading an account takes some hundredths of a ms,
 * which could reveal that the account exists. With the delay, an attacker needs more attempts to find this out than the
 * rate limits allow.
 */
const MAX_JITTER_MS = 10;

export interface PasswordClaim {
  /** E-mail address as typed. */
  readonly email: string;
  /**
   * Account with this e-mail address; undefined if there is none. Neither the response nor its time reveals whether the
   * account exists.
   */
  readonly account: PasswordRecord | undefined;
  readonly password: string;
  readonly purpose: Purpose;
  readonly client: Client;
}

export type PasswordVerification = ReturnType<typeof createPasswordVerification>;

export function createPasswordVerification({
  rateLimits,
  hasher,
  actors,
  audit,
  background,
  now,
  deviceSecrets,
}: Pick<AccountContext, 'rateLimits' | 'hasher' | 'actors' | 'audit' | 'background' | 'now' | 'deviceSecrets'>) {
  const noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_MS });
  const reservations = createRateLimitReservations(rateLimits, MAX_WAITING);

  /**
   * Queues a background task that adds the notice about throttled sign-ins. The task is queued even if there is no
   * account. Otherwise response times would reveal whether the account exists.
   */
  function deferThrottleNotice(account: PasswordRecord | undefined, { client, email }: PasswordClaim): void {
    const key = account?.id ?? emailIdentity(email);
    if (noted.has(key)) return;
    const isDeferred = background.defer(async () => {
      if (account) await actors.run(account.id, client.actor, noteThrottled);
    });
    // Notes the key only if the task was queued. If the background queue was full, the next rejected password check
    // tries to queue the task again.
    if (isDeferred) noted.set(key, true);
  }

  /**
   * Adds an audit event about a wrong password in the background. The task is started even if there is no account, so
   * that response times do not reveal whether the account exists.
   */
  function recordFailure(account: PasswordRecord | undefined, client: Client): void {
    const at = new Date(now());
    background.start(async () => {
      if (account) await audit.append(auditEvents([{ type: 'authn_login_fail' }], { account, by: client.actor, at }));
    });
  }

  return {
    /**
     * Returns the account if the password is correct. Throws AppError: `login_throttled`, `invalid_credentials`,
     * `rate_limited` (too many right passwords), `busy`.
     */
    async verify(claim: PasswordClaim): Promise<PasswordRecord> {
      const { account, password, purpose, client } = claim;
      const device = deviceIn(claim, new Date(now()), deviceSecrets);
      // A signed-in client uses the hash queue of known clients. Without a valid device cookie, it has the rate limits
      // of unknown clients.
      const isKnown = purpose === 'confirmation' || device !== undefined;
      const turn = account && isKnown ? ownersTurn(account) : strangersTurn(client);
      // If the queue is full, rejects before the rate limits are written. Otherwise a flood would cause more writes
      // than hashes.
      if (hasher.isFull(turn)) throw new AppError('busy');
      const limits = passwordRateLimits({ email: claim.email, account, device, client });
      const reservation = await reservations.reserve(limits);
      if (!reservation.ok) {
        if (isAboutOwner(reservation, client)) deferThrottleNotice(account, claim);
        throw throttledError(reservation, client);
      }
      const right = await hasher
        .verify(account?.password.hash, canonicalPassword(password), turn)
        .catch(async (error: unknown) => {
          await reservation.release([...limits.wrong, ...limits.right]);
          throw error;
        });
      if (!account || !right) {
        await reservation.release(limits.right);
        recordFailure(account, client);
        await sleep(randomInt(MAX_JITTER_MS));
        throw new AppError('invalid_credentials');
      }
      await reservation.release(limits.wrong);
      // The limit of right passwords is checked only after the password. Otherwise a client without the password could
      // learn how often the owner signs in.
      const allowed = await rateLimits.consume([rightPasswordRateLimit(account.id, purpose)]);
      if (!allowed.ok) throw rightPasswordError(allowed, purpose);
      return account;
    },
  };
}

/** Returns the id of the trusted device, if the request has a valid device cookie. */
function deviceIn(
  { account, client: { deviceToken } }: PasswordClaim,
  at: Date,
  secrets: readonly string[],
): string | undefined {
  return deviceToken === undefined ? undefined : deviceOf(deviceToken, { account, at }, secrets);
}
