// The one list of routes. The router, the documents and the tests are derived from it.
import { openApiDocument } from '../openapi/document.js';
import { llmsText } from '../openapi/llms-text.js';
import type { Deployment } from '../route-services.js';
import { withPolicy, type Route } from '../route.js';
import { ownAccountRoutes } from './accounts/account-data.js';
import { changePasswordRoute, regenerateKeyRoute } from './accounts/credentials.js';
import { emailChangeRoutes } from './accounts/email-change.js';
import { forgotPasswordRoute, resetPasswordRoute, verificationRoutes } from './accounts/email-links.js';
import { publishableKeyRoutes } from './accounts/publishable-keys.js';
import { sessionRoutes } from './accounts/sessions.js';
import { registerRoute, signInRoutes } from './accounts/sign-in.js';
import { billingRoutes } from './billing/purchases.js';
import { subscriptionRoutes } from './billing/subscription.js';
import { webhookRoute } from './billing/webhook.js';
import { brandRoutes } from './brands/brands.js';
import { drawingRoute } from './brands/drawings.js';
import { brandRoute } from './catalog/brand.js';
import { catalogRoutes } from './catalog/catalog.js';
import { faviconRoute } from './catalog/favicon.js';
import { pictureRoutes } from './catalog/pictures.js';
import { logoRoute } from './catalog/logo.js';
import { searchRoute } from './catalog/search.js';
import { stripRoute } from './catalog/strip.js';
import { compatRoutes } from './compat/index.js';
import { dashboardBillingRoutes } from './dashboard/billing.js';
import { pendingEmailRoute } from './dashboard/email-change.js';
import { galleryRoutes } from './dashboard/gallery.js';
import { dashboardPageRoutes, dashboardSettings } from './dashboard/pages.js';
import { docsRoutes, documentRoute, llmsRoute } from './docs.js';
import { collectionRoutes } from './iconify/collections.js';
import { iconRoutes } from './iconify/icons.js';
import { mcpRoute } from './developers/mcp.js';
import { registryRoutes } from './developers/registry.js';
import { iconSearchRoutes } from './iconify/search.js';
import { licensesRoute } from './licenses.js';
import { systemRoutes } from './system.js';
import { analyticsRoutes } from './usage/analytics.js';
import { usageRoute } from './usage/usage.js';
import { visitorCounterRoutes } from './visitor-counter.js';

/** Their credential is a header, which pages of other origins do not have by themselves; or they need none. */
const API_ROUTES = [
  ...withPolicy({ tag: 'Pictures' }, [...pictureRoutes, logoRoute, stripRoute, faviconRoute]),
  ...withPolicy({ tag: 'Catalog' }, catalogRoutes),
  ...withPolicy({ tag: 'Search' }, [searchRoute, brandRoute]),
  ...withPolicy({ tag: 'Own brands' }, [...brandRoutes, drawingRoute]),
  ...withPolicy({ tag: 'Iconify' }, [...iconRoutes, ...collectionRoutes, ...iconSearchRoutes]),
  ...withPolicy({ tag: 'Drop-in addresses' }, compatRoutes),
  ...withPolicy({ tag: 'Developers' }, [...registryRoutes, mcpRoute]),
  ...withPolicy({ tag: 'Usage' }, [usageRoute]),
  ...withPolicy({ tag: 'Billing' }, [...subscriptionRoutes, webhookRoute]),
  ...withPolicy({ tag: 'Visitor counters' }, visitorCounterRoutes),
  // A year takes a millisecond or two.
  ...withPolicy({ tag: 'Usage', throttled: true }, analyticsRoutes),
  ...withPolicy({ tag: 'Billing', throttled: true }, billingRoutes),
];

/** Each takes some 0.1 ms, also when it is rejected: a flood of them would hold up every picture. */
function accountRoutes(minPasswordCharacters: number): Route[] {
  return withPolicy({ tag: 'Account' }, [
    registerRoute(minPasswordCharacters),
    ...signInRoutes,
    ...sessionRoutes,
    regenerateKeyRoute,
    changePasswordRoute(minPasswordCharacters),
    ...emailChangeRoutes,
    forgotPasswordRoute,
    resetPasswordRoute(minPasswordCharacters),
    ...verificationRoutes,
    ...ownAccountRoutes,
  ]);
}

/** With the documents and pages of this deployment. */
export function allRoutes(deployment: Deployment): Route[] {
  const { minPasswordCharacters, version, origin, plans } = deployment;
  const settings = dashboardSettings(deployment);
  const document = documentRoute(() => openApiDocument({ routes, version, publicUrl: origin, plans }));
  const agents = llmsRoute(() => llmsText({ routes, origin, plans }));
  const routes: Route[] = [
    ...withPolicy({ cors: true }, API_ROUTES),
    ...withPolicy({ throttled: true }, [
      ...accountRoutes(minPasswordCharacters),
      ...withPolicy({ tag: 'In a page' }, publishableKeyRoutes),
    ]),
    ...galleryRoutes,
    ...dashboardBillingRoutes,
    pendingEmailRoute,
    ...dashboardPageRoutes(settings),
    ...withPolicy({ tag: 'Operation' }, [...systemRoutes, licensesRoute(), document, agents, ...docsRoutes(settings)]),
  ];
  return routes;
}
