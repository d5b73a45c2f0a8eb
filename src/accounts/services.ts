// Stores and services of accounts.
import type { Stores } from '../platform/stores/stores.js';
import type { AccountId } from './account-id.js';
import type { ExportField } from './export-field.js';
import type { AccountActors } from './account-actors.js';
import type { AccountUsage } from './account-usage.js';
import type { AccountContext } from './context.js';
import type { ChangeListener } from './change-listener.js';
import type { Customers } from './customers.js';
import type { Operator } from './operator.js';
import type { MailOutbox } from './outbox.mail.js';
import type { PasswordResets } from './password-resets.js';
import type { AccountData } from './account-data.js';
import type { BrowserCookies } from './authentication/cookies.js';
import type { Credentials } from './credentials.js';
import type { EmailChange } from './email-change.js';
import type { EmailLinks } from './email-links.js';
import type { Plans } from './plan.js';
import type { PreviewLimits } from './preview-limits.js';
import type { PublishableKeys } from './publishable-keys.js';
import type { Registration } from './registration.js';
import type { Sessions } from './sessions.js';
import type { SignInService } from './sign-in.js';
import type { AccountStore } from './account-store.js';
import type { AuditLog } from './audit-log.js';
import type { PasswordResetRequests } from './password-reset-requests.js';
import type { RateLimits } from './rate-limits.js';

declare module '../platform/services.js' {
  interface Deployment {
    readonly plans: Plans;
    /** Minimum length of a new password, in characters. */
    readonly minPasswordCharacters: number;
    readonly registration: 'open' | 'verified' | 'closed';
  }

  interface Services {
    /**
     * Account store. `remove` deletes the account's mail files as well. `Stores.accounts` does not delete them, so jobs
     * must not use that store.
     */
    readonly accounts: AccountStore;
    readonly accountContext: AccountContext;
    readonly accountUsage: AccountUsage;
    readonly actors: AccountActors;
    /** Present if billing is enabled. */
    readonly customers?: Customers;
    /** Present if another feature listens to changes of accounts. */
    readonly changeListener?: ChangeListener;
    readonly operator: Operator;
    readonly outbox: MailOutbox;
    readonly resets: PasswordResets;
    readonly cookies: BrowserCookies;
    readonly registration: Registration;
    readonly signIn: SignInService;
    readonly sessions: Sessions;
    readonly credentials: Credentials;
    readonly publishableKeys: PublishableKeys;
    readonly links: EmailLinks;
    readonly emailChange: EmailChange;
    readonly accountData: AccountData;
    readonly previewLimits: PreviewLimits;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly accounts: AccountStore;
    readonly audit: AuditLog;
    readonly rateLimits: RateLimits;
    readonly resetRequests: PasswordResetRequests;
  }
}

declare module '../platform/feature.js' {
  interface Feature {
    /** Removes the data that the feature stores about an account. */
    readonly removeAccount?: (stores: Stores, id: AccountId) => Promise<void>;
    /** Returns the fields that the feature adds to an account's data export. */
    readonly exportFields?: () => Promise<readonly ExportField[]>;
  }
}
