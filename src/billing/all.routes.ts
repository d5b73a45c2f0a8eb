// All routes of billing.
import { withPolicy, type Route } from '../platform/http/route.js';
import { dashboardBillingRoutes } from './billing-page.routes.js';
import { billingRoutes } from './purchases.routes.js';
import { subscriptionRoutes } from './subscription.routes.js';
import { webhookRoute } from './webhook.routes.js';

export const routes = (): readonly Route[] => [
  ...withPolicy({ tag: 'Billing', cors: true }, [
    ...subscriptionRoutes,
    webhookRoute,
    ...withPolicy({ throttled: true }, billingRoutes),
  ]),
  ...dashboardBillingRoutes,
];
