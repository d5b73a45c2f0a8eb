// GET /v1/subscription, /plans, POST /v1/subscription/cancel, /resume.
import { z } from 'zod';
import type { Account } from '../../../domain/account/account.js';
import { tierSource } from '../../../domain/account/changes/billing.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../../../domain/billing/subscription.js';
import { BUCKETS, TIERS, type Bucket, type Plans, type Tier } from '../../../domain/metering/plan.js';
import { AppError } from '../../../errors.js';
import type { Price } from '../../../services/billing/price-list.js';
import { json, NO_STORE } from '../../response/reply.js';
import { route, type Route } from '../../route.js';
import { count, moment } from '../../scalars.js';
import { nothing } from '../accounts/fields.js';
import { billingRequester, verifiedAccountId } from './requester.js';

const SOURCES = ['stripe', 'operator', 'none'] as const;
/** Of the operator's own; not sold. */
const SHOWN_TIERS = TIERS.filter((tier) => tier !== 'internal');

export const subscriptionSchema = z
  .object({
    tier: z.enum(TIERS).meta({ description: 'Whose limits hold now.', example: 'pro' }),
    plan: z.enum(PAID_PLANS).nullable().meta({ description: 'What was bought; null: nothing.', example: 'pro' }),
    interval: z.enum(BILLING_INTERVALS).nullable().meta({ example: 'month' }),
    status: z.enum(SUBSCRIPTION_STATUSES).nullable().meta({
      description:
        'As Stripe has it. `trialing` and `active` give the plan, `past_due` for seven days more, the others do not.',
      example: 'active',
    }),
    currentPeriodEnd: moment.nullable(),
    cancelAtPeriodEnd: z.boolean().meta({ description: 'It ends with its period, or on a date before.' }),
    source: z.enum(SOURCES).meta({
      description: 'What decides the tier: the subscription, the operator, or nothing.',
      example: 'stripe',
    }),
  })
  .meta({ id: 'Subscription' });

const limits = z
  .object(
    Object.fromEntries(BUCKETS.map((bucket) => [bucket, count.nullable()])) as Record<
      Bucket,
      z.ZodNullable<typeof count>
    >,
  )
  .meta({ description: 'Requests per UTC day and bucket; null: no limit.' });
const price = z
  .object({
    amount: count.nullable().meta({
      description: 'In the smallest unit of the currency, as cents; null: it depends.',
      example: 2900,
    }),
    currency: z.string().meta({ description: 'ISO 4217, lower case.', example: 'usd' }),
  })
  .nullable()
  .meta({ description: 'Null: not sold, or not known right now.' });
const plansSchema = z
  .object({
    plans: z.array(
      z.object({
        tier: z.enum(TIERS),
        limits,
        burstPerSecond: count.nullable().meta({
          description: 'What requests may take each second, by what their work costs: most take 1; null: no limit.',
          example: 500,
        }),
        prices: z.object({ month: price, year: price }),
      }),
    ),
  })
  .meta({ id: 'Plans' });

export const subscriptionRoutes: readonly Route[] = [
  route({
    auth: 'key-or-bearer',
    method: 'GET',
    path: '/v1/subscription',
    tag: 'Billing',
    summary: 'Get the subscription',
    description: 'Not counted. With an API key or an access token.',
    responses: { 200: { description: 'Tier and subscription', schema: subscriptionSchema } },
    errors: ['rate_limited'],
    handle: async ({ requester }, services) => {
      const account = await services.findAccount(await verifiedAccountId(services, requester));
      if (!account || account.deleting)
        throw new AppError(requester.kind === 'key' ? 'invalid_api_key' : 'invalid_token', 'The account is gone.');
      return json(200, presentSubscription(account, services.now()), NO_STORE);
    },
  }),
  route({
    auth: 'none',
    method: 'GET',
    path: '/v1/subscription/plans',
    tag: 'Billing',
    summary: 'List plans, limits and prices',
    description: 'Needs no key.',
    responses: { 200: { description: 'The plans', schema: plansSchema } },
    handle: async (_, { deployment: { plans }, prices }) => {
      const known = await prices();
      const body = { plans: SHOWN_TIERS.map((tier) => presentPlan(tier, plans, known)) };
      // Without prices the answer must not be cached.
      return json(200, body, known.length > 0 ? { 'Cache-Control': 'public, max-age=300' } : NO_STORE);
    },
  }),
  changeRoute('cancel'),
  changeRoute('resume'),
];

function changeRoute(change: 'cancel' | 'resume'): Route {
  const isCancel = change === 'cancel';
  return route({
    auth: 'own-key',
    method: 'POST',
    path: `/v1/subscription/${change}`,
    tag: 'Billing',
    summary: isCancel ? 'Cancel the subscription' : 'Resume the subscription',
    description: isCancel
      ? 'It ends with its period; until then the plan is kept. Repeated, nothing changes. The owner gets a mail. Not counted.'
      : 'Undoes a cancellation whose period has not ended. Repeated, nothing changes. The owner gets a mail. Not counted.',
    body: nothing,
    responses: { 200: { description: 'The subscription as it is now', schema: subscriptionSchema } },
    errors: ['rate_limited', 'billing_unavailable', 'busy', 'conflict', 'no_customer'],
    handle: async ({ requester, client }, services) => {
      const who = await billingRequester(services, { requester, client });
      const account = await services.purchases.setCancelAtPeriodEnd(who, isCancel);
      return json(200, presentSubscription(account, services.now()), NO_STORE);
    },
  });
}

export function presentSubscription(account: Account, nowMs: number): z.input<typeof subscriptionSchema> {
  const subscription = account.billing?.subscription;
  return {
    tier: account.tier,
    plan: subscription?.plan ?? null,
    interval: subscription?.interval ?? null,
    status: subscription?.status ?? null,
    currentPeriodEnd: subscription?.currentPeriodEnd.toISOString() ?? null,
    cancelAtPeriodEnd: subscription ? subscription.endsAt !== null : false,
    source: tierSource(account, new Date(nowMs)),
  };
}

function presentPlan(tier: Tier, plans: Plans, known: readonly Price[]): z.input<typeof plansSchema>['plans'][number] {
  const { daily, burstPerSecond } = plans[tier];
  const priceOf = (interval: Price['interval']) => {
    const found = known.find((one) => one.plan === tier && one.interval === interval);
    return found ? { amount: found.amount, currency: found.currency } : null;
  };
  return { tier, limits: daily, burstPerSecond, prices: { month: priceOf('month'), year: priceOf('year') } };
}
