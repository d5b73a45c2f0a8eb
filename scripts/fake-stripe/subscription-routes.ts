// Routes of subscriptions, prices and events.
import type Stripe from 'stripe';
import { invalid, missing, refused } from './api-error.js';
import { namesOf, type ApiRoute } from './api-route.js';
import { PAGE_PARAMETERS, pageOf } from './lists.js';
import {
  cancelSubscription,
  changePrice,
  DAY_SECONDS,
  hasEnded,
  itemOf,
  scheduleCancellation,
  updateSubscription,
} from './lifecycle.js';
import { readBoolean, readInteger, readList, readMetadata, readOneOf, type Parameters } from './parameters.js';
import { subscriptionOf, type State } from './state.js';
import type { ApiEvent, Price, Subscription } from './wire.js';

const LAST_SECOND = 2 ** 40;
/** Stripe lists no older events. */
const EVENT_SECONDS = 30 * DAY_SECONDS;
const PRICE = 'items[0][price]';
const LISTED_STATUSES = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const;
type ListedStatus = (typeof LISTED_STATUSES)[number];
const ITEM: readonly (keyof Stripe.SubscriptionUpdateParams.Item)[] = ['id', 'price', 'quantity'];

/** Canceled ones only when they are asked for. */
function isListed(subscription: Subscription, status: ListedStatus | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return hasEnded(subscription);
  return status === undefined ? subscription.status !== 'canceled' : subscription.status === status;
}

function listSubscriptions(state: State, parameters: Parameters): object {
  const status = readOneOf(parameters, 'status', LISTED_STATUSES);
  const [customer, price] = [parameters.get('customer'), parameters.get('price')];
  if (customer !== undefined && !state.customers.has(customer)) throw missing('customer', customer, 'customer');
  const found = [...state.subscriptions.values()]
    .reverse()
    .filter(
      (subscription) =>
        isListed(subscription, status) &&
        (customer === undefined || subscription.customer === customer) &&
        (price === undefined || itemOf(subscription).price.id === price),
    );
  return pageOf(found, '/v1/subscriptions', parameters);
}

interface Update {
  readonly metadata: Subscription['metadata'];
  readonly price: Price | undefined;
  /** Undefined: as it is. */
  readonly cancelAt: 'period end' | number | null | undefined;
}

function readUpdate(state: State, subscription: Subscription, parameters: Parameters): Update {
  const metadata = readMetadata(parameters, 'metadata', subscription.metadata);
  const others = [...parameters.keys()].filter((name) => !name.startsWith('metadata') && !name.startsWith('expand'));
  if (hasEnded(subscription) && others.length > 0)
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  const priceId = parameters.get(PRICE);
  const price = priceId === undefined ? undefined : state.prices.get(priceId);
  if (priceId !== undefined && !price) throw missing('price', priceId, PRICE);
  const itemId = parameters.get('items[0][id]');
  if (itemId !== undefined && itemId !== itemOf(subscription).id)
    throw missing('subscription_item', itemId, 'items[0][id]');
  if (price && itemId === undefined) throw invalid('The fake changes the price of an item; name it.', 'items[0][id]');
  return { metadata, price, cancelAt: readCancelAt(state, subscription, parameters) };
}

function readCancelAt(state: State, subscription: Subscription, parameters: Parameters): Update['cancelAt'] {
  const atPeriodEnd = readBoolean(parameters, 'cancel_at_period_end');
  if (!parameters.has('cancel_at')) {
    if (atPeriodEnd === true) return 'period end';
    // A time that was set by itself, as the portal does, is not undone by this flag.
    return atPeriodEnd === false && subscription.cancel_at_period_end ? null : undefined;
  }
  if (atPeriodEnd !== undefined)
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', 'cancel_at');
  if (parameters.get('cancel_at') === '') return null;
  return readInteger(parameters, 'cancel_at', { min: state.nowSeconds(), max: LAST_SECOND }) ?? null;
}

function update(state: State, id: string, parameters: Parameters): Subscription {
  const subscription = subscriptionOf(state, id);
  const { metadata, price, cancelAt } = readUpdate(state, subscription, parameters);
  updateSubscription(state, subscription, () => {
    subscription.metadata = metadata;
  });
  if (price) changePrice(state, subscription, price);
  if (cancelAt !== undefined) scheduleCancellation(state, subscription, cancelAt);
  return subscription;
}

/** `created=…`, or `created[gte]=…` and the like. */
function isWithin(created: number, parameters: Parameters): boolean {
  const read = (name: string) => readInteger(parameters, name, { min: 0, max: LAST_SECOND });
  return (
    created === (read('created') ?? created) &&
    created >= (read('created[gte]') ?? 0) &&
    created > (read('created[gt]') ?? -1) &&
    created <= (read('created[lte]') ?? LAST_SECOND) &&
    created < (read('created[lt]') ?? LAST_SECOND)
  );
}

/** `invoice.*` is all of them. */
function isOfType(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

const listedEvents = (state: State): ApiEvent[] =>
  state.events.filter(({ created }) => created >= state.nowSeconds() - EVENT_SECONDS);

function listEvents(state: State, parameters: Parameters): object {
  const type = parameters.get('type');
  const types = readList(parameters, 'types');
  const found = listedEvents(state)
    .filter(
      (event) =>
        isWithin(event.created, parameters) &&
        (type === undefined || isOfType(event.type, type)) &&
        (types.length === 0 || types.some((pattern) => isOfType(event.type, pattern))),
    )
    .reverse();
  return pageOf(found, '/v1/events', parameters);
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/subscriptions',
    known: { ...PAGE_PARAMETERS, ...namesOf<Stripe.SubscriptionListParams>('customer', 'price', 'status') },
    run: (state, { parameters }) => listSubscriptions(state, parameters),
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    known: { expand: true },
    run: (state, { id }) => subscriptionOf(state, id),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/{id}',
    known: {
      ...namesOf<Stripe.SubscriptionUpdateParams>('cancel_at', 'cancel_at_period_end', 'expand', 'metadata'),
      // Without effect here.
      ...namesOf<Stripe.SubscriptionUpdateParams>('cancellation_details', 'payment_behavior', 'proration_behavior'),
      items: ITEM,
    },
    run: (state, { id, parameters }) => update(state, id, parameters),
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/{id}',
    known: namesOf<Stripe.SubscriptionCancelParams>('cancellation_details', 'expand', 'invoice_now', 'prorate'),
    run(state, { id }) {
      const subscription = subscriptionOf(state, id);
      if (hasEnded(subscription)) throw missing('subscription', id);
      cancelSubscription(state, subscription);
      return subscription;
    },
  },
  {
    method: 'GET',
    path: '/v1/prices/{id}',
    known: { expand: true },
    run(state, { id }) {
      const price = state.prices.get(id);
      if (!price) throw missing('price', id);
      return price;
    },
  },
  {
    method: 'GET',
    path: '/v1/events',
    known: { ...PAGE_PARAMETERS, ...namesOf<Stripe.EventListParams>('created', 'type', 'types') },
    run: (state, { parameters }) => listEvents(state, parameters),
  },
  {
    method: 'GET',
    path: '/v1/events/{id}',
    known: {},
    run(state, { id }) {
      const event = listedEvents(state).find((one) => one.id === id);
      if (!event) throw missing('event', id);
      return event;
    },
  },
];
