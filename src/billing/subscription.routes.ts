// GET /v1/subscription, /plans, POST /v1/subscription/cancel, /resume.
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import { tierAt, tierSource } from '../accounts/tier.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../accounts/subscription.js';
import { BUCKETS, TIERS, type Plans, type Tier } from '../accounts/plan.js';
import { AppError } from '../platform/errors.js';
import type { BillingRequester } from './purchases.js';
import type { Price } from './price-list.js';
import { json, NO_STORE, type Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import { count, objectOf, moment, type Presented } from '../platform/http/openapi/times-and-counts.js';
import { nothing } from '../accounts/fields.routes.js';
import { billingRequester, verifiedAccountId } from './requester.routes.js';

const SOURCES = ['stripe', 'operator', 'none'] as const;
/** Tiers in the list of plans. `internal` is not listed, because only the operator can set it. */
const SHOWN_TIERS = TIERS.filter((tier) => tier !== 'internal');

const subscriptionSchema = z
  .object({
    tier: z.enum(TIERS).meta({ description: 'Tier whose limits currently apply.', example: 'pro' }),
    plan: z
      .enum(PAID_PLANS)
      .nullable()
      .meta({
        description:
          'Plan of the subscription. Null if there is no subscription, or if its price does not belong to a plan ' +
          'of this service (then `status` is set).',
        example: 'pro',
      }),
    interval: z.enum(BILLING_INTERVALS).nullable().meta({ description: 'Billing interval.', example: 'month' }),
    status: z
      .enum(SUBSCRIPTION_STATUSES)
      .nullable()
      .meta({
        description:
          'Status as Stripe reports it. The account has the plan while the status is `trialing` or `active`, and ' +
          'for up to seven days while it is `past_due`.',
        example: 'active',
      }),
    currentPeriodEnd: moment.nullable().meta({ description: 'End of the paid period.' }),
    cancelAtPeriodEnd: z
      .boolean()
      .meta({ description: 'Whether the subscription ends with the current period, or on an earlier date.' }),
    collectionPause: z
      .object({
        resumesAt: moment
          .nullable()
          .meta({ description: 'When payments are collected again; null if that is not decided.' }),
      })
      .optional()
      .meta({
        description:
          'Present while the operator has paused payment collection in Stripe. Whether the account has the plan ' +
          'still depends on `status`.',
      }),
    source: z.enum(SOURCES).meta({
      description: 'What decides the tier: the subscription (`stripe`), the operator, or nothing (`none`).',
      example: 'stripe',
    }),
  })
  .meta({ id: 'Subscription' });

const limits = objectOf(
  BUCKETS,
  count.nullable().meta({ description: 'Requests per day; null means unlimited.' }),
).meta({
  description: 'Requests per UTC day and bucket; null means unlimited.',
});
const price = z
  .object({
    amount: count.nullable().meta({
      description: 'Amount in the smallest unit of the currency, such as cents; null if it varies.',
      example: 2900,
    }),
    currency: z.string().meta({ description: 'ISO 4217 currency code in lowercase.', example: 'usd' }),
  })
  .nullable()
  .meta({ description: 'Price; null if the offer is not sold, or its price is currently unknown.' });
const plansSchema = z
  .object({
    plans: z
      .array(
        z.object({
          tier: z.enum(TIERS).meta({ description: 'Name of the tier.' }),
          limits,
          burstPerSecond: count.nullable().meta({
            description:
              'Burst tokens per second. Most requests use 1 token, expensive ones use more. Null means unlimited.',
            example: 500,
          }),
          prices: objectOf(BILLING_INTERVALS, price).meta({ description: 'Prices by billing interval.' }),
        }),
      )
      .meta({ description: 'All available tiers.' }),
  })
  .meta({ id: 'Plans' });

const SUMMARIES = { cancel: 'Cancel the subscription', resume: 'Resume the subscription' } as const;
const CHANGED = { 200: { description: 'The current subscription', schema: subscriptionSchema } };

export const subscriptionRoutes: readonly Route[] = [
  route('GET /v1/subscription', {
    auth: 'key-or-bearer',
    summary: 'Get the subscription',
    description:
      'Accepts an API key or an access token. Not counted. For ten minutes after a page of the payment provider ' +
      'was opened, the service also checks with the provider, at most every five seconds. After a purchase, poll ' +
      'until `plan` is the new plan.',
    responses: { 200: { description: 'Tier and subscription', schema: subscriptionSchema } },
    errors: ['rate_limited'],
    handle: async ({ requester }, services) => {
      const account = await services.subscriptions.read(await verifiedAccountId(services, requester));
      if (!account)
        throw new AppError(requester.kind === 'key' ? 'invalid_api_key' : 'invalid_token', 'The account was deleted.');
      return json(200, presentSubscription(account, services.now()), NO_STORE);
    },
  }),
  route('GET /v1/subscription/plans', {
    auth: 'none',
    summary: 'List plans, limits and prices',
    description: 'Public, needs no key.',
    responses: { 200: { description: 'The plans', schema: plansSchema } },
    handle: async (_, { deployment: { plans }, prices }) => {
      const known = await prices();
      const body = { plans: SHOWN_TIERS.map((tier) => presentPlan(tier, plans, known)) };
      // Without prices, the response must not be cached, because the prices may be known soon.
      return json(200, body, known.length > 0 ? { 'Cache-Control': 'public, max-age=300' } : NO_STORE);
    },
  }),
  changeRoute('cancel'),
  changeRoute('resume'),
];

export type CancelOrResume = keyof typeof SUMMARIES;

function changeRoute(change: CancelOrResume): Route {
  return route(`POST /v1/subscription/${change}`, {
    auth: 'own-key',
    summary: SUMMARIES[change],
    description:
      (change === 'cancel'
        ? 'The subscription ends with its current period. Until then, the account keeps the plan.'
        : 'Undoes a cancellation while the current period has not ended.') +
      ' Repeated requests change nothing. The owner of the account gets an e-mail. Not counted.',
    body: nothing,
    responses: CHANGED,
    errors: ['rate_limited', 'billing_unavailable', 'busy', 'conflict', 'no_customer'],
    handle: async ({ requester, client }, services) =>
      changeSubscription(change, services, await billingRequester(services, { requester, client })),
  });
}

export async function changeSubscription(
  change: CancelOrResume,
  services: Services,
  who: BillingRequester,
): Promise<Reply> {
  const account = await services.purchases.setCancelAtPeriodEnd(who, change === 'cancel');
  return json(200, presentSubscription(account, services.now()), NO_STORE);
}

export function presentSubscription(account: Account, nowMs: number): Presented<typeof subscriptionSchema> {
  const subscription = account.billing?.subscription ?? NO_SUBSCRIPTION;
  const { plan, interval, status, currentPeriodEnd, endsAt, collectionPause } = subscription;
  const at = new Date(nowMs);
  const source = tierSource(account, at);
  return {
    ...{ tier: tierAt(account, at), plan, interval, status, currentPeriodEnd },
    ...{ cancelAtPeriodEnd: endsAt !== null, ...(collectionPause && { collectionPause }), source },
  };
}

const NO_SUBSCRIPTION = {
  ...{ plan: null, interval: null, status: null, currentPeriodEnd: null, endsAt: null, collectionPause: null },
};

function presentPlan(tier: Tier, plans: Plans, known: readonly Price[]): z.input<typeof plansSchema>['plans'][number] {
  const { daily, burstPerSecond } = plans[tier];
  const priceOf = (interval: Price['interval']) => {
    const found = known.find((one) => one.plan === tier && one.interval === interval);
    return found ? { amount: found.amount, currency: found.currency } : null;
  };
  return { tier, limits: daily, burstPerSecond, prices: { month: priceOf('month'), year: priceOf('year') } };
}
