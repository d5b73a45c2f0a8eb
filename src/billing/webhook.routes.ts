// POST /v1/billing/webhook: events of the payment provider.
import { z } from 'zod';
import { billingOffError } from '../platform/errors.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route } from '../platform/http/route.js';

const MAX_BODY_BYTES = 256 * 1024;

export const webhookRoute = route('POST /v1/billing/webhook', {
  auth: 'signature',
  summary: 'Receive a Stripe event',
  description:
    'For Stripe only. `Stripe-Signature` must be a valid signature of the body (at most 256 KB) with ' +
    'STRIPE_WEBHOOK_SECRET, made at most five minutes ago. The event is stored before the response and processed ' +
    'afterwards. Stripe can deliver events in any order and more than once.',
  signatureHeader: 'Stripe-Signature',
  maxBodyBytes: MAX_BODY_BYTES,
  responses: {
    200: { description: 'The event is stored', schema: z.object({ received: z.literal(true) }) },
  },
  errors: ['billing_unavailable'],
  assertOpen({ deployment }) {
    if (deployment.billing === 'off') throw billingOffError();
  },
  handle: async ({ payload, signature }, { paymentEventProcessing }) => {
    await paymentEventProcessing.receive(payload, signature);
    return json(200, { received: true }, NO_STORE);
  },
});
