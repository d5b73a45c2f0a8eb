// Context shared by the services of accounts. Each service declares the parts that it needs.
import type { AccountActors } from './account-actors.js';
import type { Plans } from './plan.js';
import type { AccessTokens } from './access-tokens.js';
import type { Mailer } from '../platform/mail/mailer.js';
import type { PasswordHasher } from './password-hasher.js';
import type { Customers } from './customers.js';
import type { Stores } from '../platform/stores/stores.js';
import type { BackgroundTasks } from '../platform/jobs/background-tasks.js';
import type { UnstoredMails } from './unstored-mails.mail.js';
import type { ReportError } from '../platform/report-error.js';
import type { NewPassword } from './new-password.js';

export interface AccountContext extends Stores {
  readonly actors: AccountActors;
  readonly background: BackgroundTasks;
  readonly hasher: PasswordHasher;
  readonly mailer: Mailer;
  readonly passwords: NewPassword;
  readonly payments: Customers;
  readonly plans: Plans;
  readonly tokens: AccessTokens;
  readonly unstoredMails: UnstoredMails;
  /** PUBLIC_URL without a trailing slash. Links start with it. */
  readonly origin: string;
  /** Secrets of mailed links. The first secret signs new links. Links signed with any of the secrets are accepted. */
  readonly linkSecrets: readonly [string, ...string[]];
  /**
   * Secrets of device cookies. The first secret signs new cookies. Cookies signed with any of the secrets are accepted.
   */
  readonly deviceSecrets: readonly [string, ...string[]];
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called with errors that do not fail a request: errors in background work, and errors after a change was saved. */
  readonly onError: ReportError;
}
