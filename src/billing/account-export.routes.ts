// Billing in the export of an account: the customer, the subscription, and the events of Stripe.
import { z } from 'zod';
import { exportedValue } from '../accounts/export-field.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../accounts/subscription.js';
import { moment } from '../platform/http/openapi/times-and-counts.js';

const MAX_EVENTS = 200;

const billingSchema = z
  .object({
    customerId: z.string().meta({ description: 'Id of the customer at Stripe.', example: 'cus_a1b2c3' }),
    subscription: z
      .object({
        id: z.string().meta({ description: 'Id of the subscription at Stripe.', example: 'sub_a1b2c3' }),
        plan: z.enum(PAID_PLANS).nullable().meta({ description: 'The plan that was bought; null: of another price.' }),
        interval: z.enum(BILLING_INTERVALS).nullable().meta({ description: 'How often it is paid.' }),
        status: z.enum(SUBSCRIPTION_STATUSES).meta({ description: 'As Stripe has it.' }),
        currentPeriodEnd: moment.meta({ description: 'Until when it is paid.' }),
        endsAt: moment.nullable().meta({ description: 'When it ends; null: it goes on.' }),
        pastDueSince: moment.nullable().meta({ description: 'When a payment failed; null: none has.' }),
        collectionPause: z
          .object({ resumesAt: moment.nullable().meta({ description: 'When payments are collected again.' }) })
          .nullable()
          .meta({ description: 'Null: payments are collected.' }),
      })
      .nullable()
      .meta({ description: 'Null: there is no subscription.' }),
    events: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Id of the event at Stripe.', example: 'evt_a1b2c3' }),
          type: z.string().meta({ description: 'Kind of the event.', example: 'invoice.paid' }),
          createdAt: moment.meta({ description: 'When it happened.' }),
          receivedAt: moment.meta({ description: 'When it arrived here.' }),
        }),
      )
      .meta({ description: 'Events of Stripe, newest first.' }),
  })
  .nullable()
  .meta({ description: 'Null: nothing was ever bought.' });

export const exportFields = [
  exportedValue('billing', billingSchema, async ({ billing }, { paymentEvents }) => {
    if (!billing) return null;
    const { customerId, subscription } = billing;
    const events = await paymentEvents.latest({ customerId, limit: MAX_EVENTS });
    return {
      ...{ customerId, subscription },
      events: events.map(({ id, type, createdAt, receivedAt }) => ({ id, type, createdAt, receivedAt })),
    };
  }),
];
