// POST /dashboard/subscription/cancel, /resume: with the password, since pages do not have the API key.
import { json, NO_STORE } from '../../response/reply.js';
import { route } from '../../route.js';
import { confirmation } from '../accounts/fields.js';
import { PASSWORD_ERRORS } from '../accounts/schemas.js';
import { billingRequester } from '../billing/requester.js';
import { presentSubscription, subscriptionSchema } from '../billing/subscription.js';

export const dashboardBillingRoutes = (['cancel', 'resume'] as const).map((change) =>
  route(`POST /dashboard/subscription/${change}`, {
    auth: 'bearer',
    hidden: true,
    throttled: true,
    summary: change === 'cancel' ? 'Cancel the subscription' : 'Resume the subscription',
    body: confirmation,
    responses: { 200: { description: 'The subscription as it is now', schema: subscriptionSchema } },
    errors: [...PASSWORD_ERRORS, 'billing_unavailable', 'no_customer'],
    handle: async ({ body: { currentPassword }, caller, client }, services) => {
      const who = await billingRequester(services, { requester: { kind: 'bearer', caller }, currentPassword, client });
      const account = await services.purchases.setCancelAtPeriodEnd(who, change === 'cancel');
      return json(200, presentSubscription(account, services.now()), NO_STORE);
    },
  }),
);
