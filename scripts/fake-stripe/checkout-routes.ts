// Routes of Checkout sessions.
import type Stripe from 'stripe';
import { invalid, missing, refused } from './api-error.js';
import { namesOf, type ApiRoute } from './api-route.js';
import { DAY_SECONDS } from './lifecycle.js';
import { PAGE_PARAMETERS, pageOf } from './lists.js';
import { newSession } from './new-sessions.js';
import {
  readBoolean,
  readInteger,
  readMetadata,
  readOneOf,
  readUrl,
  required,
  type KnownParameters,
  type Parameters,
} from './parameters.js';
import { expireSession } from './passing-time.js';
import { liveCustomer, sessionOf, type Order, type State } from './state.js';
import type { CheckoutSession } from './wire.js';

const MIN_EXPIRY_SECONDS = 30 * 60;
const MAX_TRIAL_DAYS = 730;
const MAX_REFERENCE_CHARACTERS = 200;
const MAX_QUANTITY = 999_999;
const PRICE = 'line_items[0][price]';

type CreateParams = Stripe.Checkout.SessionCreateParams;
const LINE_ITEM: readonly (keyof Stripe.Checkout.SessionCreateParams.LineItem)[] = [
  'adjustable_quantity',
  'price',
  'quantity',
];
const SUBSCRIPTION_DATA: readonly (keyof Stripe.Checkout.SessionCreateParams.SubscriptionData)[] = [
  'billing_mode',
  'description',
  'metadata',
  'trial_period_days',
  'trial_settings',
];

const CREATE: KnownParameters = {
  ...namesOf<CreateParams>('allow_promotion_codes', 'cancel_url', 'client_reference_id', 'customer', 'customer_email'),
  ...namesOf<CreateParams>('expires_at', 'metadata', 'mode', 'success_url', 'ui_mode'),
  // Without effect here.
  ...namesOf<CreateParams>('automatic_tax', 'billing_address_collection', 'consent_collection', 'custom_text'),
  ...namesOf<CreateParams>(
    'customer_update',
    'expand',
    'locale',
    'payment_method_collection',
    'allowed_payment_method_types',
  ),
  ...namesOf<CreateParams>('phone_number_collection', 'saved_payment_method_options', 'submit_type'),
  ...namesOf<CreateParams>('tax_id_collection', 'adaptive_pricing', 'branding_settings'),
  line_items: LINE_ITEM,
  subscription_data: SUBSCRIPTION_DATA,
};

function readOrder(state: State, parameters: Parameters): Order {
  const id = required(parameters, PRICE);
  const price = state.prices.get(id);
  if (!price) throw missing('price', id, PRICE);
  if ([...parameters.keys()].some((name) => name.startsWith('line_items[1]')))
    throw invalid('The fake sells one price at a time.', 'line_items[1]');
  return {
    price,
    quantity: readInteger(parameters, 'line_items[0][quantity]', { min: 1, max: MAX_QUANTITY }) ?? 1,
    metadata: readMetadata(parameters, 'subscription_data[metadata]'),
    description: parameters.get('subscription_data[description]') ?? null,
    trialDays: readInteger(parameters, 'subscription_data[trial_period_days]', { min: 1, max: MAX_TRIAL_DAYS }) ?? 0,
  };
}

function readCustomer(state: State, parameters: Parameters): Pick<CheckoutSession, 'customer' | 'customer_email'> {
  const [customer, email] = [parameters.get('customer'), parameters.get('customer_email')];
  if (customer !== undefined && email !== undefined)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer_email');
  if (customer !== undefined) liveCustomer(state, customer, 'customer');
  return { customer: customer ?? null, customer_email: email ?? null };
}

function createSession(state: State, parameters: Parameters): CheckoutSession {
  required(parameters, 'mode');
  readOneOf(parameters, 'mode', ['subscription']);
  readOneOf(parameters, 'ui_mode', ['hosted_page']);
  required(parameters, 'success_url');
  const reference = parameters.get('client_reference_id') ?? null;
  if (reference !== null && reference.length > MAX_REFERENCE_CHARACTERS)
    throw invalid(`Invalid string: must be at most ${MAX_REFERENCE_CHARACTERS} characters`, 'client_reference_id');
  const now = state.nowSeconds();
  const expiresIn = { min: now + MIN_EXPIRY_SECONDS, max: now + DAY_SECONDS };
  const order = readOrder(state, parameters);
  const session = newSession(state, {
    allow_promotion_codes: readBoolean(parameters, 'allow_promotion_codes') ?? null,
    amount: order.price.unit_amount * order.quantity,
    cancel_url: readUrl(parameters, 'cancel_url') ?? null,
    client_reference_id: reference,
    currency: order.price.currency,
    ...readCustomer(state, parameters),
    expires_at: readInteger(parameters, 'expires_at', expiresIn) ?? expiresIn.max,
    metadata: readMetadata(parameters, 'metadata'),
    success_url: readUrl(parameters, 'success_url') ?? null,
  });
  state.sessions.set(session.id, session);
  state.orders.set(session.id, order);
  return session;
}

export const checkoutRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    known: CREATE,
    run: (state, { parameters }) => createSession(state, parameters),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    known: { ...PAGE_PARAMETERS, ...namesOf<Stripe.Checkout.SessionListParams>('customer', 'status', 'subscription') },
    run(state, { parameters }) {
      const status = readOneOf(parameters, 'status', ['open', 'complete', 'expired']);
      const [customer, subscription] = [parameters.get('customer'), parameters.get('subscription')];
      const found = [...state.sessions.values()]
        .reverse()
        .filter(
          (session) =>
            (status === undefined || session.status === status) &&
            (customer === undefined || session.customer === customer) &&
            (subscription === undefined || session.subscription === subscription),
        );
      return pageOf(found, '/v1/checkout/sessions', parameters);
    },
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/{id}',
    known: { expand: true },
    run: (state, { id }) => sessionOf(state, id),
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/{id}/expire',
    known: { expand: true },
    run(state, { id }) {
      const session = sessionOf(state, id);
      if (session.status !== 'open')
        throw refused(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ` +
            `\`${session.status}\`.`,
        );
      expireSession(state, session);
      return session;
    },
  },
];
