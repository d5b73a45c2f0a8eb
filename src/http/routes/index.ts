// The one list of routes. The router, the documents and the tests are derived from it.
import type { Account, AccountId } from '../../domain/account/account.js';
import { MAX_VISITOR_SIDE } from '../../domain/image/request.js';
import type { Plans } from '../../domain/metering/plan.js';
import type { Brands } from '../../services/brands.js';
import type { Catalog } from '../../services/catalog/catalog.js';
import type { Codings } from '../../services/compression.js';
import type { PaymentEventProcessing } from '../../services/billing/payment-events.js';
import type { PriceList } from '../../services/billing/price-list.js';
import type { Purchases } from '../../services/billing/purchases.js';
import type { Credentials } from '../../services/accounts/credentials.js';
import type { Iconify } from '../../services/iconify/iconify.js';
import type { Health } from '../../services/health.js';
import type { Images } from '../../services/images/images.js';
import type { EmailChange } from '../../services/accounts/email-change.js';
import type { EmailLinks } from '../../services/accounts/email-links.js';
import type { Analytics } from '../../services/analytics.js';
import type { Metering } from '../../services/metering.js';
import type { AccountData } from '../../services/accounts/account-data.js';
import type { PublishableKeys } from '../../services/accounts/publishable-keys.js';
import type { Registration } from '../../services/accounts/registration.js';
import type { PreviewLimits } from '../../services/accounts/preview-limits.js';
import type { Search } from '../../services/search.js';
import type { Turns } from '../../services/turns.js';
import type { Sessions } from '../../services/accounts/sessions.js';
import type { SignInService } from '../../services/accounts/sign-in.js';
import type { VisitorCounting } from '../../services/visitor-counting.js';
import type { BrowserCookies } from '../auth/cookies.js';
import { openApiDocument } from '../openapi/document.js';
import { withPolicy, type Route } from '../route.js';
import { billingRoutes } from './billing/purchases.js';
import { subscriptionRoutes } from './billing/subscription.js';
import { webhookRoutes } from './billing/webhook.js';
import { analyticsRoutes } from './usage/analytics.js';
import { brandRoutes } from './catalog/brand.js';
import { catalogRoutes } from './catalog/catalog.js';
import { credentialRoutes } from './accounts/credentials.js';
import type { DashboardSettings } from '../pages/dashboard-settings.js';
import { dashboardBillingRoutes } from './dashboard/billing.js';
import { galleryRoutes } from './dashboard/gallery.js';
import { dashboardPageRoutes } from './dashboard/pages.js';
import { docsRoutes } from './docs.js';
import { iconifyRoutes } from './iconify/index.js';
import { imageRoutes } from './catalog/images.js';
import { logoRoutes } from './catalog/logo.js';
import { emailChangeRoutes } from './accounts/email-change.js';
import { linkRoutes } from './accounts/email-links.js';
import { ownAccountRoutes } from './accounts/account-data.js';
import { searchRoutes } from './catalog/search.js';
import { publishableKeyRoutes } from './accounts/publishable-keys.js';
import { sessionRoutes } from './accounts/sessions.js';
import { signInRoutes } from './accounts/sign-in.js';
import { securityRoutes } from './security-txt.js';
import { systemRoutes } from './system.js';
import { usageRoutes } from './usage/usage.js';
import { visitorCounterRoutes } from './visitor-counter.js';

export interface RouteServices {
  readonly registration: Registration;
  readonly signIn: SignInService;
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly publishableKeys: PublishableKeys;
  readonly links: EmailLinks;
  readonly emailChange: EmailChange;
  readonly own: AccountData;
  readonly cookies: BrowserCookies;
  /** Minimum length of a new password in this deployment. */
  readonly minPasswordCharacters: number;
  readonly registrationMode: 'open' | 'verified' | 'closed';
  /** Whether visitors may browse the catalog. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  readonly previewLimits: PreviewLimits;
  readonly metering: Metering;
  readonly purchases: Purchases;
  readonly prices: PriceList;
  readonly paymentEventProcessing: Pick<PaymentEventProcessing, 'receive'>;
  readonly findAccount: (id: AccountId) => Promise<Account | undefined>;
  /** ms since the epoch */
  readonly now: () => number;
  readonly analytics: Analytics;
  readonly catalog: Catalog;
  readonly images: Images;
  /** Of what differs from answer to answer. */
  readonly answerCodings: Codings;
  /** Of what has a strong tag. */
  readonly taggedCodings: (etag: string) => Codings;
  /** Of long work on the event loop. */
  readonly turns: Turns;
  readonly search: Search;
  readonly iconify: Iconify;
  readonly brands: Brands;
  readonly counting: VisitorCounting;
  readonly health: Health;
  /** Changes whenever a response of search or brand lookup may change; part of their entity tags. */
  readonly catalogVersion: () => string;
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  readonly version: string;
  /** URIs by which weaknesses are reported. */
  readonly securityContacts: readonly string[];
  readonly plans: Plans;
}

/** What the pages know of this deployment. */
export function dashboardSettings(
  services: Pick<RouteServices, 'registrationMode' | 'gallery' | 'billing' | 'minPasswordCharacters' | 'origin'>,
): DashboardSettings {
  const { registrationMode: registration, gallery, billing, minPasswordCharacters, origin } = services;
  return { origin, registration, gallery, billing, minPasswordCharacters, maxVisitorSide: MAX_VISITOR_SIDE };
}

/** Each takes some 0.1 ms, also when it is rejected: a flood of them would hold up every picture. */
function accountRoutes(services: RouteServices): Route[] {
  return [
    ...signInRoutes(services),
    ...sessionRoutes(services),
    ...credentialRoutes(services),
    ...publishableKeyRoutes(services),
    ...emailChangeRoutes(services),
    ...linkRoutes(services),
    ...ownAccountRoutes(services),
  ];
}

/** Their credential is a header, which pages of other origins do not have by themselves; or they need none. */
function apiRoutes(services: RouteServices): Route[] {
  return [
    ...imageRoutes(services),
    ...logoRoutes(services),
    ...catalogRoutes(services),
    ...searchRoutes(services),
    ...brandRoutes(services),
    ...iconifyRoutes(services),
    ...usageRoutes(services),
    ...subscriptionRoutes(services),
    ...visitorCounterRoutes(services),
  ];
}

export function allRoutes(services: RouteServices): Route[] {
  const settings = dashboardSettings(services);
  const described: Route[] = [
    ...withPolicy({ cors: true }, apiRoutes(services)),
    // A year takes a millisecond or two.
    ...withPolicy({ cors: true, throttled: true }, analyticsRoutes(services)),
    ...withPolicy({ throttled: true }, accountRoutes(services)),
    ...withPolicy({ cors: true, throttled: true }, billingRoutes(services)),
    ...withPolicy({ cors: true }, webhookRoutes(services)),
    ...galleryRoutes(services),
    ...dashboardBillingRoutes(services),
    ...dashboardPageRoutes(settings),
    ...systemRoutes(services),
    ...securityRoutes(services),
  ];
  const document = () =>
    openApiDocument({
      routes: [...described, ...docs],
      version: services.version,
      publicUrl: services.origin,
      plans: services.plans,
    });
  const docs = docsRoutes(document, { ...services, settings });
  return [...described, ...docs];
}
