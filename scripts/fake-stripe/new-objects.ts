// New prices, customers and lists of the Stripe API with all their fields.
import { newId, type State } from './state.js';
import type { Customer, List, Plan, Price } from './wire.js';

export interface PriceOptions {
  readonly id: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** ISO 4217 in lower case; `usd` when absent. */
  readonly currency?: string;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  /** Intervals between two payments; 1 when absent. */
  readonly intervalCount?: number;
  /** `prod_…`; made up when absent. */
  readonly product?: string;
}

export const listOf = <Item>(url: string, data: Item[], hasMore = false): List<Item> => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
});

export function newPrice(
  state: State,
  { id, amount, currency = 'usd', interval, intervalCount = 1, product }: PriceOptions,
): Price {
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
    recurring: {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
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
