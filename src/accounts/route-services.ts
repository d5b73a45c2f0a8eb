// Services that handlers get from this feature.
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

declare module '../platform/http/route-services.js' {
  interface Deployment {
    readonly plans: Plans;
    /** Minimum length of a new password. */
    readonly minPasswordCharacters: number;
    readonly registration: 'open' | 'verified' | 'closed';
  }

  interface RouteServices {
    readonly cookies: BrowserCookies;
    readonly registration: Registration;
    readonly signIn: SignInService;
    readonly sessions: Sessions;
    readonly credentials: Credentials;
    readonly publishableKeys: PublishableKeys;
    readonly links: EmailLinks;
    readonly emailChange: EmailChange;
    readonly own: AccountData;
    readonly previewLimits: PreviewLimits;
  }
}
