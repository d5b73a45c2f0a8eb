// A new subscription of the Stripe API with all its fields.
import { listOf, planOf } from './new-objects.js';
import { newId, type Order, type State } from './state.js';
import type { Subscription, SubscriptionItem, SubscriptionStatus } from './wire.js';

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
