// The one list of routes. The router, the documents and the tests are derived from it.
import { openApiDocument } from '../platform/http/openapi/document.js';
import { llmsText } from '../agents/llms-text.js';
import type { Deployment } from '../platform/http/route-services.js';
import { withPolicy, type Route } from '../platform/http/route.js';
import { ownAccountRoutes } from '../accounts/account-data.routes.js';
import { changePasswordRoute, regenerateKeyRoute } from '../accounts/credentials.routes.js';
import { emailChangeRoutes } from '../accounts/email-change.routes.js';
import { forgotPasswordRoute, resetPasswordRoute, verificationRoutes } from '../accounts/email-links.routes.js';
import { publishableKeyRoutes } from '../accounts/publishable-keys.routes.js';
import { sessionRoutes } from '../accounts/sessions.routes.js';
import { registerRoute, signInRoutes } from '../accounts/sign-in.routes.js';
import { billingRoutes } from '../billing/purchases.routes.js';
import { subscriptionRoutes } from '../billing/subscription.routes.js';
import { webhookRoute } from '../billing/webhook.routes.js';
import { brandRoutes } from '../own-brands/brands.routes.js';
import { drawingRoute } from '../own-brands/drawings.routes.js';
import { brandRoute } from '../brands/brand.routes.js';
import { catalogRoutes } from '../catalog/catalog.routes.js';
import { faviconRoute } from '../pictures/favicon.routes.js';
import { pictureRoutes } from '../pictures/pictures.routes.js';
import { logoRoute } from '../pictures/logo.routes.js';
import { searchRoute } from '../search/search.routes.js';
import { stripRoute } from '../pictures/strip.routes.js';
import { compatRoutes } from '../compat/compat.routes.js';
import { dashboardBillingRoutes } from '../billing/billing-page.routes.js';
import { pendingEmailRoute } from '../accounts/email-change-page.routes.js';
import { galleryRoutes } from '../pictures/gallery.routes.js';
import { dashboardPageRoutes, dashboardSettings } from '../platform/http/pages/pages.routes.js';
import { docsRoutes, documentRoute, llmsRoute } from '../platform/http/docs.routes.js';
import { collectionRoutes } from '../iconify/collections.routes.js';
import { iconRoutes } from '../iconify/icons.routes.js';
import { mcpRoute } from '../agents/mcp.routes.js';
import { registryRoutes } from '../agents/registry.routes.js';
import { iconSearchRoutes } from '../iconify/search.routes.js';
import { licensesRoute } from '../catalog/licenses.routes.js';
import { systemRoutes } from '../platform/http/system.routes.js';
import { analyticsRoutes } from '../metering/analytics.routes.js';
import { usageRoute } from '../metering/usage.routes.js';
import { visitorCounterRoutes } from '../visitor-counters/visitor-counter.routes.js';

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
