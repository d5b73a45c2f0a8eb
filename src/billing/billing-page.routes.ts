// POST /dashboard/billing/* and POST /dashboard/subscription/*: billing for the dashboard, which sends the session
// cookie instead of an API key. Users enter their password at most once in five minutes.
import { z } from 'zod';
import { isOpen } from '../accounts/subscription.js';
import { AppError, type ErrorCode } from '../platform/errors.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { currentPassword, nothing } from '../accounts/fields.routes.js';
import { CHANGE_ERRORS, PASSWORD_ERRORS } from '../accounts/schemas.routes.js';
import { offerFields } from './purchases.routes.js';
import { pageRequester } from './requester.routes.js';
import { changeSubscription, presentSubscription } from './subscription.routes.js';

const password = currentPassword.optional();
const ERRORS: readonly ErrorCode[] = [...PASSWORD_ERRORS, 'rate_limited', 'billing_unavailable', 'busy', 'conflict'];
const PAGE_OF_PROVIDER = { 200: { description: 'Redirects to the page of the payment provider' } };

export const dashboardBillingRoutes: readonly Route[] = [
  route('POST /dashboard/billing/checkout', {
    auth: 'cookie',
    hidden: true,
    throttled: true,
    summary: 'Buy or change a plan',
    body: z.strictObject({ ...offerFields, currentPassword: password }),
    responses: PAGE_OF_PROVIDER,
    errors: [...ERRORS, 'already_subscribed', 'no_customer'],
    async handle({ body: { plan, interval, ...rest }, caller, client }, services) {
      const who = await pageRequester(services, { caller, client, ...rest });
      const present = caller.account.billing?.subscription;
      const { purchases } = services;
      const offer = { plan, interval };
      const { url } = await (present && isOpen(present)
        ? purchases.portal(who, offer)
        : purchases.checkout(who, offer));
      return json(200, { url }, NO_STORE);
    },
  }),
  route('POST /dashboard/billing/portal', {
    auth: 'cookie',
    hidden: true,
    throttled: true,
    summary: 'Change the payment method, plan or subscription',
    body: z.strictObject({ currentPassword: password }),
    responses: PAGE_OF_PROVIDER,
    errors: [...ERRORS, 'no_customer'],
    handle: async ({ body, caller, client }, services) => {
      const who = await pageRequester(services, { caller, client, ...body });
      return json(200, { url: (await services.purchases.portal(who)).url }, NO_STORE);
    },
  }),
  route('POST /dashboard/subscription/refresh', {
    auth: 'cookie',
    hidden: true,
    throttled: true,
    summary: 'Get the subscription after returning from the payment provider',
    body: nothing,
    responses: { 200: { description: 'The current subscription' } },
    errors: CHANGE_ERRORS,
    async handle({ caller }, { subscriptions, now }) {
      const account = await subscriptions.refresh(caller.account.id);
      if (!account) throw new AppError('session_ended');
      return json(200, presentSubscription(account, now()), NO_STORE);
    },
  }),
  ...(['cancel', 'resume'] as const).map((change) =>
    route(`POST /dashboard/subscription/${change}`, {
      auth: 'cookie',
      hidden: true,
      throttled: true,
      summary: change === 'cancel' ? 'Cancel the subscription' : 'Resume the subscription',
      body: z.strictObject({ currentPassword: password }),
      responses: { 200: { description: 'The current subscription' } },
      errors: [...ERRORS, 'no_customer'],
      handle: async ({ body, caller, client }, services) =>
        changeSubscription(change, services, await pageRequester(services, { caller, client, ...body })),
    }),
  ),
];
