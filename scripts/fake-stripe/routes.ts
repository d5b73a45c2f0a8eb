// Routes of the Stripe API that a subscription billing uses.
import { invalid, missing } from './errors.js';
import { newId } from './ids.js';
import {
  cancelSubscription,
  DAY_SECONDS,
  expireSession,
  hasEnded,
  scheduleCancellation,
  subscriptionsOf,
} from './lifecycle.js';
import { listOf, type CheckoutSession, type Customer, type DeletedCustomer, type Subscription } from './objects.js';
import { readBoolean, readInteger, readMetadata, readOneOf, readUrl, required, type Parameters } from './parameters.js';
import { liveCustomer, sessionOf, subscriptionOf, type State } from './state.js';

const PRICE = 'line_items[0][price]';
const QUANTITY = 'line_items[0][quantity]';
const MAX_QUANTITY = 999_999;
const MAX_LISTED = 100;
const DEFAULT_LISTED = 10;
const LAST_SECOND = 2 ** 40;

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{id}`. */
  readonly path: string;
  /** As of `assertKnown`. */
  readonly known: readonly string[];
  /** Throws `ApiError`, before anything is changed. */
  readonly run: (state: State, parameters: Parameters, id: string) => object;
}

export const ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/customers', known: ['email', 'metadata['], run: createCustomer },
  {
    method: 'GET',
    path: '/v1/customers/{id}',
    known: [],
    run(state, _, id) {
      const customer = state.customers.get(id);
      if (!customer) throw missing('customer', id);
      return customer;
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/{id}',
    known: ['email'],
    run(state, parameters, id) {
      const customer = liveCustomer(state, id);
      customer.email = parameters.get('email') ?? customer.email;
      state.emit('customer.updated', customer);
      return customer;
    },
  },
  { method: 'DELETE', path: '/v1/customers/{id}', known: [], run: (state, _, id) => deleteCustomer(state, id) },
  { method: 'POST', path: '/v1/billing_portal/sessions', known: ['customer', 'return_url'], run: openPortal },
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    known: [
      ...['mode', 'customer', 'client_reference_id', 'allow_promotion_codes', 'success_url', 'cancel_url'],
      ...[PRICE, QUANTITY, 'metadata[', 'subscription_data[metadata]['],
    ],
    run: createSession,
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    known: ['customer', 'status', 'limit'],
    run(state, parameters) {
      const status = readOneOf(parameters, 'status', ['open', 'complete', 'expired']);
      const customer = customerIn(state, parameters);
      const found = [...state.sessions.values()].filter((one) => one.customer === customer).reverse();
      return pageOf(
        found.filter((one) => status === undefined || one.status === status),
        parameters,
      );
    },
  },
  { method: 'GET', path: '/v1/checkout/sessions/{id}', known: [], run: (state, _, id) => sessionOf(state, id) },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/{id}/expire',
    known: [],
    run(state, _, id) {
      const session = sessionOf(state, id);
      if (session.status !== 'open') throw invalid(`Only open sessions can be expired; this one is ${session.status}.`);
      expireSession(state, session);
      return session;
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    known: ['customer', 'status', 'limit'],
    run(state, parameters) {
      const isAll = readOneOf(parameters, 'status', ['all']) === 'all';
      const found = subscriptionsOf(state, customerIn(state, parameters));
      return pageOf(
        found.filter(({ status }) => isAll || status !== 'canceled'),
        parameters,
      );
    },
  },
  { method: 'GET', path: '/v1/subscriptions/{id}', known: [], run: (state, _, id) => subscriptionOf(state, id) },
  {
    method: 'POST',
    path: '/v1/subscriptions/{id}',
    known: ['cancel_at_period_end', 'cancel_at'],
    run: updateCancellation,
  },
  {
    method: 'GET',
    path: '/v1/prices/{id}',
    known: [],
    run(state, _, id) {
      const price = state.prices.get(id);
      if (!price) throw missing('price', id);
      return price;
    },
  },
];

/** 400 for one that was deleted, too. */
function customerIn(state: State, parameters: Parameters): string {
  const id = required(parameters, 'customer');
  return liveCustomer(state, id, 'customer').id;
}

function pageOf(items: readonly object[], parameters: Parameters): object {
  const limit = readInteger(parameters, 'limit', { min: 1, max: MAX_LISTED }) ?? DEFAULT_LISTED;
  return listOf('/v1', items.slice(0, limit), items.length > limit);
}

function createCustomer(state: State, parameters: Parameters): Customer {
  const customer: Customer = {
    id: newId('cus_', 14),
    object: 'customer',
    created: state.nowSeconds(),
    metadata: readMetadata(parameters, 'metadata'),
    email: parameters.get('email') ?? null,
  };
  state.customers.set(customer.id, customer);
  state.emit('customer.created', customer);
  return customer;
}

/** Its subscriptions end at once. */
function deleteCustomer(state: State, id: string): DeletedCustomer {
  const customer = liveCustomer(state, id);
  for (const subscription of subscriptionsOf(state, id))
    if (!hasEnded(subscription)) cancelSubscription(state, subscription);
  const deleted: DeletedCustomer = { id, object: 'customer', deleted: true };
  state.customers.set(id, deleted);
  state.emit('customer.deleted', customer);
  return deleted;
}

function openPortal(state: State, parameters: Parameters): object {
  const path = `/p/session/test_${newId('', 32)}`;
  const session = {
    id: newId('bps_1'),
    object: 'billing_portal.session',
    customer: customerIn(state, parameters),
    return_url: readUrl(parameters, 'return_url') ?? null,
    url: state.base + path,
  } as const;
  state.portals.set(path, session);
  return session;
}

function createSession(state: State, parameters: Parameters): CheckoutSession {
  required(parameters, 'mode');
  readOneOf(parameters, 'mode', ['subscription']);
  const priceId = required(parameters, PRICE);
  const price = state.prices.get(priceId);
  if (!price) throw missing('price', priceId, PRICE);
  const quantity = readInteger(parameters, QUANTITY, { min: 1, max: MAX_QUANTITY }) ?? 1;
  readBoolean(parameters, 'allow_promotion_codes');
  required(parameters, 'success_url');
  const id = newId('cs_test_a1', 56);
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    amount_total: price.unit_amount * quantity,
    cancel_url: readUrl(parameters, 'cancel_url') ?? null,
    client_reference_id: parameters.get('client_reference_id') ?? null,
    created: state.nowSeconds(),
    currency: price.currency,
    customer: customerIn(state, parameters),
    expires_at: state.nowSeconds() + DAY_SECONDS,
    metadata: readMetadata(parameters, 'metadata'),
    mode: 'subscription',
    success_url: readUrl(parameters, 'success_url') ?? '',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    url: `${state.base}/c/pay/${id}`,
  };
  state.sessions.set(id, session);
  state.orders.set(id, { price, quantity, metadata: readMetadata(parameters, 'subscription_data[metadata]') });
  return session;
}

function updateCancellation(state: State, parameters: Parameters, id: string): Subscription {
  const subscription = subscriptionOf(state, id);
  if (hasEnded(subscription)) throw invalid('A canceled subscription can not be changed.');
  const atPeriodEnd = readBoolean(parameters, 'cancel_at_period_end');
  const cancelAt = parameters.get('cancel_at');
  if (cancelAt !== undefined && atPeriodEnd !== undefined)
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', 'cancel_at');
  if (cancelAt === '') scheduleCancellation(state, subscription, null);
  else if (cancelAt !== undefined) {
    const range = { min: state.nowSeconds(), max: LAST_SECOND };
    scheduleCancellation(state, subscription, readInteger(parameters, 'cancel_at', range) ?? null);
  } else if (atPeriodEnd === true) scheduleCancellation(state, subscription, 'period end');
  // A time that was set by itself, as the portal does, is not undone by this flag.
  else if (atPeriodEnd === false && subscription.cancel_at_period_end) scheduleCancellation(state, subscription, null);
  return subscription;
}
