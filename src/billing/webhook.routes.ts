// POST /v1/billing/webhook: events of the payment provider.
import { z } from 'zod';
import { billingOffError } from '../platform/errors.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route } from '../platform/http/route.js';

const MAX_BODY_BYTES = 256 * 1024;

export const webhookRoute = route('POST /v1/billing/webhook', {
  auth: 'signature',
  summary: 'Take an event of Stripe',
  description:
    'For Stripe only: `Stripe-Signature` is checked over the body (at most 256 KB) with STRIPE_WEBHOOK_SECRET, and may ' +
    'be five minutes from now at most. The event is stored before the answer and processed after it, so it does not ' +
    'matter in which order, or how often, events arrive.',
  signatureHeader: 'Stripe-Signature',
  maxBodyBytes: MAX_BODY_BYTES,
  responses: {
    200: { description: 'The event is stored, now or before', schema: z.object({ received: z.literal(true) }) },
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
