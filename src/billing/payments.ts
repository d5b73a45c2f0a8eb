// Interface to a payment provider: customers, checkouts, subscriptions and events.
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

/** Change of an open subscription to another offer. */
export interface PlanChange {
  readonly subscriptionId: string;
  readonly offer: Offer;
}

export interface PaymentPage {
  readonly id: string;
  readonly url: string;
}

export interface Customer {
  readonly customerId: string;
  readonly accountId: AccountId;
}

/**
 * All methods except `readEvent` call the payment provider. A call takes at most five seconds. The methods reject with
 * AppError `conflict` if the provider rejects the request permanently. They reject with `billing_unavailable` if the
 * provider is not configured, does not respond (`PaymentsAwayError`), or rejects this service's credentials.
 */
export interface Payments extends Customers {
  /**
   * Creates a customer and returns its id. `attempt` is an idempotency key: calls with the same value within a day
   * return the same customer.
   */
  createCustomer(owner: { readonly accountId: AccountId; readonly email: string }, attempt: string): Promise<string>;
  /**
   * Sets the customer's e-mail address, to which the provider mails invoices. Does nothing if the customer was deleted,
   * or if the provider rejects the address. A repeated call has no further effect.
   */
  setEmail(customerId: string, email: string): Promise<void>;
  /**
   * Returns all subscriptions of the customer, including ended subscriptions. Returns undefined if the customer was
   * deleted. The provider does not state `pastDueSince`, so it is always null.
   */
  subscriptions(customerId: string): Promise<readonly Subscription[] | undefined>;
  /**
   * Returns the customer's open checkout of this offer, or creates one. Closes open checkouts of other offers, because
   * the customer could otherwise pay two checkouts. Returns `already_subscribed` if a checkout was paid in the
   * meantime, `not_sold` if the offer has no price, `no_customer` if the customer was deleted.
   */
  checkout(customer: Customer, offer: Offer): Promise<PaymentPage | 'already_subscribed' | 'not_sold' | 'no_customer'>;
  /**
   * Returns a page on which the customer changes the payment method, the plan and the subscription. With `change`, the
   * page only asks the customer to confirm this change, if the provider supports this. Returns undefined if the
   * customer was deleted.
   */
  portal(customerId: string, change?: PlanChange): Promise<PaymentPage | undefined>;
  /**
   * Sets whether the subscription ends with its current period (`cancel` true) or continues (false). Returns undefined
   * if there is no open subscription with this id.
   */
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<Subscription | undefined>;
  /** Returns the prices of the offers that are for sale. Omits prices that cannot be read. */
  prices(): Promise<readonly Price[]>;
  /**
   * Returns problems with the configured prices, for the operator: prices that do not exist, and prices with a billing
   * interval that differs from the offer. Each problem is a sentence with the name of the environment variable.
   */
  priceProblems(): Promise<readonly string[]>;
  /**
   * Verifies and parses an event, without I/O. Throws AppError `invalid_request` unless the payload has a valid and
   * recent signature of the provider.
   */
  readEvent(payload: Buffer, signature: string | undefined): PaymentEvent;
}
