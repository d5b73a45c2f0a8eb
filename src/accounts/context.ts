// Context that the services of accounts share; each names the parts that it needs.
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
  /** PUBLIC_URL without a slash at its end: the base of links. */
  readonly origin: string;
  /** The first signs mailed links, all are accepted. */
  readonly linkSecrets: readonly [string, ...string[]];
  /** The first signs device cookies, all are accepted. */
  readonly deviceSecrets: readonly [string, ...string[]];
  /** ms since the epoch */
  readonly now: () => number;
  /** Called for what failed after a change was made, and in the background. */
  readonly onError: ReportError;
}
