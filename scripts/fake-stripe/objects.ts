// Objects and errors of the Stripe API, with the fields that Blazon uses (docs.stripe.com/api). Times are in seconds
// since the epoch.
import { randomBytes } from 'node:crypto';

export type Metadata = Readonly<Record<string, string>>;

export interface Price {
  readonly id: string;
  readonly object: 'price';
  readonly currency: string;
  readonly recurring: { readonly interval: 'month' | 'year'; readonly interval_count: number };
  /** Price in the smallest unit of the currency. */
  readonly unit_amount: number;
}

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly metadata: Metadata;
  readonly deleted?: undefined;
  /** Currency of the customer's purchases, or null before the first one. */
  currency: string | null;
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
  readonly allow_promotion_codes: boolean;
  readonly amount_total: number;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
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
  /** Plan change that the portal asks the customer to confirm, or null if the portal shows all its functions. */
  readonly flow: { readonly subscription: string; readonly price: string; readonly after: string } | null;
  readonly url: string;
}

export interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  /** Like in the current Stripe API, each item has the billing period, and the subscription does not. */
  current_period_start: number;
  current_period_end: number;
  price: Price;
}

export interface Subscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly customer: string;
  readonly items: List<SubscriptionItem>;
  readonly metadata: Metadata;
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  ended_at: number | null;
  /** Pause of the collection of payments, or null. It does not change the status of the subscription. */
  pause_collection: { behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'; resumes_at: number | null } | null;
  status: 'active' | 'canceled' | 'past_due' | 'trialing' | 'unpaid';
}

export interface List<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly url: string;
}

type EventType =
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `customer.subscription.${'created' | 'updated' | 'deleted'}`
  | `checkout.session.${'completed' | 'expired'}`;

export interface ApiEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  /** Copy of the object at the time of the event. */
  readonly data: { readonly object: Customer | Subscription | CheckoutSession };
  readonly livemode: false;
  readonly type: EventType;
}

export const listOf = <Item>(data: readonly Item[], limit = data.length): List<Item> => ({
  object: 'list',
  data: data.slice(0, limit),
  has_more: data.length > limit,
  url: '/v1',
});

/** Returns a random id with as many characters as Stripe's ids. */
export function newId(prefix: string, characters = 24): string {
  return prefix + randomBytes(characters / 2).toString('hex');
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fields: {
      readonly type: 'invalid_request_error' | 'api_error' | 'idempotency_error';
      readonly message: string;
      readonly code?: string;
      readonly param?: string;
    },
  ) {
    super(fields.message);
  }
}

export function invalid(message: string, more: { readonly param?: string; readonly code?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...more });
}

/**
 * Creates the error for an object that does not exist. The status is 400 if the parameter `param` contains the id, and
 * 404 if the path contains it.
 */
export function missing(what: string, id: string, param?: string): ApiError {
  const message = `No such ${what}: '${id}'`;
  const fields = { type: 'invalid_request_error', code: 'resource_missing', message, param: param ?? 'id' } as const;
  return new ApiError(param === undefined ? 404 : 400, fields);
}
