// Billing in the data export of an account: customer, subscription, and Stripe's events.
import { z } from 'zod';
import { exportedValue } from '../accounts/export-field.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../accounts/subscription.js';
import { moment } from '../platform/http/openapi/times-and-counts.js';

const MAX_EVENTS = 200;

const billingSchema = z
  .object({
    customerId: z.string().meta({ description: 'ID of the customer in Stripe.', example: 'cus_a1b2c3' }),
    subscription: z
      .object({
        id: z.string().meta({ description: 'ID of the subscription in Stripe.', example: 'sub_a1b2c3' }),
        plan: z.enum(PAID_PLANS).nullable().meta({
          description: 'Plan of the subscription; null if its price does not belong to a plan of this service.',
        }),
        interval: z.enum(BILLING_INTERVALS).nullable().meta({ description: 'Billing interval.' }),
        status: z.enum(SUBSCRIPTION_STATUSES).meta({ description: 'Status as Stripe reports it.' }),
        currentPeriodEnd: moment.meta({ description: 'End of the paid period.' }),
        endsAt: moment.nullable().meta({ description: 'When the subscription ends; null if it renews automatically.' }),
        pastDueSince: moment
          .nullable()
          .meta({ description: 'When the overdue payment failed; null if no payment is overdue.' }),
        collectionPause: z
          .object({
            resumesAt: moment
              .nullable()
              .meta({ description: 'When payments are collected again; null if that is not decided.' }),
          })
          .nullable()
          .meta({ description: 'Present while payments are not collected; otherwise null.' }),
      })
      .nullable()
      .meta({ description: 'Subscription; null if there is none.' }),
    events: z
      .array(
        z.object({
          id: z.string().meta({ description: 'ID of the event in Stripe.', example: 'evt_a1b2c3' }),
          type: z.string().meta({ description: 'Kind of the event.', example: 'invoice.paid' }),
          createdAt: moment.meta({ description: 'When the event happened.' }),
          receivedAt: moment.meta({ description: 'When the service received the event.' }),
        }),
      )
      .meta({ description: 'Stripe events, newest first.' }),
  })
  .nullable()
  .meta({ description: 'Billing data; null if the account never bought a plan.' });

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
