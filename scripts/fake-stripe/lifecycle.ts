// What happens to checkouts and subscriptions: payment, periods, the end; each with the events that Stripe sends.
import { nextPeriodEnd } from './billing-period.js';
import { invalid } from './errors.js';
import { newId } from './ids.js';
import { listOf, type CheckoutSession, type Price, type Subscription, type SubscriptionItem } from './objects.js';
import { liveCustomer, sessionOf, type State } from './state.js';

export const DAY_SECONDS = 86_400;

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
export const hasEnded = ({ status }: Pick<Subscription, 'status'>): boolean => ENDED.has(status);

export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

/** Newest first. */
export function subscriptionsOf(state: State, customer: string): Subscription[] {
  return [...state.subscriptions.values()].filter((subscription) => subscription.customer === customer).reverse();
}

/** Emits `customer.subscription.updated` when something differs afterwards. */
function updateSubscription(state: State, subscription: Subscription, change: () => void): void {
  const before = JSON.stringify(subscription);
  change();
  if (JSON.stringify(subscription) !== before) state.emit('customer.subscription.updated', subscription);
}

export interface CheckoutOptions {
  /** Of a trial before the first payment. */
  readonly trialDays?: number;
  /** The subscription is `incomplete`, and the session stays open: the first payment fails later. */
  readonly paymentFails?: boolean;
}

export function completeCheckout(
  state: State,
  sessionId: string,
  { trialDays = 0, paymentFails = false }: CheckoutOptions = {},
): Subscription {
  const session = sessionOf(state, sessionId);
  const order = state.orders.get(sessionId);
  if (!order || session.status !== 'open') throw invalid(`${sessionId} is ${session.status}, not open`);
  const { id: customer } = liveCustomer(state, session.customer);
  const now = state.nowSeconds();
  const trialEnd = trialDays > 0 ? now + trialDays * DAY_SECONDS : undefined;
  const item: SubscriptionItem = {
    id: newId('si_', 14),
    object: 'subscription_item',
    price: structuredClone(order.price),
    quantity: order.quantity,
    current_period_start: now,
    current_period_end: trialEnd ?? nextPeriodEnd(now, order.price.recurring, now),
  };
  const subscription: Subscription = {
    id: newId('sub_1'),
    object: 'subscription',
    created: now,
    customer,
    items: listOf('/v1/subscription_items', [item]),
    metadata: order.metadata,
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    status: paymentFails ? 'incomplete' : trialEnd === undefined ? 'active' : 'trialing',
  };
  state.subscriptions.set(subscription.id, subscription);
  state.emit('customer.subscription.created', subscription);
  if (paymentFails) return subscription;
  Object.assign(session, {
    payment_status: trialEnd === undefined ? 'paid' : 'no_payment_required',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  } satisfies Partial<CheckoutSession>);
  state.emit('checkout.session.completed', session);
  return subscription;
}

export function expireSession(state: State, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  state.emit('checkout.session.expired', session);
}

/** The current period ends; the next one is paid, or its payment fails and the subscription is `past_due`. */
export function renewSubscription(state: State, subscription: Subscription, pays: boolean): void {
  updateSubscription(state, subscription, () => {
    const item = itemOf(subscription);
    item.current_period_start = item.current_period_end;
    const { billing_cycle_anchor: anchor } = subscription;
    item.current_period_end = nextPeriodEnd(anchor, item.price.recurring, item.current_period_start);
    if (pays) subscription.status = 'active';
    else if (subscription.status !== 'unpaid') subscription.status = 'past_due';
  });
}

export function setStatus(state: State, subscription: Subscription, status: Subscription['status']): void {
  updateSubscription(state, subscription, () => {
    subscription.status = status;
    if (hasEnded({ status })) subscription.ended_at = state.nowSeconds();
  });
}

/** At once; `canceled_at` stays when it was asked for before. */
export function cancelSubscription(state: State, subscription: Subscription): void {
  const now = state.nowSeconds();
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  state.emit('customer.subscription.deleted', subscription);
}

/** At the end of the period, at a time, or no longer. */
export function scheduleCancellation(state: State, subscription: Subscription, at: 'period end' | number | null): void {
  updateSubscription(state, subscription, () => {
    subscription.cancel_at_period_end = at === 'period end';
    subscription.cancel_at = at === 'period end' ? itemOf(subscription).current_period_end : at;
    subscription.canceled_at = at === null ? null : state.nowSeconds();
  });
}

/** Another price from now on. Another interval begins a new period. */
export function changePrice(state: State, subscription: Subscription, price: Price): void {
  const item = itemOf(subscription);
  updateSubscription(state, subscription, () => {
    const isOtherInterval = item.price.recurring.interval !== price.recurring.interval;
    item.price = structuredClone(price);
    if (!isOtherInterval || subscription.status === 'trialing') return;
    const now = state.nowSeconds();
    subscription.billing_cycle_anchor = now;
    item.current_period_start = now;
    item.current_period_end = nextPeriodEnd(now, price.recurring, now);
    if (subscription.cancel_at_period_end) subscription.cancel_at = item.current_period_end;
  });
}
