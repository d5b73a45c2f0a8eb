// Objects of the Stripe API, with the fields that a subscription billing reads (docs.stripe.com/api).
import { newId } from './ids.js';

export type Metadata = Readonly<Record<string, string>>;
export type Interval = 'day' | 'week' | 'month' | 'year';

export interface Price {
  readonly id: string;
  readonly object: 'price';
  readonly active: boolean;
  readonly currency: string;
  readonly product: string;
  readonly recurring: { readonly interval: Interval; readonly interval_count: number };
  /** In the smallest unit of the currency. */
  readonly unit_amount: number;
}

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly metadata: Metadata;
  readonly deleted?: undefined;
  email: string | null;
}

export interface DeletedCustomer {
  readonly id: string;
  readonly object: 'customer';
  readonly deleted: true;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_total: number;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly currency: string;
  readonly customer: string;
  readonly expires_at: number;
  readonly metadata: Metadata;
  readonly mode: 'subscription';
  readonly success_url: string;
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  url: string | null;
}

export interface PortalSession {
  readonly id: string;
  readonly object: 'billing_portal.session';
  readonly customer: string;
  readonly return_url: string | null;
  readonly url: string;
}

export interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  price: Price;
  readonly quantity: number;
  /** The billing period is here, not on the subscription. */
  current_period_start: number;
  current_period_end: number;
}

export type SubscriptionStatus =
  'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'paused' | 'trialing' | 'unpaid';

export interface Subscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly created: number;
  readonly customer: string;
  readonly items: List<SubscriptionItem>;
  readonly metadata: Metadata;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  status: SubscriptionStatus;
}

export interface List<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly url: string;
}

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.created'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.deleted'
  | 'customer.subscription.paused'
  | 'customer.subscription.resumed'
  | 'customer.subscription.updated'
  | 'customer.updated';

export type ApiObject = Customer | Subscription | CheckoutSession;

export interface ApiEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  /** As the object was at that moment. */
  readonly data: { readonly object: ApiObject };
  readonly livemode: false;
  readonly type: EventType;
}

export interface PriceOptions {
  readonly id: string;
  readonly amount: number;
  readonly interval: Interval;
  /** Intervals between two payments; 1 when absent. */
  readonly intervalCount?: number;
  readonly product?: string;
}

export function newPrice({ id, amount, interval, intervalCount = 1, product }: PriceOptions): Price {
  return {
    id,
    object: 'price',
    active: true,
    currency: 'usd',
    product: product ?? newId('prod_', 14),
    recurring: { interval, interval_count: intervalCount },
    unit_amount: amount,
  };
}

export const listOf = <Item>(url: string, data: readonly Item[], hasMore = false): List<Item> => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
});
