// Control of the fake by a test: what customers, time and banks do.
import * as lifecycle from './lifecycle.js';
import type { Price, Subscription } from './objects.js';
import { found, liveCustomer, subscriptionsOf, type State } from './state.js';

interface PriceOptions {
  readonly id: string;
  readonly amount: number;
  /** `usd` when absent. */
  readonly currency?: string;
  readonly interval: 'month' | 'year';
  /** Intervals between two payments; 1 when absent. */
  readonly intervalCount?: number;
}

export type FakeLife = ReturnType<typeof createLife>;

/**
 * Objects are copies: what happens afterwards does not change them. Methods throw for an id that does not exist, and for
 * what cannot happen to the object any more.
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
    /** Adds a recurring price, or replaces it. */
    price({ id, amount, interval, intervalCount = 1, currency = 'usd' }: PriceOptions): Price {
      const recurring = { interval, interval_count: intervalCount };
      const price: Price = { id, object: 'price', currency, recurring, unit_amount: amount };
      state.prices.set(id, price);
      return price;
    },
    session: (id: string) => structuredClone(state.sessions.get(id)),
    /** Newest first. */
    sessions: () => structuredClone([...state.sessions.values()].reverse()),
    subscription: change(() => undefined),
    /** Newest first, ended ones too. */
    subscriptionsOf: (customer: string) => structuredClone(subscriptionsOf(state, customer)),
    /** The checkout is paid, or begins a trial. */
    completeCheckout: (session: string, options: { readonly trialDays?: number } = {}) =>
      structuredClone(lifecycle.completeCheckout(state, session, options)),
    /** As the operator does it in Stripe: a subscription with an item for each of these prices. */
    subscribe: (customer: string, ...prices: readonly string[]) =>
      structuredClone(
        lifecycle.subscribe(state, { customer, prices: prices.map((id) => found(state.prices, 'price', id)) }),
      ),
    /** As after an invoice in this currency. */
    setCurrency: (customer: string, currency: string): void => void (liveCustomer(state, customer).currency = currency),
    /** As the operator does it in Stripe; `resumesAt`: seconds since the epoch, null: open. */
    pauseCollection: (id: string, resumesAt: number | null = null) =>
      change((one) => lifecycle.pauseCollection(state, one, { behavior: 'void', resumes_at: resumesAt }))(id),
    resumeCollection: change((one) => lifecycle.pauseCollection(state, one, null)),
    /** `cancel_at_period_end` is set, `cancel_at` stays null. */
    cancelAtPeriodEnd: change((one) => scheduleCancellation(state, one, 'period end without its time')),
    /** As if the period had ended: the payment fails, `past_due`, as at all later ends until `pay`. The clock stays. */
    failPayment: change((one) => renew(state, one, one.status === 'unpaid' ? 'unpaid' : 'past_due')),
    /** The open amount is paid. */
    pay: change((one) => setStatus(state, one, 'active')),
    /** Stripe has given up. */
    markUnpaid: change((one) => setStatus(state, one, 'unpaid')),
    /** As the customer portal does it: `cancel_at` is set, `cancel_at_period_end` stays false. */
    cancelInPortal: change((one) => scheduleCancellation(state, one, endOf(one))),
    resumeInPortal: change((one) => scheduleCancellation(state, one, null)),
    /** The configuration of the portal. */
    allowPlanChanges: (allowed: boolean): void => void (state.portal.allowsPlanChanges = allowed),
    cancelNow: change((one) => cancel(state, one)),
    changePrice: (id: string, price: string) =>
      change((one) => lifecycle.changePrice(state, one, found(state.prices, 'price', price)))(id),
    /**
     * Moves the clock on. What is due by then happens: periods end and are paid (those of `past_due` ones are not), trials
     * and scheduled cancellations end, sessions expire.
     */
    advanceTo: (time: Date) => lifecycle.advance(state, Math.floor(time.getTime() / 1000)),
    /** Moves the clock to the end of the subscription's period. */
    endPeriod: change((one) => lifecycle.advance(state, endOf(one))),
  };
}
