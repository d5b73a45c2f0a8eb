// What happens to a subscription: creation, periods, payments, its end; each with the events that Stripe sends.
import { nextPeriodEnd } from './billing-period.js';
import { newInvoice, type InvoiceOptions } from './new-invoice.js';
import { planOf } from './new-objects.js';
import { newSubscription } from './new-subscription.js';
import { liveCustomer, type Order, type State } from './state.js';
import type { Invoice, Price, Subscription, SubscriptionItem } from './wire.js';

export const DAY_SECONDS = 86_400;
/** Stripe tries a first payment this long. */
export const INCOMPLETE_SECONDS = 23 * 3600;
/** Until Stripe charges a declined card again. */
const RETRY_SECONDS = 3 * DAY_SECONDS;

const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
export const hasEnded = ({ status }: Pick<Subscription, 'status'>): boolean => ENDED.has(status);

export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

/** Emits `customer.subscription.updated` with the fields that differ afterwards; nothing when none does. */
export function updateSubscription(state: State, subscription: Subscription, change: () => void): void {
  const before = structuredClone(subscription);
  change();
  const names = Object.keys(before) as (keyof Subscription)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(subscription[name]));
  if (changed.length === 0) return;
  const previous = Object.fromEntries(changed.map((name) => [name, before[name]]));
  state.emit('customer.subscription.updated', subscription, previous);
}

export interface Start {
  readonly customer: string;
  readonly order: Order;
  readonly trialDays: number;
  readonly paymentFails: boolean;
}

/** With its first invoice, which is of nothing during a trial. */
export function startSubscription(state: State, { customer, order, trialDays, paymentFails }: Start): Subscription {
  const now = state.nowSeconds();
  const trialEnd = trialDays > 0 ? now + trialDays * DAY_SECONDS : null;
  const subscription = newSubscription(state, {
    customer,
    order,
    status: paymentFails ? 'incomplete' : trialEnd === null ? 'active' : 'trialing',
    periodEnd: trialEnd ?? nextPeriodEnd(now, order.price.recurring, now),
    trialEnd,
  });
  state.subscriptions.set(subscription.id, subscription);
  const invoice = addInvoice(state, subscription, 'subscription_create');
  state.emit('customer.subscription.created', subscription);
  announceInvoice(state, invoice);
  if (paymentFails) failInvoice(state, invoice);
  else payInvoice(state, invoice);
  return subscription;
}

/** Finalized and open; it is the subscription's latest. */
function addInvoice(state: State, subscription: Subscription, reason: InvoiceOptions['reason']): Invoice {
  const customer = liveCustomer(state, subscription.customer);
  const item = itemOf(subscription);
  const number = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = number + 1;
  const isTrial = reason === 'subscription_create' && subscription.trial_end !== null;
  const amount = isTrial ? 0 : item.price.unit_amount * item.quantity;
  const invoice = newInvoice(state, { customer, subscription, item, reason, number, amount });
  state.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  return invoice;
}

function announceInvoice(state: State, invoice: Invoice): void {
  state.emit('invoice.created', { ...invoice, status: 'draft' });
  state.emit('invoice.finalized', invoice);
}

function payInvoice(state: State, invoice: Invoice): void {
  const now = state.nowSeconds();
  Object.assign(invoice, {
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  } satisfies Partial<Invoice>);
  state.emit('invoice.paid', invoice);
  state.emit('invoice.payment_succeeded', invoice);
}

function failInvoice(state: State, invoice: Invoice): void {
  Object.assign(invoice, {
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: state.nowSeconds() + RETRY_SECONDS,
  } satisfies Partial<Invoice>);
  state.emit('invoice.payment_failed', invoice);
}

function nextPeriod(subscription: Subscription): void {
  const item = itemOf(subscription);
  item.current_period_start = item.current_period_end;
  item.current_period_end = nextPeriodEnd(
    subscription.billing_cycle_anchor,
    item.price.recurring,
    item.current_period_start,
  );
}

/** The current period ends; the next one is paid, or its payment fails and the subscription is `past_due`. */
export function renewSubscription(state: State, subscription: Subscription, pays: boolean): void {
  let invoice: Invoice | undefined;
  updateSubscription(state, subscription, () => {
    nextPeriod(subscription);
    if (subscription.status === 'trialing') subscription.status = 'active';
    invoice = addInvoice(state, subscription, 'subscription_cycle');
  });
  if (!invoice) return;
  announceInvoice(state, invoice);
  if (pays) {
    payInvoice(state, invoice);
    setStatus(state, subscription, 'active');
  } else {
    failInvoice(state, invoice);
    if (subscription.status !== 'unpaid') setStatus(state, subscription, 'past_due');
  }
}

/** Its open invoices are paid: `active` again. */
export function payOpenInvoices(state: State, subscription: Subscription): void {
  for (const invoice of openInvoices(state, subscription)) payInvoice(state, invoice);
  setStatus(state, subscription, 'active');
}

function openInvoices(state: State, { id }: Subscription): Invoice[] {
  return [...state.invoices.values()].filter(
    ({ parent, status }) => parent?.subscription_details?.subscription === id && status === 'open',
  );
}

export function setStatus(state: State, subscription: Subscription, status: Subscription['status']): void {
  updateSubscription(state, subscription, () => {
    subscription.status = status;
  });
}

/** The first payment was not made in time. */
export function expireIncomplete(state: State, subscription: Subscription): void {
  for (const invoice of openInvoices(state, subscription)) {
    invoice.status = 'void';
    invoice.status_transitions = { ...invoice.status_transitions, voided_at: state.nowSeconds() };
    state.emit('invoice.voided', invoice);
  }
  updateSubscription(state, subscription, () => {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = state.nowSeconds();
  });
}

/** At once; `canceled_at` stays when it was asked for before. */
export function cancelSubscription(state: State, subscription: Subscription): void {
  const now = state.nowSeconds();
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.cancellation_details.reason ??= 'cancellation_requested';
  state.emit('customer.subscription.deleted', subscription);
}

/** At the end of the period, or no longer. */
export function scheduleCancellation(state: State, subscription: Subscription, at: 'period end' | number | null): void {
  updateSubscription(state, subscription, () => {
    subscription.cancel_at_period_end = at === 'period end';
    subscription.cancel_at = at === 'period end' ? itemOf(subscription).current_period_end : at;
    subscription.canceled_at = at === null ? null : state.nowSeconds();
    subscription.cancellation_details.reason = at === null ? null : 'cancellation_requested';
  });
}

/** Another price from now on. Another interval begins a new period, which is paid; nothing else is prorated. */
export function changePrice(state: State, subscription: Subscription, price: Price): void {
  const item = itemOf(subscription);
  const isOtherInterval = item.price.recurring.interval !== price.recurring.interval;
  let invoice: Invoice | undefined;
  updateSubscription(state, subscription, () => {
    item.price = structuredClone(price);
    item.plan = planOf(price);
    if (!isOtherInterval || subscription.status === 'trialing') return;
    const now = state.nowSeconds();
    subscription.billing_cycle_anchor = now;
    item.current_period_start = now;
    item.current_period_end = nextPeriodEnd(now, price.recurring, now);
    if (subscription.cancel_at_period_end) subscription.cancel_at = item.current_period_end;
    invoice = addInvoice(state, subscription, 'subscription_update');
  });
  if (!invoice) return;
  announceInvoice(state, invoice);
  payInvoice(state, invoice);
}
