// POST /dashboard/subscription/cancel, /resume: with the password, since pages do not have the API key.
import type { Purchases } from '../../../services/billing/purchases.js';
import { json, NO_STORE } from '../../response/reply.js';
import { bearerRoute, type Route } from '../../route.js';
import { confirmation } from '../accounts/fields.js';
import { PASSWORD_ERRORS } from '../accounts/schemas.js';
import { billingRequester, type RequesterServices } from '../billing/requester.js';
import { presentSubscription, subscriptionSchema } from '../billing/subscription.js';

interface Options extends RequesterServices {
  readonly purchases: Purchases;
  /** ms since the epoch */
  readonly now: () => number;
}

export function dashboardBillingRoutes(options: Options): Route[] {
  return [changeRoute(options, 'cancel'), changeRoute(options, 'resume')];
}

function changeRoute(services: Options, change: 'cancel' | 'resume'): Route {
  return bearerRoute({
    method: 'POST',
    path: `/dashboard/subscription/${change}`,
    hidden: true,
    throttled: true,
    tag: 'Billing',
    summary: change === 'cancel' ? 'Cancel the subscription' : 'Resume the subscription',
    body: confirmation,
    responses: { 200: { description: 'The subscription as it is now', schema: subscriptionSchema } },
    errors: [...PASSWORD_ERRORS, 'billing_unavailable', 'no_customer'],
    handle: async ({ body: { currentPassword }, caller, client }) => {
      const who = await billingRequester(services, { requester: { kind: 'bearer', caller }, currentPassword, client });
      const account = await services.purchases.setCancelAtPeriodEnd(who, change === 'cancel');
      return json(200, presentSubscription(account, services.now()), NO_STORE);
    },
  });
}
