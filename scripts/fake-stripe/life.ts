// Controls with which a test acts like a customer, moves the clock of the fake, and makes payments fail.
import * as lifecycle from './lifecycle.js';
import type { Price, Subscription } from './objects.js';
import { found, liveCustomer, subscriptionsOf, type State } from './state.js';

interface PriceOptions {
  readonly id: string;
  readonly amount: number;
  /** Code of the currency. Defaults to `usd`. */
  readonly currency?: string;
  readonly interval: 'month' | 'year';
  /** Number of intervals between two payments. Defaults to 1. */
  readonly intervalCount?: number;
}

export type FakeLife = ReturnType<typeof createLife>;

/**
 * Creates methods that change the fake. They return copies of objects, which later changes do not affect. They throw if
 * the id is unknown, or if the state of the object does not allow the action.
 */
export function createLife(state: State) {
  const { cancel, renew, scheduleCancellation, setStatus, itemOf } = lifecycle;
  const change =
    (changed: (subscription: Subscription) => void) =>
    (id: string): Subscription => {
      const subscription = found(state.subscriptions, 'subscription', id);
      changed(subscription);
      return structuredClone(subscription);
    };
  const endOf = (subscription: Subscription): number => itemOf(subscription).current_period_end;
  return {
    /** Adds or replaces a recurring price. */
    price({ id, amount, interval, intervalCount = 1, currency = 'usd' }: PriceOptions): Price {
      const recurring = { interval, interval_count: intervalCount };
      const price: Price = { id, object: 'price', currency, recurring, unit_amount: amount };
      state.prices.set(id, price);
      return price;
    },
    session: (id: string) => structuredClone(state.sessions.get(id)),
    /** Returns checkout sessions, newest first. */
    sessions: () => structuredClone([...state.sessions.values()].reverse()),
    subscription: change(() => undefined),
    subscriptionsOf: (customer: string) => structuredClone(subscriptionsOf(state, customer)),
    completeCheckout: (session: string, options: { readonly trialDays?: number } = {}) =>
      structuredClone(lifecycle.completeCheckout(state, session, options)),
    /** Creates a subscription like an operator does on Stripe's website, with one item per price. */
    subscribe: (customer: string, ...prices: readonly string[]) =>
      structuredClone(
        lifecycle.subscribe(state, { customer, prices: prices.map((id) => found(state.prices, 'price', id)) }),
      ),
    /** Sets the customer's currency, like the customer's first invoice does. */
    setCurrency: (customer: string, currency: string): void => void (liveCustomer(state, customer).currency = currency),
    /**
     * Pauses the collection of payments like an operator does on Stripe's website. `resumesAt` is in seconds since the
     * epoch, or null if the pause has no end.
     */
    pauseCollection: (id: string, resumesAt: number | null = null) =>
      change((one) => lifecycle.pauseCollection(state, one, { behavior: 'void', resumes_at: resumesAt }))(id),
    resumeCollection: change((one) => lifecycle.pauseCollection(state, one, null)),
    /** Sets `cancel_at_period_end` to true and leaves `cancel_at` null, like older versions of the Stripe API. */
    cancelAtPeriodEnd: change((one) => scheduleCancellation(state, one, 'period end without its time')),
    /**
     * Ends the period with a failed payment (`past_due`). All later payments fail until the test calls `pay`. The clock
     * does not move.
     */
    failPayment: change((one) => renew(state, one, one.status === 'unpaid' ? 'unpaid' : 'past_due')),
    pay: change((one) => setStatus(state, one, 'active')),
    /** Sets the status `unpaid`, as if Stripe had stopped trying to collect the payment. */
    markUnpaid: change((one) => setStatus(state, one, 'unpaid')),
    /**
     * Cancels the subscription like the customer portal does: sets `cancel_at`, and leaves `cancel_at_period_end`
     * false.
     */
    cancelInPortal: change((one) => scheduleCancellation(state, one, endOf(one))),
    resumeInPortal: change((one) => scheduleCancellation(state, one, null)),
    allowPlanChanges: (allowed: boolean): void => void (state.portal.allowsPlanChanges = allowed),
    cancelNow: change((one) => cancel(state, one)),
    changePrice: (id: string, price: string) =>
      change((one) => lifecycle.changePrice(state, one, found(state.prices, 'price', price)))(id),
    /**
     * Moves the clock to `time`, and applies everything that is due by then. Periods end, and their payments succeed
     * unless the subscription is `past_due`. Trials and scheduled cancellations end. Checkout sessions expire.
     */
    advanceTo: (time: Date) => lifecycle.advance(state, Math.floor(time.getTime() / 1000)),
    /** Moves the clock to the end of the subscription's period. */
    endPeriod: change((one) => lifecycle.advance(state, endOf(one))),
  };
}
