// A new invoice of the Stripe API with all its fields.
import { listOf } from './new-objects.js';
import { newId, type State } from './state.js';
import type { Customer, Invoice, InvoiceLine, Subscription, SubscriptionItem } from './wire.js';

const PLAIN_INVOICE = {
  account_country: 'US',
  account_name: 'Fake Stripe',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Invoice>;

export interface InvoiceOptions {
  readonly customer: Pick<Customer, 'id' | 'email' | 'invoice_prefix'>;
  readonly subscription: Subscription;
  readonly item: SubscriptionItem;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  readonly number: number;
  /** In the smallest unit of the currency. */
  readonly amount: number;
}

/** Finalized, and open. */
export function newInvoice(state: State, options: InvoiceOptions): Invoice {
  const { customer, subscription, item, reason, amount } = options;
  const id = newId('in_1');
  const now = state.nowSeconds();
  return {
    ...structuredClone(PLAIN_INVOICE),
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    billing_reason: reason,
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: null,
    effective_at: now,
    hosted_invoice_url: `${state.base}/i/${id}`,
    invoice_pdf: `${state.base}/i/${id}/pdf`,
    lines: listOf(`/v1/invoices/${id}/lines`, [newLine(id, options)]),
    number: `${customer.invoice_prefix ?? ''}-${String(options.number).padStart(4, '0')}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    // Of a subscription: the period before the line's.
    period_end: item.current_period_start,
    period_start: subscription.start_date,
    status: 'open',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
  };
}

function newLine(invoice: string, { subscription, item, amount }: InvoiceOptions): InvoiceLine {
  return {
    id: newId('il_1'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: `${item.quantity} × ${item.price.id}`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: { ...subscription.metadata },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}
