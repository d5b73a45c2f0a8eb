// Objects of the Stripe API as they are sent: the types of the official client, narrowed to what the fake makes.
import type Stripe from 'stripe';

type With<Type, Changed> = Omit<Type, keyof Changed> & Changed;

/** Of `GET /v1/…` without an id, newest first. */
export type List<Item> = With<Stripe.ApiList<Item>, { data: Item[] }>;

export type Metadata = Record<string, string>;

/** Decimals are strings on the wire; the client makes objects of them. */
export type Price = With<
  Stripe.Price,
  { unit_amount: number; unit_amount_decimal: string; product: string; recurring: Stripe.Price.Recurring }
>;

export type Plan = With<Stripe.Plan, { amount_decimal: string; product: string }>;

/** The billing period is here, not on the subscription. */
export type SubscriptionItem = With<Stripe.SubscriptionItem, { plan: Plan; price: Price; quantity: number }>;

export type SubscriptionStatus =
  'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'paused' | 'trialing' | 'unpaid';

export type Subscription = With<
  Stripe.Subscription,
  {
    cancellation_details: Stripe.Subscription.CancellationDetails;
    customer: string;
    items: List<SubscriptionItem>;
    latest_invoice: string | null;
    metadata: Metadata;
    status: SubscriptionStatus;
  }
>;

export type InvoiceLine = With<
  Stripe.InvoiceLineItem,
  {
    pricing: With<Stripe.InvoiceLineItem.Pricing, { unit_amount_decimal: string }>;
    quantity_decimal: string;
    subscription: string;
  }
>;

export type Invoice = With<Stripe.Invoice, { customer: string; lines: List<InvoiceLine> }>;

export type Customer = With<Stripe.Customer, { metadata: Metadata }>;
export type DeletedCustomer = Stripe.DeletedCustomer;

export type CheckoutSession = With<
  Stripe.Checkout.Session,
  {
    customer: string | null;
    invoice: string | null;
    metadata: Metadata;
    status: 'open' | 'complete' | 'expired';
    subscription: string | null;
  }
>;

export type PortalSession = Stripe.BillingPortal.Session;

export type ApiObject = Customer | Subscription | Invoice | CheckoutSession;

export type EventType = Extract<
  Stripe.Event.Type,
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.created'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.deleted'
  | 'customer.subscription.paused'
  | 'customer.subscription.resumed'
  | 'customer.subscription.updated'
  | 'customer.updated'
  | 'invoice.created'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.payment_succeeded'
  | 'invoice.voided'
>;

/** The envelope, and the object as it was at that moment. */
export type ApiEvent = With<
  Stripe.EventBase,
  { type: EventType; data: { object: ApiObject; previous_attributes?: Record<string, unknown> } }
>;
