// Payments: customers, checkouts and subscriptions at the payment provider, and the events that it sends.
import type { AccountId } from '../accounts/account.js';
import type { Customers } from '../accounts/customers.js';
import type { BillingInterval, PaidPlan, Subscription } from '../accounts/subscription.js';
import type { PaymentEvent } from './payment-event-store.js';

export interface Offer {
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
}

export interface Price extends Offer {
  /** Amount in the smallest unit of the currency, such as cents; null if the price has no fixed amount. */
  readonly amount: number | null;
  /** ISO 4217 code in lower case. */
  readonly currency: string;
}

/** A switch of an open subscription to another offer. */
export interface PlanChange {
  readonly subscriptionId: string;
  readonly offer: Offer;
}

/** A page at the payment provider. */
export interface PaymentPage {
  readonly id: string;
  readonly url: string;
}

export interface Customer {
  readonly customerId: string;
  readonly accountId: AccountId;
}

/**
 * Every method except `readEvent` calls the payment provider, for at most five seconds. The methods reject with
 * AppError `conflict` if the provider refuses the request and would refuse a retry. They reject with
 * `billing_unavailable` if the provider does not answer (`PaymentsAwayError` of src/platform/errors.ts), rejects this
 * service's credentials, or is not configured.
 */
export interface Payments extends Customers {
  /**
   * Creates a customer and returns its id. `attempt` is an idempotency key: calls with the same value within a day
   * create one customer and all return its id.
   */
  createCustomer(owner: { readonly accountId: AccountId; readonly email: string }, attempt: string): Promise<string>;
  /**
   * Sets the customer's address, to which the provider mails invoices. Changes nothing if the customer was deleted, or
   * if the provider rejects the address. Safe to repeat.
   */
  setEmail(customerId: string, email: string): Promise<void>;
  /**
   * Returns all subscriptions, including ended ones, with `pastDueSince: null`. Returns undefined if the customer was
   * deleted.
   */
  subscriptions(customerId: string): Promise<readonly Subscription[] | undefined>;
  /**
   * Returns the customer's open checkout of this offer, or a new one. Closes checkouts of other offers, because the
   * customer could pay two of them. `already_subscribed`: a checkout was paid in the meantime; `not_sold`: the offer
   * has no price; `no_customer`: the customer was deleted.
   */
  checkout(customer: Customer, offer: Offer): Promise<PaymentPage | 'already_subscribed' | 'not_sold' | 'no_customer'>;
  /**
   * Returns a page on which the customer changes payment method, plan and subscription. With `change`, the page asks
   * the customer to confirm that change, if the provider offers it. Returns undefined if the customer was deleted.
   */
  portal(customerId: string, change?: PlanChange): Promise<PaymentPage | undefined>;
  /**
   * Schedules the end of a subscription for the end of its period, or cancels that. Returns undefined if there is no
   * open subscription with this id.
   */
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<Subscription | undefined>;
  /** Returns the prices of the sold offers, as far as they can be read. */
  prices(): Promise<readonly Price[]>;
  /**
   * Returns problems of these prices for the operator. Each is one sentence with the variable and the fault. A price is
   * wrong if it does not exist, or if its billing interval is not the offer's.
   */
  priceProblems(): Promise<readonly string[]>;
  /**
   * Verifies and parses an event, without I/O. Throws AppError `invalid_request` unless the signature is the
   * provider's, matches these bytes and is recent.
   */
  readEvent(payload: Buffer, signature: string | undefined): PaymentEvent;
}
