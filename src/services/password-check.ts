// Is this the account's password? The only place that asks: every question costs the budget before it costs a hash.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AccountActors } from '../actors/account-actors.js';
import { emailIdentity, type PasswordHolder } from '../domain/account.js';
import { noteThrottled } from '../domain/account-standing.js';
import { auditEvents } from '../domain/audit.js';
import { deviceOf } from '../domain/device.js';
import { canonicalPassword } from '../domain/password.js';
import { DAY_MS, inWords, MINUTE_MS, SECOND_MS } from '../domain/time.js';
import { AppError } from '../errors.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { BudgetRule, Budgets } from '../ports/budgets.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import type { Background } from './background.js';
import type { Client } from './client.js';
import { heldBudgets, type Refusal, type Spending } from './held-budgets.js';

/** Per e-mail address, existing or not, or per device that signed in before. */
const PER_OWNER: readonly BudgetRule[] = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 100, windowMs: DAY_MS },
];
const PER_ADDRESS: readonly BudgetRule[] = [{ limit: 50, windowMs: 5 * MINUTE_MS }];
/** For checks of the same owner to end. */
const MAX_WAITING = 64;
/** How long this process remembers that it has told of a flood; the account itself knows longer. */
const TOLD_MS = 10 * MINUTE_MS;
const TOLD_MAX = 10_000;

/**
 * A wrong password is answered up to so much later. Looking an account up differs by hundredths of a ms from finding none,
 * and the budgets leave too few tries to see that through this.
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
  readonly client: Client;
}

export interface PasswordCheck {
  /** The account, whose password this is. Throws AppError: `login_throttled`, `invalid_credentials`, `busy`. */
  check(question: Question): Promise<PasswordHolder>;
}

/** Whose bucket sign-ins with this e-mail address come out of, from a device that nobody knows. */
export const ownerSubject = (email: string): string => `password:${emailIdentity(email)}`;

const addressSubject = ({ budgetAddress }: Client): string => `password-address:${budgetAddress}`;

function throttled({ provisional, subjects, retryAfterSeconds }: Refusal, client: Client): AppError {
  return new AppError('login_throttled', `${reason()}.`, { retryAfterSeconds });

  function reason(): string {
    const wait = `Try again in ${inWords(retryAfterSeconds * SECOND_MS)}`;
    if (subjects.includes(addressSubject(client))) return `Too many wrong passwords were given from your network address. ${wait}`;
    if (provisional) return `Many passwords of this account are being checked at this moment. ${wait}`;
    return `Too many wrong passwords. ${wait}, or set another password with a link (POST /auth/forgot-password)`;
  }
}

export function passwordCheck({ budgets, hasher, actors, audit, background, now, deviceSecrets }: Ports): PasswordCheck {
  const told = new LRUCache<string, true>({ max: TOLD_MAX, ttl: TOLD_MS });
  const held = heldBudgets(budgets, MAX_WAITING);

  function budgetsOf({ email, account, client }: Question): Spending {
    const holder = { identity: emailIdentity(email), account, at: new Date(now()) };
    const device = client.deviceToken === undefined ? undefined : deviceOf(client.deviceToken, holder, deviceSecrets);
    const subject = device === undefined ? ownerSubject(email) : `device:${device}:${account?.unlocks ?? 0}`;
    return { owner: { subject, rules: PER_OWNER }, others: [{ subject: addressSubject(client), rules: PER_ADDRESS }] };
  }

  /** Begins a piece of work for nobody's account too, so that the answer takes as long. */
  function tellThrottled(account: PasswordHolder | undefined, { client, email }: Question): void {
    const key = account?.id ?? ownerSubject(email);
    if (told.has(key)) return;
    told.set(key, true);
    background.start(async () => {
      if (account) await actors.run(account.id, client.actor, noteThrottled);
    });
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
      const { account, password, client } = question;
      // Counting costs writes, of which a flood must not make more than of hashes.
      if (hasher.isFull(client.turnAddress)) throw new AppError('busy');
      const spent = await held.spend(budgetsOf(question));
      if (!spent.ok) {
        // Not when it is only the asker's own address that has asked too much.
        if (!spent.provisional && spent.subjects.some((subject) => subject !== addressSubject(client))) tellThrottled(account, question);
        throw throttled(spent, client);
      }
      const right = await hasher.verify(account?.password.hash, canonicalPassword(password), client.turnAddress).catch(async (error: unknown) => {
        await spent.end('given back');
        throw error;
      });
      if (!account || !right) {
        await spent.end('spent');
        recordFailure(account, client);
        await sleep(randomInt(BLUR_MS));
        throw new AppError('invalid_credentials');
      }
      await spent.end('given back');
      return account;
    },
  };
}
