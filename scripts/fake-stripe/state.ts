// State of the fake: objects by id, the clock, and events about changes.
import { Stripe } from 'stripe';
import {
  missing,
  newId,
  type ApiEvent,
  type CheckoutSession,
  type Customer,
  type DeletedCustomer,
  type Metadata,
  type PortalSession,
  type Price,
  type Subscription,
} from './objects.js';

export type State = ReturnType<typeof createState>;

interface Options {
  readonly base: string;
  /** Returns the time of the test's clock, ms since the epoch. `moveTo` adds an offset to this time. */
  readonly nowMs: () => number;
  readonly onEvent: (event: ApiEvent) => void;
}

export function createState({ base, nowMs, onEvent }: Options) {
  let aheadMs = 0;
  /** Returns the time of the fake's clock, seconds since the epoch. */
  const now = () => Math.floor((nowMs() + aheadMs) / 1000);
  const events: ApiEvent[] = [];
  return {
    base,
    prices: new Map<string, Price>(),
    customers: new Map<string, Customer | DeletedCustomer>(),
    sessions: new Map<string, CheckoutSession>(),
    /** Id of the checkout session → price and metadata of the order. */
    orders: new Map<string, { readonly price: Price; readonly metadata: Metadata }>(),
    /** Path of a page of the customer portal → session that this page shows. */
    portals: new Map<string, PortalSession>(),
    portal: { allowsPlanChanges: true },
    subscriptions: new Map<string, Subscription>(),
    events,
    now,
    /** Moves the clock forward to a time in seconds since the epoch. Never moves it back. */
    moveTo(seconds: number): void {
      aheadMs = Math.max(aheadMs, seconds * 1000 - nowMs());
    },
    emit(type: ApiEvent['type'], object: ApiEvent['data']['object']): void {
      const event: ApiEvent = {
        id: newId('evt_1'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: now(),
        data: { object: structuredClone(object) },
        livemode: false,
        type,
      };
      events.push(event);
      onEvent(event);
    },
  };
}

/**
 * Returns the object with this id. If there is none, throws status 400 if `param` names the parameter with the id, and
 * 404 if `param` is undefined.
 */
export function found<Item>(items: ReadonlyMap<string, Item>, what: string, id: string, param?: string): Item {
  const item = items.get(id);
  if (item === undefined) throw missing(what, id, param);
  return item;
}

/** Returns the customer. Throws the error of `found` if the customer is missing or deleted. */
export function liveCustomer({ customers }: State, id: string, param?: string): Customer {
  const customer = found(customers, 'customer', id, param);
  if (customer.deleted) throw missing('customer', id, param);
  return customer;
}

/** Returns the customer's subscriptions, newest first, including ended ones. */
export function subscriptionsOf({ subscriptions }: State, customer: string): Subscription[] {
  return [...subscriptions.values()].filter((subscription) => subscription.customer === customer).reverse();
}
