// The account half of the service: from the stores and the environment to everything /auth and the operator need.
import { createHmac } from 'node:crypto';
import type { Env } from '../../config/env.js';
import { readCommonPasswords, readPasswordRules } from '../../config/passwords.js';
import { readPlans } from '../../config/plans.js';
import { createAccountActors, mapNotFound } from '../accounts/account-actors.js';
import { createNoPayments } from '../billing/no-payments.js';
import { openMailer } from '../platform/mail/mailers.js';
import { openPasswordHasher } from '../accounts/password-hasher.worker.js';
import type { Account } from '../accounts/account.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import { AppError } from '../platform/errors.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Mailer } from '../platform/mail/mailer.js';
import type { Payments } from '../billing/payments.js';
import type { AccountContext } from '../accounts/context.js';
import { createAccessTokens } from '../accounts/access-tokens.js';
import { createBackgroundTasks } from '../platform/jobs/background-tasks.js';
import { createCredentials } from '../accounts/credentials.js';
import { createPublishableKeys } from '../accounts/publishable-keys.js';
import { createMetering } from '../metering/metering.js';
import { createMailOutbox } from '../accounts/outbox.mail.js';
import { createEmailChange } from '../accounts/email-change.js';
import { createEmailLinks } from '../accounts/email-links.js';
import { createMailWriter } from '../accounts/templates.mail.js';
import { createUnstoredMails } from '../accounts/unstored-mails.mail.js';
import { createNewPassword } from '../accounts/new-password.js';
import { createOperator } from '../accounts/operator.js';
import { createAccountData } from '../accounts/account-data.js';
import { createPasswordVerification } from '../accounts/password-verification.js';
import { createPasswordResets } from '../accounts/password-resets.js';
import { createRegistration } from '../accounts/registration.js';
import { createVerifiedRegistration } from '../accounts/verified-registration.js';
import { createSessions } from '../accounts/sessions.js';
import { createSignIn } from '../accounts/sign-in.js';
import type { ReportError } from '../platform/report-error.js';
import { composeBilling } from './billing.js';
import { mailServerOf } from './mail-server.js';
import type { Stores } from './stores.js';

const CLOSE_LIMIT_MS = 2000;

export type AccountEnv = Pick<
  Env,
  | 'DATA_DIR'
  | 'JWT_SECRET'
  | 'PUBLIC_URL'
  | 'SMTP_URL'
  | 'SMTP_NAME'
  | 'MAIL_FROM'
  | 'REGISTRATION'
  | 'UV_THREADPOOL_SIZE'
>;

export type AccountParts = ReturnType<typeof composeAccounts>;

interface Options {
  readonly env: AccountEnv;
  readonly stores: Stores;
  /** Without: billing is off. */
  readonly payments?: Payments;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onError: ReportError;
  /** Called for every hashing process that ended by itself or was given up. */
  readonly onHashLoss?: (reason: string) => void;
  /** `by the job`: a process that only changes accounts leaves their mails to the service. */
  readonly mails?: 'at once' | 'by the job';
}

/** Throws ConfigError when there is no secret to sign with. */
export function composeAccounts(options: Options) {
  const { env, payments = createNoPayments(), now, onError, mails = 'at once' } = options;
  const { origin } = new URL(env.PUBLIC_URL);
  const secrets = deriveSecrets(env, options.stores);
  const { hasher, passwords, minCharacters: minPasswordCharacters } = openPasswords(options);
  const mailer = openMailerOf(env);
  const stores = { ...options.stores, accounts: withoutMails(options.stores.accounts, mailer) };
  const onChange = (account: Account): void => {
    if (mails === 'at once') outbox.notice(account);
  };
  const actors = createAccountActors({ ...stores, now, onChange });
  const background = createBackgroundTasks((error) => onError(error, 'something in the background failed'));
  const context: AccountContext = {
    ...{ ...stores, actors, background, hasher, mailer, passwords, payments, origin, now, onError },
    unstoredMails: createUnstoredMails({ mailer, background, onError }),
    plans: readPlans(),
    tokens: createAccessTokens({ secrets: secrets.tokens, issuer: origin, now }),
    linkSecrets: secrets.links,
    deviceSecrets: secrets.devices,
  };
  const own = { ...context, actors: mapNotFound(() => new AppError('invalid_token'), actors) };
  const outbox = createMailOutbox({
    ...context,
    write: createMailWriter({ origin, linkSecret: secrets.links[0], now }),
    onError,
  });
  const sessions = createSessions(own);
  const check = createPasswordVerification(context);
  const resets = createPasswordResets(context);
  const verified = createVerifiedRegistration({ ...context, secrets: secrets.registrations });
  const credentials = createCredentials({ ...own, check, sessions });
  const metering = createMetering(context);
  const billing = composeBilling(context);
  const signInActors = mapNotFound(() => new AppError('invalid_credentials'), actors);

  return {
    ...context,
    ...billing,
    ...{ actors, outbox, resets, sessions, credentials, metering, minPasswordCharacters },
    registration: createRegistration({ ...context, sessions, onChange, registration: env.REGISTRATION, verified }),
    signIn: createSignIn({ ...context, actors: signInActors, check, sessions }),
    emailChange: createEmailChange({ ...context, credentials }),
    links: createEmailLinks({ ...context, sessions, resets }),
    publishableKeys: createPublishableKeys({ ...own, metering }),
    own: createAccountData({ ...context, sessions }),
    operator: createOperator(context),
    /** Resolves when nothing is under way in the background, nor deferred. */
    settle: () => context.background.settle(),
    /** Settles, but waits for no mail server that does not answer. */
    async close(): Promise<void> {
      await waitAtMost(CLOSE_LIMIT_MS, billing.paymentEventProcessing.close());
      // Mails that are still being sent are kept, and sent after the next start.
      await waitAtMost(CLOSE_LIMIT_MS, context.background.settle());
      mailer.close();
      hasher.close();
    },
  };
}

function openPasswords({ env, onHashLoss }: Options) {
  const { argon2id, minCharacters } = readPasswordRules();
  const hasher = openPasswordHasher({
    ...argon2id,
    poolThreads: env.UV_THREADPOOL_SIZE,
    ...(onHashLoss && { onLoss: onHashLoss }),
  });
  const commonPasswords = readCommonPasswords();
  return { hasher, minCharacters, passwords: createNewPassword({ hasher, commonPasswords, minCharacters }) };
}

function openMailerOf(env: AccountEnv) {
  const from = env.MAIL_FROM || `Blazon <no-reply@${new URL(env.PUBLIC_URL).hostname}>`;
  return openMailer({ smtp: mailServerOf(env), from, dataDir: env.DATA_DIR });
}

/** With an account its mails are removed that are kept as files. The account last: an interrupted removal stays due. */
function withoutMails(accounts: AccountStore, mailer: Pick<Mailer, 'forget'>): AccountStore {
  return {
    ...accounts,
    async remove(id) {
      await mailer.forget(id);
      await accounts.remove(id);
    },
  };
}

type Secrets = readonly [string, ...string[]];

/** One secret for each purpose, so that what is made for one never passes for another. The first of each signs. */
function deriveSecrets(
  { JWT_SECRET }: AccountEnv,
  stores: Stores,
): Record<'tokens' | 'links' | 'devices' | 'registrations', Secrets> {
  const [first = stores.signingSecret(), ...rest] = JWT_SECRET;
  const derived = (purpose: string): Secrets => {
    const derive = (secret: string): string =>
      createHmac('sha256', secret).update(`blazon ${purpose}`).digest('base64url');
    return [derive(first), ...rest.map(derive)];
  };
  return {
    tokens: [first, ...rest],
    links: derived('mailed links'),
    devices: derived('device cookies'),
    registrations: derived('registrations'),
  };
}
