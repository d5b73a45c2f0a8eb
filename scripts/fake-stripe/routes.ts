// Routes of the Stripe API for subscriptions, with form-encoded parameters: `line_items[0][price]=…`.
import { cancel, DAY_SECONDS, expireSession, scheduleCancellation } from './lifecycle.js';
import {
  invalid,
  listOf,
  newId,
  type CheckoutSession,
  type Customer,
  type Metadata,
  type PortalSession,
  type Price,
} from './objects.js';
import { found, liveCustomer, subscriptionsOf, type State } from './state.js';

const PRICE = 'line_items[0][price]';
const MAX_LISTED = 100;
const DEFAULT_LISTED = 10;

interface ApiRequest {
  readonly state: State;
  readonly parameters: Parameters;
  /** Id in the path, or an empty string. */
  readonly id: string;
}

interface ApiRoute {
  /** Method and path of the route, with `{id}`. */
  readonly name: string;
  /** Names of the accepted parameters. A name that ends in `[` allows any suffix. */
  readonly known: readonly string[];
  /** Executes the request. Throws `ApiError` before it changes anything. */
  readonly run: (request: ApiRequest) => object;
}

const ROUTES: readonly ApiRoute[] = [
  { name: 'POST /v1/customers', known: ['email', 'metadata['], run: createCustomer },
  { name: 'GET /v1/customers/{id}', known: [], run: ({ state, id }) => found(state.customers, 'customer', id) },
  { name: 'POST /v1/customers/{id}', known: ['email'], run: updateCustomer },
  { name: 'DELETE /v1/customers/{id}', known: [], run: deleteCustomer },
  { name: 'POST /v1/billing_portal/sessions', known: ['customer', 'return_url', 'flow_data['], run: openPortal },
  {
    name: 'POST /v1/checkout/sessions',
    known: [
      ...['mode', 'customer', 'client_reference_id', 'allow_promotion_codes', 'success_url', 'cancel_url'],
      ...[PRICE, 'line_items[0][quantity]', 'metadata[', 'subscription_data[metadata]['],
    ],
    run: createSession,
  },
  { name: 'GET /v1/checkout/sessions', known: ['customer', 'status', 'limit'], run: listSessions },
  { name: 'POST /v1/checkout/sessions/{id}/expire', known: [], run: expire },
  { name: 'GET /v1/subscriptions', known: ['customer', 'status', 'limit'], run: listSubscriptions },
  {
    name: 'GET /v1/subscriptions/{id}',
    known: [],
    run: ({ state, id }) => found(state.subscriptions, 'subscription', id),
  },
  { name: 'POST /v1/subscriptions/{id}', known: ['cancel_at_period_end', 'cancel_at'], run: updateCancellation },
  { name: 'GET /v1/prices/{id}', known: [], run: ({ state, id }) => found(state.prices, 'price', id) },
];

interface FoundRoute {
  readonly name: string;
  /** Executes the request. `texts` are the query and the body, form-encoded. Throws `ApiError`. */
  readonly run: (state: State, ...texts: readonly string[]) => object;
}

/** Returns the route of a method and path, or undefined. `path` is without the query. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  for (const { name, known, run } of ROUTES) {
    const match = new RegExp(`^${name.replace('{id}', '([^/]+)')}$`).exec(`${method} ${path}`);
    const id = match?.[1] ?? '';
    if (match)
      return { name, run: (state, ...texts) => run({ state, parameters: readParameters(known, ...texts), id }) };
  }
  return undefined;
}

/** Parameters by name, including brackets: `line_items[0][price]`. */
type Parameters = ReadonlyMap<string, string>;

/**
 * Reads form-encoded parameters. Throws status 400 with `parameter_unknown` for a name that is not in `known`. A known
 * name that ends in `[` allows any suffix.
 */
function readParameters(known: readonly string[], ...texts: readonly string[]): Parameters {
  const parameters = new Map(texts.flatMap((text) => [...new URLSearchParams(text)]));
  for (const param of parameters.keys())
    if (!known.some((one) => param === one || (one.endsWith('[') && param.startsWith(one))))
      throw invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
  return parameters;
}

function required(parameters: Parameters, param: string): string {
  const value = parameters.get(param) ?? '';
  if (value === '') throw invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  return value;
}

function readOneOf<Value extends string>(
  parameters: Parameters,
  param: string,
  values: readonly Value[],
): Value | undefined {
  const given = parameters.get(param);
  const value = values.find((one) => one === given);
  if (value !== given) throw invalid(`Invalid ${param}: must be one of ${values.join(', ')}`, { param });
  return value;
}

/** Returns the values of `name[key]` by key. */
function readMetadata(parameters: Parameters, name: string): Metadata {
  const own = [...parameters].filter(([full]) => full.startsWith(`${name}[`));
  return Object.fromEntries(own.map(([full, value]) => [full.slice(name.length + 1, -1), value]));
}

/** Returns the id of the customer in the parameters. Throws status 400 if the customer is unknown or deleted. */
const customerIn = (state: State, parameters: Parameters): string =>
  liveCustomer(state, required(parameters, 'customer'), 'customer').id;

function limitIn(parameters: Parameters): number {
  const limit = Number(parameters.get('limit') ?? DEFAULT_LISTED);
  if (!(limit >= 1 && limit <= MAX_LISTED)) throw invalid(`Invalid integer: ${limit}`, { param: 'limit' });
  return limit;
}

function createCustomer({ state, parameters }: ApiRequest): Customer {
  const customer: Customer = {
    id: newId('cus_', 14),
    object: 'customer',
    metadata: readMetadata(parameters, 'metadata'),
    currency: null,
    email: parameters.get('email') ?? null,
  };
  state.customers.set(customer.id, customer);
  state.emit('customer.created', customer);
  return customer;
}

function updateCustomer({ state, parameters, id }: ApiRequest): Customer {
  const customer = liveCustomer(state, id);
  customer.email = parameters.get('email') ?? customer.email;
  state.emit('customer.updated', customer);
  return customer;
}

/** Deletes a customer and ends the customer's subscriptions immediately. */
function deleteCustomer({ state, id }: ApiRequest): object {
  const customer = liveCustomer(state, id);
  for (const subscription of subscriptionsOf(state, id))
    if (subscription.status !== 'canceled') cancel(state, subscription);
  const deleted = { id, object: 'customer', deleted: true } as const;
  state.customers.set(id, deleted);
  state.emit('customer.deleted', customer);
  return deleted;
}

function openPortal({ state, parameters }: ApiRequest): PortalSession {
  const path = `/p/session/test_${newId('', 32)}`;
  const session: PortalSession = {
    id: newId('bps_1'),
    object: 'billing_portal.session',
    customer: customerIn(state, parameters),
    return_url: parameters.get('return_url') ?? null,
    flow: readFlow(state, parameters),
    url: state.base + path,
  };
  state.portals.set(path, session);
  return session;
}

/**
 * Returns the plan change that the customer must confirm, or null if the request contains none. Throws if the portal
 * does not allow plan changes.
 */
function readFlow(state: State, parameters: Parameters): PortalSession['flow'] {
  const type = readOneOf(parameters, 'flow_data[type]', ['subscription_update_confirm']);
  if (type === undefined) return null;
  if (!state.portal.allowsPlanChanges)
    throw invalid('This subscription cannot be updated because the subscription update feature is disabled.');
  const change = `flow_data[${type}]`;
  const subscription = found(state.subscriptions, 'subscription', required(parameters, `${change}[subscription]`));
  const items = subscription.items.data.map(({ id }) => id);
  readOneOf(parameters, `${change}[items][0][id]`, items);
  const price = found(state.prices, 'price', required(parameters, `${change}[items][0][price]`));
  const after = required(parameters, 'flow_data[after_completion][redirect][return_url]');
  return { subscription: subscription.id, price: price.id, after };
}

function createSession({ state, parameters }: ApiRequest): CheckoutSession {
  required(parameters, 'mode');
  readOneOf(parameters, 'mode', ['subscription']);
  const price = found(state.prices, 'price', required(parameters, PRICE), PRICE);
  const id = newId('cs_test_a1', 56);
  const customer = customerIn(state, parameters);
  assertCurrency(liveCustomer(state, customer), price);
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    allow_promotion_codes: parameters.get('allow_promotion_codes') === 'true',
    amount_total: price.unit_amount,
    cancel_url: parameters.get('cancel_url') ?? null,
    client_reference_id: parameters.get('client_reference_id') ?? null,
    currency: price.currency,
    customer,
    expires_at: state.now() + DAY_SECONDS,
    metadata: readMetadata(parameters, 'metadata'),
    mode: 'subscription',
    success_url: required(parameters, 'success_url'),
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    url: `${state.base}/c/pay/${id}`,
  };
  state.sessions.set(id, session);
  state.orders.set(id, { price, metadata: readMetadata(parameters, 'subscription_data[metadata]') });
  return session;
}

/** Throws if the customer has bought something in another currency. */
function assertCurrency({ currency }: Customer, price: Price): void {
  if (currency !== null && currency !== price.currency)
    throw invalid(
      'You cannot combine currencies on a single customer. This customer has an active subscription, subscription ' +
        `schedule, discount, quote, or invoice item with currency ${currency}.`,
    );
}

function listSessions({ state, parameters }: ApiRequest): object {
  const status = readOneOf(parameters, 'status', ['open', 'complete', 'expired']);
  const customer = customerIn(state, parameters);
  const own = [...state.sessions.values()].filter((one) => one.customer === customer).reverse();
  return listOf(
    own.filter((one) => status === undefined || one.status === status),
    limitIn(parameters),
  );
}

function expire({ state, id }: ApiRequest): CheckoutSession {
  const session = found(state.sessions, 'checkout.session', id);
  if (session.status !== 'open') throw invalid(`Only open sessions can be expired; this one is ${session.status}.`);
  expireSession(state, session);
  return session;
}

function listSubscriptions({ state, parameters }: ApiRequest): object {
  const isAll = readOneOf(parameters, 'status', ['all']) === 'all';
  const own = subscriptionsOf(state, customerIn(state, parameters));
  return listOf(
    own.filter(({ status }) => isAll || status !== 'canceled'),
    limitIn(parameters),
  );
}

function updateCancellation({ state, parameters, id }: ApiRequest): object {
  const subscription = found(state.subscriptions, 'subscription', id);
  const atPeriodEnd = readOneOf(parameters, 'cancel_at_period_end', ['true', 'false']);
  const at = readOneOf(parameters, 'cancel_at', ['']);
  if (at !== undefined && atPeriodEnd !== undefined)
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.');
  if (atPeriodEnd === 'true') scheduleCancellation(state, subscription, 'period end');
  // `cancel_at_period_end=false` removes a cancellation that is scheduled for the end of the period. A cancellation set
  // in the customer portal remains, because it has only a time (`cancel_at`). An empty `cancel_at` removes only a time.
  else if (at === '' ? subscription.cancel_at !== null : subscription.cancel_at_period_end)
    scheduleCancellation(state, subscription, null);
  return subscription;
}
