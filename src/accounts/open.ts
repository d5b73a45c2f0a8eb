// Opens accounts: builds the services for the routes under /auth and for the operator.
import { readCommonPasswords, readPasswordRules } from '../../config/passwords.js';
import { readPlans } from '../../config/plans.js';
import type { AccountContext } from './context.js';
import { accountUsageOf } from './account-usage.js';
import { changeListenerOf, type ChangeListener } from './change-listener.js';
import { customersOf } from './customers.js';
import { deploymentSecrets, derivedSecrets } from './derived-secrets.js';
import type { Opening } from '../platform/feature.js';
import type { Services } from '../platform/services.js';
import { createAccountActors, mapNotFound } from './account-actors.js';
import { openMailer } from '../platform/mail/mailers.js';
import { openPasswordHasher } from './password-hasher.worker.js';
import type { Account } from './account.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import { AppError } from '../platform/errors.js';
import type { AccountStore } from './account-store.js';
import type { Mailer } from '../platform/mail/mailer.js';
import { createAccessTokens } from './access-tokens.js';
import { createBackgroundTasks } from '../platform/jobs/background-tasks.js';
import { createCredentials } from './credentials.js';
import { createPublishableKeys } from './publishable-keys.js';
import { createMailOutbox } from './outbox.mail.js';
import { createEmailChange } from './email-change.js';
import { createEmailLinks } from './email-links.js';
import { createMailWriter } from './templates.mail.js';
import { createUnstoredMails } from './unstored-mails.mail.js';
import { createNewPassword } from './new-password.js';
import { createOperator } from './operator.js';
import { createAccountData } from './account-data.js';
import { createPasswordVerification } from './password-verification.js';
import { createPasswordResets } from './password-resets.js';
import { createRegistration } from './registration.js';
import { createVerifiedRegistration } from './verified-registration.js';
import { createSessions } from './sessions.js';
import { createSignIn } from './sign-in.js';
import { mailServerOf } from '../platform/mail/mail-server.js';

const CLOSE_LIMIT_MS = 2000;

/** Throws ConfigError if no signing secret is set. */
export function openAccounts(opening: Opening) {
  const { hasher, passwords } = openPasswords(opening);
  const mailer = openMailerOf(opening);
  const parts = accountParts(opening, { hasher, passwords, mailer });
  const { background } = parts.accountContext;
  opening.metrics?.gauge('mailbox_waiting', parts.actors.waiting);
  return {
    services: parts,
    /**
     * Closes the feature. Waits a limited time for mails that are being sent, because a mail server may not respond.
     */
    async close(): Promise<void> {
      // After this limit, unsent mails stay stored, and the next process sends them.
      await waitAtMost(CLOSE_LIMIT_MS, background.settle());
      mailer.close();
      hasher.close();
    },
  };
}

function accountParts(
  opening: Opening,
  { hasher, passwords, mailer }: Pick<AccountContext, 'hasher' | 'passwords' | 'mailer'>,
) {
  const { env, services, now, onError, mails } = opening;
  const { origin } = new URL(env.PUBLIC_URL);
  const tokenSecrets = deploymentSecrets(env, opening.stores);
  const stores = { ...opening.stores, accounts: withoutMails(opening.stores.accounts, mailer) };
  const listener = changeListenerOf(services);
  const onChange = (account: Account): void => {
    if (mails === 'at once') outbox.notice(account);
    listener.saved(account);
  };
  const record: ChangeListener['record'] = (change) => listener.record(change);
  const actors = createAccountActors({ ...stores, now, record, onChange });
  const background = createBackgroundTasks((error) => onError(error, 'a background task failed'));
  const context: AccountContext = {
    ...{ ...stores, actors, background, hasher, mailer, passwords, origin, now, onError },
    payments: customersOf(services),
    unstoredMails: createUnstoredMails({ mailer, background, onError }),
    plans: readPlans(),
    tokens: createAccessTokens({ secrets: tokenSecrets, issuer: origin, now }),
    linkSecrets: derivedSecrets(tokenSecrets, 'mailed links'),
    deviceSecrets: derivedSecrets(tokenSecrets, 'device cookies'),
  };
  const own = { ...context, actors: mapNotFound(() => new AppError('invalid_token'), actors) };
  const outbox = createMailOutbox({
    ...context,
    write: createMailWriter({ origin, linkSecret: context.linkSecrets[0], now }),
    onError,
  });
  const usage = accountUsageOf(services);
  const sessions = createSessions(own);
  const check = createPasswordVerification(context);
  const resets = createPasswordResets(context);
  const verified = createVerifiedRegistration({ ...context, secrets: derivedSecrets(tokenSecrets, 'registrations') });
  const credentials = createCredentials({ ...own, check, sessions });
  const signInActors = mapNotFound(() => new AppError('invalid_credentials'), actors);

  return {
    accountContext: context,
    accounts: stores.accounts,
    ...{ actors, outbox, resets, sessions, credentials },
    registration: createRegistration({ ...context, sessions, onChange, registration: env.REGISTRATION, verified }),
    signIn: createSignIn({ ...context, actors: signInActors, check, sessions }),
    emailChange: createEmailChange({ ...context, credentials }),
    links: createEmailLinks({ ...context, sessions, resets }),
    publishableKeys: createPublishableKeys({ ...own, usage }),
    accountData: createAccountData({ ...context, sessions }),
    operator: createOperator({ ...context, usage }),
  } satisfies Partial<Services>;
}

function openPasswords({ env, onError }: Opening) {
  const { argon2id, minCharacters } = readPasswordRules();
  const hasher = openPasswordHasher({
    ...argon2id,
    poolThreads: env.UV_THREADPOOL_SIZE,
    onLoss: (reason) =>
      onError(undefined, 'password hashing failed; the hashing process will be restarted', { reason }),
  });
  const commonPasswords = readCommonPasswords();
  return { hasher, passwords: createNewPassword({ hasher, commonPasswords, minCharacters }) };
}

function openMailerOf({ env, onMailFile }: Opening) {
  const from = env.MAIL_FROM || `Blazon <no-reply@${new URL(env.PUBLIC_URL).hostname}>`;
  return openMailer({ smtp: mailServerOf(env), from, dataDir: env.DATA_DIR, onFile: onMailFile });
}

/**
 * Wraps the store so that `remove` first removes the account's mail files. If the call is interrupted, the account
 * still exists, and a job repeats the removal.
 */
function withoutMails(accounts: AccountStore, mailer: Pick<Mailer, 'forget'>): AccountStore {
  return {
    ...accounts,
    async remove(id) {
      await mailer.forget(id);
      await accounts.remove(id);
    },
  };
}
