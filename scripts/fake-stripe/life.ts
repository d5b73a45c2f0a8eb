// Control of the fake by a test: what customers, time and banks do.
import { completeCheckout, subscriptionsOf, type CheckoutOptions } from './customers.js';
import {
  cancelSubscription,
  changePrice,
  hasEnded,
  itemOf,
  payOpenInvoices,
  renewSubscription,
  scheduleCancellation,
  setStatus,
} from './lifecycle.js';
import { newPrice, type PriceOptions } from './new-objects.js';
import { advance } from './passing-time.js';
import { subscriptionOf, type State } from './state.js';
import type { CheckoutSession, Customer, DeletedCustomer, Invoice, Price, Subscription } from './wire.js';

/**
 * Objects are copies: what happens afterwards does not change them. Methods throw for an id that does not exist, and for
 * what cannot happen to the object any more.
 */
export interface FakeLife {
  now(): Date;
  /** Adds a recurring price, or replaces it. */
  price(price: PriceOptions): Price;
  customer(id: string): Customer | DeletedCustomer | undefined;
  session(id: string): CheckoutSession | undefined;
  /** Newest first. */
  sessions(): CheckoutSession[];
  subscription(id: string): Subscription;
  invoice(id: string): Invoice | undefined;
  /** Newest first, ended ones too. */
  subscriptionsOf(customer: string): Subscription[];
  /** The checkout is paid. */
  completeCheckout(session: string, options?: CheckoutOptions): Subscription;
  /** As if the period had ended: the next one is paid. The clock stays. */
  renew(subscription: string): Subscription;
  /** As if the period had ended: the payment fails, `past_due`, as at all later ends until `pay`. The clock stays. */
  failPayment(subscription: string): Subscription;
  /** The open invoices are paid: `active`. */
  pay(subscription: string): Subscription;
  /** Stripe has given up: `unpaid`. */
  markUnpaid(subscription: string): Subscription;
  /** `paused`, as after a trial without a card. */
  pause(subscription: string): Subscription;
  resume(subscription: string): Subscription;
  /** As the API does with `cancel_at_period_end`. */
  cancelAtPeriodEnd(subscription: string): Subscription;
  /** As the customer portal does it: `cancel_at` is set, `cancel_at_period_end` stays false. */
  cancelInPortal(subscription: string): Subscription;
  /** As the customer portal does it. */
  resumeInPortal(subscription: string): Subscription;
  cancelNow(subscription: string): Subscription;
  /** As the customer portal does it. */
  changePrice(subscription: string, price: string): Subscription;
  /**
   * Moves the clock on, and lets happen what is due by then: periods end and are paid (those of `past_due` ones are not),
   * trials and scheduled cancellations end, sessions and unpaid beginnings expire.
   */
  advanceTo(time: Date): void;
  /** To the end of its period. */
  endPeriod(subscription: string): Subscription;
}

export function createLife(state: State): FakeLife {
  /** Of a subscription that has not ended. */
  const change = (id: string, changed: (subscription: Subscription) => void): Subscription => {
    const subscription = subscriptionOf(state, id);
    if (hasEnded(subscription)) throw new Error(`${id} is ${subscription.status}`);
    changed(subscription);
    return structuredClone(subscription);
  };
  const endOf = (subscription: Subscription) => itemOf(subscription).current_period_end;

  return {
    now: () => new Date(state.nowMs()),
    price(options) {
      const price = newPrice(state, options);
      state.prices.set(price.id, price);
      return structuredClone(price);
    },
    customer: (id) => structuredClone(state.customers.get(id)),
    session: (id) => structuredClone(state.sessions.get(id)),
    sessions: () => structuredClone([...state.sessions.values()].reverse()),
    subscription: (id) => structuredClone(subscriptionOf(state, id)),
    invoice: (id) => structuredClone(state.invoices.get(id)),
    subscriptionsOf: (customer) => structuredClone(subscriptionsOf(state, customer)),
    completeCheckout: (session, options) => structuredClone(completeCheckout(state, session, options)),
    renew: (id) => change(id, (subscription) => renewSubscription(state, subscription, true)),
    failPayment: (id) => change(id, (subscription) => renewSubscription(state, subscription, false)),
    pay: (id) => change(id, (subscription) => payOpenInvoices(state, subscription)),
    markUnpaid: (id) => change(id, (subscription) => setStatus(state, subscription, 'unpaid')),
    pause: (id) =>
      change(id, (subscription) => {
        setStatus(state, subscription, 'paused');
        state.emit('customer.subscription.paused', subscription);
      }),
    resume: (id) =>
      change(id, (subscription) => {
        setStatus(state, subscription, 'active');
        state.emit('customer.subscription.resumed', subscription);
      }),
    cancelAtPeriodEnd: (id) => change(id, (subscription) => scheduleCancellation(state, subscription, 'period end')),
    cancelInPortal: (id) =>
      change(id, (subscription) => scheduleCancellation(state, subscription, endOf(subscription))),
    resumeInPortal: (id) => change(id, (subscription) => scheduleCancellation(state, subscription, null)),
    cancelNow: (id) => change(id, (subscription) => cancelSubscription(state, subscription)),
    changePrice(id, priceId) {
      const price = state.prices.get(priceId);
      if (!price) throw new Error(`there is no price ${priceId}`);
      return change(id, (subscription) => changePrice(state, subscription, price));
    },
    advanceTo: (time) => advance(state, time.getTime()),
    endPeriod: (id) => change(id, (subscription) => advance(state, endOf(subscription) * 1000)),
  };
}
