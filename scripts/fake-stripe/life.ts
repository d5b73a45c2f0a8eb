// Control of the fake by a test: what customers, time and banks do.
import {
  cancelSubscription,
  changePrice,
  completeCheckout,
  hasEnded,
  itemOf,
  renewSubscription,
  scheduleCancellation,
  setStatus,
  subscriptionsOf,
  type CheckoutOptions,
} from './lifecycle.js';
import { newPrice, type CheckoutSession, type Price, type PriceOptions, type Subscription } from './objects.js';
import { advance } from './passing-time.js';
import { subscriptionOf, type State } from './state.js';

/**
 * Objects are copies: what happens afterwards does not change them. Methods throw for an id that does not exist, and for
 * what cannot happen to the object any more.
 */
export interface FakeLife {
  /** Adds a recurring price, or replaces it. */
  price(price: PriceOptions): Price;
  session(id: string): CheckoutSession | undefined;
  /** Newest first. */
  sessions(): CheckoutSession[];
  subscription(id: string): Subscription;
  /** Newest first, ended ones too. */
  subscriptionsOf(customer: string): Subscription[];
  /** The checkout is paid. */
  completeCheckout(session: string, options?: CheckoutOptions): Subscription;
  /** As if the period had ended: the next one is paid. The clock stays. */
  renew(subscription: string): Subscription;
  /** As if the period had ended: the payment fails, `past_due`, as at all later ends until `pay`. The clock stays. */
  failPayment(subscription: string): Subscription;
  /** What is open is paid: `active`. */
  pay(subscription: string): Subscription;
  /** Stripe has given up: `unpaid`. */
  markUnpaid(subscription: string): Subscription;
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
  const change =
    (changed: (subscription: Subscription) => void) =>
    (id: string): Subscription => {
      const subscription = subscriptionOf(state, id);
      if (hasEnded(subscription)) throw new Error(`${id} is ${subscription.status}`);
      changed(subscription);
      return structuredClone(subscription);
    };
  const endOf = (subscription: Subscription) => itemOf(subscription).current_period_end;

  return {
    price(options) {
      const price = newPrice(options);
      state.prices.set(price.id, price);
      return structuredClone(price);
    },
    session: (id) => structuredClone(state.sessions.get(id)),
    sessions: () => structuredClone([...state.sessions.values()].reverse()),
    subscription: (id) => structuredClone(subscriptionOf(state, id)),
    subscriptionsOf: (customer) => structuredClone(subscriptionsOf(state, customer)),
    completeCheckout: (session, options) => structuredClone(completeCheckout(state, session, options)),
    renew: change((subscription) => renewSubscription(state, subscription, true)),
    failPayment: change((subscription) => renewSubscription(state, subscription, false)),
    pay: change((subscription) => setStatus(state, subscription, 'active')),
    markUnpaid: change((subscription) => setStatus(state, subscription, 'unpaid')),
    cancelInPortal: change((subscription) => scheduleCancellation(state, subscription, endOf(subscription))),
    resumeInPortal: change((subscription) => scheduleCancellation(state, subscription, null)),
    cancelNow: change((subscription) => cancelSubscription(state, subscription)),
    changePrice(id, priceId) {
      const price = state.prices.get(priceId);
      if (!price) throw new Error(`there is no price ${priceId}`);
      return change((subscription) => changePrice(state, subscription, price))(id);
    },
    advanceTo: (time) => advance(state, time.getTime()),
    endPeriod: change((subscription) => advance(state, endOf(subscription) * 1000)),
  };
}
