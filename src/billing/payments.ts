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
  /** In the smallest unit of the currency, as cents; null where the price has no fixed amount. */
  readonly amount: number | null;
  /** ISO 4217, lower case. */
  readonly currency: string;
}

/** Another offer for a subscription that is open. */
export interface PlanChange {
  readonly subscriptionId: string;
  readonly offer: Offer;
}

/** A page of the payment provider. */
export interface PaymentPage {
  readonly id: string;
  readonly url: string;
}

export interface Customer {
  readonly customerId: string;
  readonly accountId: AccountId;
}

/**
 * Every method but `readEvent` asks the payment provider, for five seconds at most. It rejects with AppError `conflict` when the
 * provider refuses the request, as it would again, and with `billing_unavailable` when the provider does not answer
 * (`PaymentsAwayError` of src/platform/errors.ts), does not accept the credentials of this service, or is not configured.
 */
export interface Payments extends Customers {
  /**
   * The new customer's id. `attempt`: of calls with the same one within a day, only the first creates a customer, and all
   * resolve with its id.
   */
  createCustomer(owner: { readonly accountId: AccountId; readonly email: string }, attempt: string): Promise<string>;
  /**
   * Sets the customer's address, to which invoices are mailed. Changes nothing when the customer was deleted, or the provider
   * does not accept the address. Safe to repeat.
   */
  setEmail(customerId: string, email: string): Promise<void>;
  /** Ended ones, too; `pastDueSince` is null. Undefined: the customer was deleted. */
  subscriptions(customerId: string): Promise<readonly Subscription[] | undefined>;
  /**
   * The customer's open checkout of this offer, else a new one. Those of other offers are closed: two could be paid.
   * `already_subscribed`: one was paid meanwhile; `not_sold`: nothing is sold under this offer; `no_customer`: it was deleted.
   */
  checkout(customer: Customer, offer: Offer): Promise<PaymentPage | 'already_subscribed' | 'not_sold' | 'no_customer'>;
  /**
   * A page on which the customer changes payment method, plan and subscription; with `change`, one that asks to confirm that
   * change, where the provider offers it. Undefined as for `subscriptions`.
   */
  portal(customerId: string, change?: PlanChange): Promise<PaymentPage | undefined>;
  /** Ends a subscription at the end of its period, or undoes that. Undefined: there is no such open subscription. */
  setCancelAtPeriodEnd(subscriptionId: string, cancel: boolean): Promise<Subscription | undefined>;
  /** Prices of the offers that are sold, as far as they can be read. */
  prices(): Promise<readonly Price[]>;
  /**
   * Problems of these prices, for the operator: one sentence each, with the variable and what the price is. A price is wrong when it
   * does not exist, or is not charged by the interval of its offer.
   */
  priceProblems(): Promise<readonly string[]>;
  /** Throws AppError `invalid_request` unless the signature is of the provider, of these bytes and of now. No I/O. */
  readEvent(payload: Buffer, signature: string | undefined): PaymentEvent;
}
