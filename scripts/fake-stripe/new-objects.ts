// New objects of the Stripe API with all their fields.
import { newId, type Order, type State } from './state.js';
import type {
  CheckoutSession,
  Customer,
  List,
  Plan,
  PortalSession,
  Price,
  Subscription,
  SubscriptionItem,
  SubscriptionStatus,
} from './wire.js';

export interface PriceOptions {
  readonly id: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** ISO 4217 in lower case; `usd` when absent. */
  readonly currency?: string;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  /** `prod_…`; made up when absent. */
  readonly product?: string;
}

export const listOf = <Item>(url: string, data: Item[], hasMore = false): List<Item> => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
});

export function newPrice(state: State, { id, amount, currency = 'usd', interval, product }: PriceOptions): Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: state.nowSeconds(),
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: product ?? newId('prod_', 14),
    recurring: { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
}

/** The older form of a price, which items still carry. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring.interval,
    interval_count: price.recurring.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export type CustomerFields = Pick<Customer, 'email' | 'description' | 'metadata'> & {
  readonly name: string | null;
  readonly phone: string | null;
};

export function newCustomer(state: State, fields: CustomerFields): Customer {
  return {
    id: newId('cus_', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: state.nowSeconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    discount: null,
    invoice_prefix: newId('', 8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    next_invoice_sequence: 1,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...fields,
  };
}

export interface SubscriptionOptions {
  readonly customer: string;
  readonly order: Order;
  readonly status: SubscriptionStatus;
  /** Of the first period, seconds since the epoch. */
  readonly periodEnd: number;
  /** Seconds since the epoch; null without a trial. */
  readonly trialEnd: number | null;
}

const PLAIN_SUBSCRIPTION = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  latest_invoice: null,
  livemode: false,
  managed_payments: { enabled: false },
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'off',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
} satisfies Partial<Subscription>;

export function newSubscription(state: State, options: SubscriptionOptions): Subscription {
  const { customer, order, status, periodEnd, trialEnd } = options;
  const id = newId('sub_1');
  const now = state.nowSeconds();
  const item: SubscriptionItem = {
    id: newId('si_', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: periodEnd,
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(order.price),
    price: structuredClone(order.price),
    quantity: order.quantity,
    subscription: id,
    tax_rates: [],
  };
  return {
    ...structuredClone(PLAIN_SUBSCRIPTION),
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    created: now,
    currency: order.price.currency,
    customer,
    default_payment_method: newId('pm_1'),
    description: order.description,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    metadata: { ...order.metadata },
    start_date: now,
    status,
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  };
}

export interface SessionFields extends Pick<
  CheckoutSession,
  | 'allow_promotion_codes'
  | 'cancel_url'
  | 'client_reference_id'
  | 'customer'
  | 'customer_email'
  | 'expires_at'
  | 'metadata'
  | 'success_url'
> {
  readonly amount: number;
  readonly currency: string;
}

const PLAIN_SESSION = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_details: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: { enabled: false },
  mode: 'subscription',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always'],
    payment_method_remove: 'disabled',
    payment_method_save: null,
  },
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<CheckoutSession>;

export function newSession(state: State, { amount, currency, ...fields }: SessionFields): CheckoutSession {
  const id = newId('cs_test_a1', 56);
  return {
    ...structuredClone(PLAIN_SESSION),
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    created: state.nowSeconds(),
    currency,
    customer_creation: fields.customer === null ? 'always' : null,
    url: `${state.base}/c/pay/${id}`,
    ...fields,
  };
}

export function newPortalSession(state: State, customer: string, returnUrl: string | null): PortalSession {
  return {
    id: newId('bps_1'),
    object: 'billing_portal.session',
    configuration: 'bpc_1fake',
    created: state.nowSeconds(),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${state.base}/p/session/test_${newId('', 32)}`,
  };
}
