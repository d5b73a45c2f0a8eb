// Changes checkouts and subscriptions: payment, periods, cancellation. Each change emits the event that Stripe would
// send.
import {
  invalid,
  listOf,
  newId,
  type CheckoutSession,
  type Metadata,
  type Price,
  type Subscription,
  type SubscriptionItem,
} from './objects.js';
import { found, liveCustomer, type State } from './state.js';

export const DAY_SECONDS = 86_400;

export function itemOf({ id, items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`${id} has no item`);
  return item;
}

/**
 * Returns the end of the first period that ends after the time `after`. Times are in seconds. Periods start at `anchor`
 * and are counted in UTC. If a month has too few days, the period ends on the last day of the month.
 */
function periodEnd(anchor: number, { recurring }: Price, after: number): number {
  const start = new Date(anchor * 1000);
  const months = recurring.interval_count * (recurring.interval === 'year' ? 12 : 1);
  for (let steps = 1; ; steps++) {
    const end = new Date(start);
    // Day 0 of a month is the last day of the previous month.
    end.setUTCMonth(start.getUTCMonth() + steps * months + 1, 0);
    end.setUTCDate(Math.min(start.getUTCDate(), end.getUTCDate()));
    if (end.getTime() / 1000 > after) return end.getTime() / 1000;
  }
}

/** Pays the checkout, or starts its trial. */
export function completeCheckout(state: State, sessionId: string, { trialDays = 0 } = {}): Subscription {
  const session = found(state.sessions, 'checkout.session', sessionId);
  const { price, metadata } = found(state.orders, 'checkout.session', sessionId);
  if (session.status !== 'open') throw invalid(`${sessionId} is ${session.status}, not open`);
  const subscription = subscribe(state, { customer: session.customer, prices: [price], metadata, trialDays });
  session.payment_status = trialDays > 0 ? 'no_payment_required' : 'paid';
  session.status = 'complete';
  session.subscription = subscription.id;
  session.url = null;
  state.emit('checkout.session.completed', session);
  return subscription;
}

interface NewSubscription {
  readonly customer: string;
  /** Prices of the subscription. Each one becomes an item. */
  readonly prices: readonly Price[];
  readonly metadata?: Metadata;
  readonly trialDays?: number;
}

/** Creates a subscription that is paid, or that starts a trial. */
export function subscribe(
  state: State,
  { customer: id, prices, metadata = {}, trialDays = 0 }: NewSubscription,
): Subscription {
  const customer = liveCustomer(state, id);
  const now = state.now();
  const anchor = now + trialDays * DAY_SECONDS;
  const itemsOf = prices.map((price): SubscriptionItem => ({
    id: newId('si_', 14),
    object: 'subscription_item',
    price: structuredClone(price),
    current_period_start: now,
    current_period_end: trialDays > 0 ? anchor : periodEnd(now, price, now),
  }));
  const subscription: Subscription = {
    id: newId('sub_1'),
    object: 'subscription',
    customer: id,
    items: listOf(itemsOf),
    metadata,
    billing_cycle_anchor: anchor,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    pause_collection: null,
    status: trialDays > 0 ? 'trialing' : 'active',
  };
  customer.currency = prices[0]?.currency ?? customer.currency;
  state.subscriptions.set(subscription.id, subscription);
  state.emit('customer.subscription.created', subscription);
  return subscription;
}

export function expireSession(state: State, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  state.emit('checkout.session.expired', session);
}

/** Changes a subscription that has not ended. Emits `customer.subscription.updated` if `change` had an effect. */
function update(state: State, subscription: Subscription, change: (one: Subscription) => unknown): void {
  if (subscription.status === 'canceled') throw invalid(`${subscription.id} is canceled`);
  const before = JSON.stringify(subscription);
  change(subscription);
  if (JSON.stringify(subscription) !== before) state.emit('customer.subscription.updated', subscription);
}

/** Starts the next period. `status` tells whether its payment has succeeded. */
export function renew(state: State, subscription: Subscription, status: Subscription['status']): void {
  update(state, subscription, (one) => {
    const item = itemOf(one);
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEnd(one.billing_cycle_anchor, item.price, item.current_period_start);
    one.status = status;
  });
}

export function setStatus(state: State, subscription: Subscription, status: 'active' | 'unpaid'): void {
  update(state, subscription, (one) => (one.status = status));
}

export function cancel(state: State, subscription: Subscription): void {
  if (subscription.status === 'canceled') throw invalid(`${subscription.id} is canceled`);
  subscription.status = 'canceled';
  subscription.ended_at = state.now();
  state.emit('customer.subscription.deleted', subscription);
}

/**
 * Sets or removes the cancellation. `period end` sets `cancel_at_period_end` and `cancel_at`, like the Stripe API.
 * `period end without its time` sets only `cancel_at_period_end`, like older versions of the API. A time sets only
 * `cancel_at`, like the customer portal. Null removes the cancellation.
 */
export function scheduleCancellation(
  state: State,
  subscription: Subscription,
  at: 'period end' | 'period end without its time' | number | null,
): void {
  update(state, subscription, (one) => {
    one.cancel_at_period_end = typeof at === 'string';
    one.cancel_at = at === 'period end' ? itemOf(one).current_period_end : typeof at === 'string' ? null : at;
  });
}

/** Pauses or resumes the collection of payments. */
export function pauseCollection(
  state: State,
  subscription: Subscription,
  pause: Subscription['pause_collection'],
): void {
  update(state, subscription, (one) => (one.pause_collection = pause));
}

/** Changes the price. A price with another interval starts a new period. */
export function changePrice(state: State, subscription: Subscription, price: Price): void {
  update(state, subscription, (one) => {
    const item = itemOf(one);
    const isOtherInterval = item.price.recurring.interval !== price.recurring.interval;
    item.price = structuredClone(price);
    if (!isOtherInterval || one.status === 'trialing') return;
    one.billing_cycle_anchor = state.now();
    item.current_period_start = state.now();
    item.current_period_end = periodEnd(state.now(), price, state.now());
    if (one.cancel_at_period_end && one.cancel_at !== null) one.cancel_at = item.current_period_end;
  });
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Moves the clock forward to `until`. Applies the changes that are due by then in order, each at its own time. */
export function advance(state: State, until: number): void {
  for (let due = firstDue(state); due && due.at <= until; due = firstDue(state)) {
    state.moveTo(due.at);
    due.run();
  }
  state.moveTo(until);
}

function firstDue(state: State): Due | undefined {
  const open = [...state.sessions.values()].filter(({ status }) => status === 'open');
  const goingOn = [...state.subscriptions.values()].filter(({ status }) => status !== 'canceled');
  const all = [
    ...open.map((session): Due => ({ at: session.expires_at, run: () => expireSession(state, session) })),
    ...goingOn.map((subscription) => endOfPeriod(state, subscription)),
  ];
  return all.sort((one, other) => one.at - other.at)[0];
}

function endOfPeriod(state: State, subscription: Subscription): Due {
  const { status, cancel_at: cancelAt } = subscription;
  const end = itemOf(subscription).current_period_end;
  if (cancelAt !== null && cancelAt <= end) return { at: cancelAt, run: () => cancel(state, subscription) };
  if (subscription.cancel_at_period_end) return { at: end, run: () => cancel(state, subscription) };
  // A renewal keeps an overdue status. Only `pay` in life.ts pays the overdue payment.
  return { at: end, run: () => renew(state, subscription, status === 'trialing' ? 'active' : status) };
}
