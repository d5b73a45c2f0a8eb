// Is this the account's password? The only place that asks: every question costs the budget before it costs a hash.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AccountActors } from '../../actors/account-actors.js';
import { emailIdentity, type PasswordHolder } from '../../domain/account/account.js';
import { noteThrottled } from '../../domain/account/changes/status.js';
import { auditEvents } from '../../domain/account/audit-event.js';
import { deviceOf } from '../../domain/account/trusted-device.js';
import { canonicalPassword } from '../../domain/account/password-policy.js';
import { MINUTE_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { AuditLog } from '../../ports/audit-log.js';
import type { Budgets } from '../../ports/rate-limits.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import type { Background } from '../background-tasks.js';
import type { Client } from './client-info.js';
import { heldBudgets } from './rate-limit-reservations.js';
import {
  isAboutOwner,
  passwordBudgets,
  rateLimitedError,
  rightPasswordBudget,
  throttledError,
  type PasswordBudgets,
  type Purpose,
} from './password-rate-limits.js';

/** For checks of the same owner to end. */
const MAX_WAITING = 64;
/** How long this process remembers that it has told of a flood; the account itself knows longer. */
const TOLD_MS = 10 * MINUTE_MS;
const TOLD_MAX = 10_000;

/**
 * A wrong password is answered up to so much later. Looking an account up differs by hundredths of a ms from finding
 * none, and the budgets leave too few tries to see that through this.
 */
const BLUR_MS = 10;

interface Ports {
  readonly budgets: Budgets;
  readonly hasher: PasswordHasher;
  readonly actors: AccountActors;
  readonly audit: AuditLog;
  readonly background: Background;
  readonly now: () => number;
  /** That sign device cookies. */
  readonly deviceSecrets: readonly string[];
}

export interface Question {
  /** As typed. */
  readonly email: string;
  /** Undefined when nobody has this e-mail address: the answer takes as long and is the same. */
  readonly account: PasswordHolder | undefined;
  readonly password: string;
  readonly purpose: Purpose;
  readonly client: Client;
}

export interface PasswordCheck {
  /**
   * The account, whose password this is. Throws AppError: `login_throttled`, `invalid_credentials`, `rate_limited` (a
   * right one, too often), `busy`.
   */
  check(question: Question): Promise<PasswordHolder>;
}

export function passwordCheck({
  budgets,
  hasher,
  actors,
  audit,
  background,
  now,
  deviceSecrets,
}: Ports): PasswordCheck {
  const told = new LRUCache<string, true>({ max: TOLD_MAX, ttl: TOLD_MS });
  const held = heldBudgets(budgets, MAX_WAITING);

  function budgetsOf({ email, account, client }: Question): PasswordBudgets {
    const holder = { identity: emailIdentity(email), account, at: new Date(now()) };
    const device = client.deviceToken === undefined ? undefined : deviceOf(client.deviceToken, holder, deviceSecrets);
    return passwordBudgets({ email, account, device, client });
  }

  /**
   * Deferred, for nobody's account too: neither the answer nor what comes behind it is slower for one that there is.
   */
  function tellThrottled(account: PasswordHolder | undefined, { client, email }: Question): void {
    const key = account?.id ?? emailIdentity(email);
    if (told.has(key)) return;
    const isDeferred = background.defer(async () => {
      if (account) await actors.run(account.id, client.actor, noteThrottled);
    });
    // Else the next one that is refused tells.
    if (isDeferred) told.set(key, true);
  }

  /** Begins a piece of work for nobody's account too, so that the answer takes as long. */
  function recordFailure(account: PasswordHolder | undefined, client: Client): void {
    const at = new Date(now());
    background.start(async () => {
      if (account) await audit.append(auditEvents([{ type: 'authn_login_fail' }], { account, by: client.actor, at }));
    });
  }

  return {
    async check(question) {
      const { account, password, purpose, client } = question;
      // Counting costs writes, of which a flood must not make more than of hashes.
      if (hasher.isFull(client.turnAddress)) throw new AppError('busy');
      const asked = budgetsOf(question);
      const spent = await held.spend(asked);
      if (!spent.ok) {
        if (isAboutOwner(spent, client)) tellThrottled(account, question);
        throw throttledError(spent, client);
      }
      const right = await hasher
        .verify(account?.password.hash, canonicalPassword(password), client.turnAddress)
        .catch(async (error: unknown) => {
          await spent.end([...asked.wrong, ...asked.right]);
          throw error;
        });
      if (!account || !right) {
        await spent.end(asked.right);
        recordFailure(account, client);
        await sleep(randomInt(BLUR_MS));
        throw new AppError('invalid_credentials');
      }
      await spent.end(asked.wrong);
      // Only now: who does not know the password must not learn from this limit how often others sign in.
      const allowed = await budgets.spend([rightPasswordBudget(account.id, purpose)]);
      if (!allowed.ok) throw rateLimitedError(allowed, purpose);
      return account;
    },
  };
}
