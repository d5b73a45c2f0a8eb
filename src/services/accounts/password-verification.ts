// Is this the account's password? The only place that asks: every question costs the rateLimit before it costs a hash.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AccountActors } from '../../actors/account-actors.js';
import { emailIdentity, type PasswordRecord } from '../../domain/account/account.js';
import { noteThrottled } from '../../domain/account/changes/status.js';
import { auditEvents } from '../../domain/account/audit-event.js';
import { deviceOf } from '../../domain/account/trusted-device.js';
import { canonicalPassword } from '../../domain/account/password-policy.js';
import { MINUTE_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { AuditLog } from '../../ports/audit-log.js';
import type { RateLimits } from '../../ports/rate-limits.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { BackgroundTasks } from '../background-tasks.js';
import type { Client } from './client-info.js';
import { createRateLimitReservations } from './rate-limit-reservations.js';
import {
  isAboutOwner,
  passwordRateLimits,
  rateLimitedError,
  rightPasswordRateLimit,
  throttledError,
  type PasswordRateLimits,
  type Purpose,
} from './password-rate-limits.js';

/** For checks of the same owner to end. */
const MAX_WAITING = 64;
/** How long this process remembers that it has told of a flood; the account itself knows longer. */
const TOLD_MS = 10 * MINUTE_MS;
const TOLD_MAX = 10_000;

/**
 * A wrong password is answered up to so much later. Looking an account up differs by hundredths of a ms from finding
 * none, and the rateLimits leave too few tries to see that through this.
 */
const MAX_JITTER_MS = 10;

interface Ports {
  readonly rateLimits: RateLimits;
  readonly hasher: PasswordHasher;
  readonly actors: AccountActors;
  readonly audit: AuditLog;
  readonly background: BackgroundTasks;
  readonly now: () => number;
  /** That sign device cookies. */
  readonly deviceSecrets: readonly string[];
}

export interface PasswordClaim {
  /** As typed. */
  readonly email: string;
  /** Undefined when nobody has this e-mail address: the answer takes as long and is the same. */
  readonly account: PasswordRecord | undefined;
  readonly password: string;
  readonly purpose: Purpose;
  readonly client: Client;
}

export interface PasswordVerification {
  /**
   * The account, whose password this is. Throws AppError: `login_throttled`, `invalid_credentials`, `rate_limited` (a
   * right one, too often), `busy`.
   */
  verify(question: PasswordClaim): Promise<PasswordRecord>;
}

export function createPasswordVerification({
  rateLimits,
  hasher,
  actors,
  audit,
  background,
  now,
  deviceSecrets,
}: Ports): PasswordVerification {
  const told = new LRUCache<string, true>({ max: TOLD_MAX, ttl: TOLD_MS });
  const held = createRateLimitReservations(rateLimits, MAX_WAITING);

  function budgetsOf({ email, account, client }: PasswordClaim): PasswordRateLimits {
    const holder = { identity: emailIdentity(email), account, at: new Date(now()) };
    const device = client.deviceToken === undefined ? undefined : deviceOf(client.deviceToken, holder, deviceSecrets);
    return passwordRateLimits({ email, account, device, client });
  }

  /**
   * Deferred, for nobody's account too: neither the answer nor what comes behind it is slower for one that there is.
   */
  function noticeThrottled(account: PasswordRecord | undefined, { client, email }: PasswordClaim): void {
    const key = account?.id ?? emailIdentity(email);
    if (told.has(key)) return;
    const isDeferred = background.defer(async () => {
      if (account) await actors.run(account.id, client.actor, noteThrottled);
    });
    // Else the next one that is refused tells.
    if (isDeferred) told.set(key, true);
  }

  /** Begins a piece of work for nobody's account too, so that the answer takes as long. */
  function recordFailure(account: PasswordRecord | undefined, client: Client): void {
    const at = new Date(now());
    background.start(async () => {
      if (account) await audit.append(auditEvents([{ type: 'authn_login_fail' }], { account, by: client.actor, at }));
    });
  }

  return {
    async verify(question) {
      const { account, password, purpose, client } = question;
      // Counting costs writes, of which a flood must not make more than of hashes.
      if (hasher.isFull(client.fairnessKey)) throw new AppError('busy');
      const asked = budgetsOf(question);
      const spent = await held.reserve(asked);
      if (!spent.ok) {
        if (isAboutOwner(spent, client)) noticeThrottled(account, question);
        throw throttledError(spent, client);
      }
      const right = await hasher
        .verify(account?.password.hash, canonicalPassword(password), client.fairnessKey)
        .catch(async (error: unknown) => {
          await spent.release([...asked.wrong, ...asked.right]);
          throw error;
        });
      if (!account || !right) {
        await spent.release(asked.right);
        recordFailure(account, client);
        await sleep(randomInt(MAX_JITTER_MS));
        throw new AppError('invalid_credentials');
      }
      await spent.release(asked.wrong);
      // Only now: who does not know the password must not learn from this limit how often others sign in.
      const allowed = await rateLimits.consume([rightPasswordRateLimit(account.id, purpose)]);
      if (!allowed.ok) throw rateLimitedError(allowed, purpose);
      return account;
    },
  };
}
