// Services of the handlers: each takes what it needs, as its second argument.
import type { Plans } from '../accounts/plan.js';
import type { AccountData } from '../accounts/account-data.js';
import type { Credentials } from '../accounts/credentials.js';
import type { EmailChange } from '../accounts/email-change.js';
import type { EmailLinks } from '../accounts/email-links.js';
import type { PreviewLimits } from '../accounts/preview-limits.js';
import type { PublishableKeys } from '../accounts/publishable-keys.js';
import type { Registration } from '../accounts/registration.js';
import type { Sessions } from '../accounts/sessions.js';
import type { SignInService } from '../accounts/sign-in.js';
import type { Analytics } from '../metering/analytics.js';
import type { PaymentEventProcessing } from '../billing/payment-events.js';
import type { PriceList } from '../billing/price-list.js';
import type { Purchases } from '../billing/purchases.js';
import type { Subscriptions } from '../billing/subscriptions.js';
import type { Brands } from '../brands/brands.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Codings } from '../platform/http/response/compression.js';
import type { Health } from '../platform/http/health.js';
import type { Iconify } from '../iconify/iconify.js';
import type { MissingCounts } from '../missing-names/missing-counts.js';
import type { Favicons } from '../pictures/favicons.js';
import type { Pictures } from '../pictures/pictures.js';
import type { Strips } from '../pictures/strips.js';
import type { Metering } from '../metering/metering.js';
import type { OwnBrands } from '../own-brands/own-brands.js';
import type { AccountCatalogs } from '../catalog/account-catalogs.js';
import type { Search } from '../search/search.js';
import type { Turns } from '../platform/concurrency/turns.js';
import type { VisitorCounting } from '../visitor-counters/visitor-counting.js';
import type { BrowserCookies } from '../accounts/authentication/cookies.js';

/** Settings of the operator that answers show. */
export interface Deployment {
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly version: string;
  readonly plans: Plans;
  /** Minimum length of a new password. */
  readonly minPasswordCharacters: number;
  readonly registration: 'open' | 'verified' | 'closed';
  /** `on`: visitors may browse the catalog. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  /** URI by which people reach the operator. */
  readonly operatorContact: string | null;
  /** URIs by which weaknesses are reported, the preferred one first. */
  readonly securityContacts: readonly string[];
}

export interface RouteServices {
  readonly deployment: Deployment;
  /** Authors and licenses of the catalog's drawings, as text. */
  readonly notice: () => Promise<string>;
  /** ms since the epoch */
  readonly now: () => number;
  readonly cookies: BrowserCookies;
  readonly registration: Registration;
  readonly signIn: SignInService;
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly publishableKeys: PublishableKeys;
  readonly links: EmailLinks;
  readonly emailChange: EmailChange;
  readonly own: AccountData;
  readonly purchases: Purchases;
  readonly subscriptions: Subscriptions;
  readonly prices: PriceList;
  readonly paymentEventProcessing: Pick<PaymentEventProcessing, 'receive'>;
  readonly metering: Metering;
  readonly analytics: Analytics;
  readonly previewLimits: PreviewLimits;
  readonly catalog: Catalog;
  readonly accountCatalogs: AccountCatalogs;
  readonly ownBrands: OwnBrands;
  /** Changes whenever a response of search or brand lookup may change; part of their entity tags. */
  readonly catalogVersion: () => string;
  readonly pictures: Pictures;
  readonly missing: Pick<MissingCounts, 'count'>;
  readonly strips: Strips;
  readonly favicons: Favicons;
  readonly search: Search;
  readonly brands: Brands;
  readonly iconify: Iconify;
  readonly counting: VisitorCounting;
  readonly health: Health;
  /** For what differs from answer to answer. */
  readonly answerCodings: Codings;
  /** For what has a strong tag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** For long work on the event loop. */
  readonly turns: Turns;
}
