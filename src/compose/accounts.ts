// The account half of the service: from the database and the environment to everything /auth and the operator need.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../../config/env.js';
import { readCommonPasswords, readPasswordRules } from '../../config/passwords.js';
import { readPlans } from '../../config/plans.js';
import { ConfigError } from '../../config/config-error.js';
import { createAccountActors, mapNotFound, type AccountActors } from '../actors/account-actors.js';
import { createEmbeddedAccountStore } from '../adapters/embedded/accounts/account-store.js';
import { createEmbeddedAuditLog } from '../adapters/embedded/accounts/audit-log.js';
import { createEmbeddedRateLimits } from '../adapters/embedded/accounts/rate-limits.js';
import { readOrMakeSecret } from '../adapters/embedded/generated-secret.js';
import type { Database } from '../adapters/embedded/sqlite/guarded-database.js';
import { createEmbeddedPasswordResetRequests } from '../adapters/embedded/accounts/password-reset-requests.js';
import { createEmbeddedUsageHistory } from '../adapters/embedded/accounts/usage-history.js';
import { openMailer } from '../adapters/mail/mailer.js';
import { openPasswordHasher } from '../adapters/workers/password-hasher.js';
import { createAccessTokens } from '../adapters/jwt/access-tokens.js';
import { createCommonPasswords } from '../adapters/passwords/common-passwords.js';
import { createMemoryLocks } from '../adapters/embedded/locks.js';
import type { Account } from '../domain/account/account.js';
import type { RouteServices } from '../http/routes/index.js';
import { AppError } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { RateLimits } from '../ports/rate-limits.js';
import { createBackgroundTasks } from '../services/background-tasks.js';
import { createCredentials } from '../services/accounts/credentials.js';
import { createMailOutbox, type MailOutbox } from '../services/mail/outbox.js';
import { createEmailLinks } from '../services/accounts/email-links.js';
import { createMailWriter } from '../services/mail/templates.js';
import { createNewPassword } from '../services/accounts/new-password.js';
import { createOperator, type Operator } from '../services/accounts/operator.js';
import { createAccountData } from '../services/accounts/account-data.js';
import { createPasswordVerification } from '../services/accounts/password-verification.js';
import { createPasswordResets, type PasswordResets } from '../services/accounts/password-resets.js';
import { createRegistration } from '../services/accounts/registration.js';
import { createSessions } from '../services/accounts/sessions.js';
import { createSignIn } from '../services/accounts/sign-in.js';

const CLOSE_LIMIT_MS = 2000;

/** What this half needs of the environment. */
export type AccountEnv = Pick<
  Env,
  'DATA_DIR' | 'JWT_SECRET' | 'PUBLIC_URL' | 'SMTP_URL' | 'MAIL_FROM' | 'REGISTRATION' | 'UV_THREADPOOL_SIZE'
>;

export type AccountServices = Pick<
  RouteServices,
  'registration' | 'signIn' | 'sessions' | 'credentials' | 'links' | 'own' | 'minPasswordCharacters'
>;

export interface AccountParts extends AccountServices {
  readonly accounts: AccountStore;
  readonly actors: AccountActors;
  readonly audit: AuditLog;
  readonly rateLimits: RateLimits;
  readonly outbox: MailOutbox;
  readonly resets: PasswordResets;
  readonly operator: Operator;
  /** The first makes mailed links, all are accepted. */
  readonly linkSecrets: readonly [string, ...string[]];
  /** Resolves when nothing is under way in the background, nor deferred. */
  settle(): Promise<void>;
  /** Settles, but waits for no mail server that does not answer. */
  close(): Promise<void>;
}

interface Options {
  readonly env: AccountEnv;
  readonly db: Database;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
  /** Told of every hashing process that ended by itself or was given up. */
  readonly onHashLoss?: (reason: string) => void;
  /** Where it is not the process that changes accounts which sends their mails, the service's job does. */
  readonly mails?: 'at once' | 'by the job';
}

export function composeAccounts({ env, db, now, onError, onHashLoss, mails = 'at once' }: Options): AccountParts {
  const secrets = signingSecrets(env);
  const linkSecrets = derived(secrets, 'mailed links');
  const deviceSecrets = derived(secrets, 'device cookies');
  const origin = new URL(env.PUBLIC_URL).origin;
  const rules = readPasswordRules();
  const background = createBackgroundTasks((error) => onError(error, 'something in the background failed'));

  const accounts = createEmbeddedAccountStore(db);
  const audit = createEmbeddedAuditLog(db);
  const usage = createEmbeddedUsageHistory(db);
  const rateLimits = createEmbeddedRateLimits(db, now);
  const hasher = openPasswordHasher({
    ...rules.argon2id,
    poolThreads: env.UV_THREADPOOL_SIZE,
    ...(onHashLoss && { onLoss: onHashLoss }),
  });
  const { minCharacters } = rules;
  const passwords = createNewPassword({
    hasher,
    commonPasswords: createCommonPasswords({ minCharacters, listed: readCommonPasswords() }),
    minCharacters,
  });
  const onChange = (account: Account): void => {
    if (mails === 'at once') outbox.notice(account);
  };
  const actors = createAccountActors({
    accounts,
    locks: createMemoryLocks({ now: () => performance.now() }),
    now,
    onChange,
  });
  const mailer = openMailer({
    smtpUrl: env.SMTP_URL,
    from: env.MAIL_FROM || `Blazon <no-reply@${new URL(origin).hostname}>`,
    dataDir: env.DATA_DIR,
  });
  const outbox = createMailOutbox({
    accounts,
    actors,
    mailer,
    background,
    now,
    write: createMailWriter({ origin, linkSecret: linkSecrets[0], now }),
    onFailure: (error) => onError(error, 'a mail could not be sent; trying again later'),
  });
  const sessions = createSessions({
    accounts,
    actors: mapNotFound(() => new AppError('invalid_token'), actors),
    background,
    deviceSecrets,
    now,
    tokens: createAccessTokens({ secrets, issuer: origin, now }),
  });
  const check = createPasswordVerification({ rateLimits, hasher, actors, audit, background, now, deviceSecrets });

  const resets = createPasswordResets({
    requests: createEmbeddedPasswordResetRequests(db, now),
    accounts,
    actors,
    background,
    now,
  });

  return {
    accounts,
    actors,
    audit,
    rateLimits,
    outbox,
    resets,
    operator: createOperator({
      accounts,
      actors,
      audit,
      usage,
      plans: readPlans(),
      rateLimits,
      passwords,
      origin,
      linkSecret: linkSecrets[0],
      now,
    }),
    linkSecrets,
    sessions,
    registration: createRegistration({
      accounts,
      passwords,
      rateLimits,
      sessions,
      onChange,
      now,
      registration: env.REGISTRATION,
    }),
    signIn: createSignIn({
      accounts,
      actors: mapNotFound(() => new AppError('invalid_credentials'), actors),
      check,
      hasher,
      passwords,
      sessions,
    }),
    credentials: createCredentials({
      accounts,
      actors: mapNotFound(() => new AppError('invalid_token'), actors),
      check,
      passwords,
      sessions,
    }),
    minPasswordCharacters: rules.minCharacters,
    links: createEmailLinks({ accounts, actors, rateLimits, passwords, sessions, resets, linkSecrets, now }),
    own: createAccountData({ audit, usage, sessions, now }),
    settle: () => background.settle(),
    async close() {
      // Mails that are still under way are kept, and sent after the next start.
      await Promise.race([background.settle(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      mailer.close();
      hasher.close();
    },
  };
}

function signingSecrets({ JWT_SECRET, DATA_DIR }: AccountEnv): [string, ...string[]] {
  const [first, ...rest] = JWT_SECRET;
  if (first !== undefined) return [first, ...rest];
  try {
    return [readOrMakeSecret(DATA_DIR)];
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: the secret in it cannot be used (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/** One secret for each purpose, so that what is made for one never passes for another. */
function derived([first, ...rest]: readonly [string, ...string[]], purpose: string): [string, ...string[]] {
  const derive = (secret: string): string =>
    createHmac('sha256', secret).update(`blazon ${purpose}`).digest('base64url');
  return [derive(first), ...rest.map(derive)];
}
