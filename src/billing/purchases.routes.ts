// POST /v1/billing/checkout, /portal: pages of the payment provider.
import { z } from 'zod';
import { BILLING_INTERVALS, PAID_PLANS } from '../accounts/subscription.js';
import type { ErrorCode } from '../platform/errors.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { currentPassword } from '../accounts/fields.routes.js';
import { PASSWORD_ERRORS } from '../accounts/schemas.routes.js';
import { billingRequester } from './requester.routes.js';

const password = currentPassword
  .optional()
  .meta({ ...currentPassword.meta(), description: 'Required with an access token; ignored with an API key.' });
const oneOf = (values: readonly string[]) => ({ allowed: [...values] });

export const offerFields = {
  plan: z
    .enum(PAID_PLANS, { error: 'not a plan that is sold' })
    .meta({ description: 'Plan to buy.', ...oneOf(PAID_PLANS), example: 'pro' }),
  interval: z
    .enum(BILLING_INTERVALS, { error: 'not a billing interval' })
    .meta({ description: 'Billing interval.', ...oneOf(BILLING_INTERVALS), example: 'month' }),
};
const checkoutBody = z.strictObject({ ...offerFields, currentPassword: password });
const portalBody = z.strictObject({ currentPassword: password });

const url = z.string().meta({
  description: "URL of the payment provider's page. Open it in the customer's browser.",
  example: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3',
});
const ERRORS: readonly ErrorCode[] = [...PASSWORD_ERRORS, 'rate_limited', 'billing_unavailable', 'busy', 'conflict'];

export const billingRoutes: readonly Route[] = [
  route('POST /v1/billing/checkout', {
    auth: 'key-or-bearer',
    summary: 'Buy a plan',
    description:
      'Returns the URL of the page on which the customer pays. Repeated requests return the same page while it is open. The ' +
      'plan takes effect as soon as it is paid. Not counted.',
    body: checkoutBody,
    responses: {
      200: {
        description: 'The payment page',
        schema: z
          .object({
            id: z.string().meta({ description: 'ID of the checkout session in Stripe.', example: 'cs_test_a1b2c3' }),
            url,
          })
          .meta({ id: 'Checkout' }),
      },
    },
    errors: [...ERRORS, 'already_subscribed'],
    handle: async ({ body: { plan, interval, ...rest }, requester, client }, services) => {
      const who = await billingRequester(services, { requester, client, ...rest });
      const { id, url: page } = await services.purchases.checkout(who, { plan, interval });
      return json(200, { id, url: page }, NO_STORE);
    },
  }),
  route('POST /v1/billing/portal', {
    auth: 'key-or-bearer',
    summary: 'Change the payment method, plan or subscription',
    description:
      'Returns the URL of the page on which the customer changes the plan and downloads invoices. The owner of the account gets ' +
      'an e-mail, at most once in ten minutes. Not counted.',
    body: portalBody,
    responses: { 200: { description: 'The page', schema: z.object({ url }).meta({ id: 'Portal' }) } },
    errors: [...ERRORS, 'no_customer'],
    handle: async ({ body, requester, client }, services) => {
      const who = await billingRequester(services, { requester, client, ...body });
      return json(200, { url: (await services.purchases.portal(who)).url }, NO_STORE);
    },
  }),
];
