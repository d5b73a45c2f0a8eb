// Customers: creation, change, deletion, and the checkout that makes subscribers of them.
import { refused } from './api-error.js';
import { cancelSubscription, hasEnded, startSubscription } from './lifecycle.js';
import { newCustomer, type CustomerFields } from './new-objects.js';
import { liveCustomer, sessionOf, type State } from './state.js';
import type { Customer, DeletedCustomer, Subscription } from './wire.js';

export function createCustomer(state: State, fields: CustomerFields): Customer {
  const customer = newCustomer(state, fields);
  state.customers.set(customer.id, customer);
  state.emit('customer.created', customer);
  return customer;
}

export function updateCustomer(state: State, customer: Customer, fields: Partial<CustomerFields>): void {
  const names = Object.keys(fields) as (keyof CustomerFields)[];
  const before = Object.fromEntries(names.map((name) => [name, customer[name]]));
  Object.assign(customer, fields);
  state.emit('customer.updated', customer, before);
}

/** Its subscriptions end at once. */
export function deleteCustomer(state: State, id: string): DeletedCustomer {
  const customer = liveCustomer(state, id);
  for (const subscription of subscriptionsOf(state, id))
    if (!hasEnded(subscription)) cancelSubscription(state, subscription);
  const deleted: DeletedCustomer = { id, object: 'customer', deleted: true };
  state.customers.set(id, deleted);
  state.emit('customer.deleted', customer);
  return deleted;
}

/** Newest first. */
export function subscriptionsOf(state: State, customer: string): Subscription[] {
  return [...state.subscriptions.values()].filter((subscription) => subscription.customer === customer).reverse();
}

export interface CheckoutOptions {
  /** Of a trial before the first payment; what the session says when absent. */
  readonly trialDays?: number;
  /**
   * The subscription is `incomplete`, and the session stays open. (A card that is declined in Checkout creates nothing
   * at all; this is the first payment that fails later.)
   */
  readonly paymentFails?: boolean;
}

export function completeCheckout(state: State, sessionId: string, options: CheckoutOptions = {}): Subscription {
  const session = sessionOf(state, sessionId);
  const order = state.orders.get(sessionId);
  if (!order || session.status !== 'open') throw refused(`${sessionId} is ${session.status}, not open`);
  const { paymentFails = false, trialDays = order.trialDays } = options;
  const customer = payer(state, session.customer, session.customer_email);
  const subscription = startSubscription(state, { customer: customer.id, order, trialDays, paymentFails });
  if (paymentFails) return subscription;

  session.customer = customer.id;
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: customer.phone ?? null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  session.invoice = subscription.latest_invoice;
  session.payment_status = trialDays > 0 ? 'no_payment_required' : 'paid';
  if (trialDays > 0) Object.assign(session, { amount_subtotal: 0, amount_total: 0 });
  session.status = 'complete';
  session.subscription = subscription.id;
  session.url = null;
  state.emit('checkout.session.completed', session);
  return subscription;
}

function payer(state: State, id: string | null, email: string | null): Customer {
  if (id !== null) return liveCustomer(state, id);
  return createCustomer(state, { email, description: null, metadata: {}, name: null, phone: null });
}
