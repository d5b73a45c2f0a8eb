// State of the fake: objects by id, its own clock, and the events that changes emit.
import Stripe from 'stripe';
import { missing } from './errors.js';
import { newId } from './ids.js';
import type {
  ApiEvent,
  ApiObject,
  CheckoutSession,
  Customer,
  DeletedCustomer,
  EventType,
  PortalSession,
  Price,
  Subscription,
} from './objects.js';

const MAX_EVENTS = 100_000;

export interface State {
  readonly base: string;
  readonly prices: Map<string, Price>;
  readonly customers: Map<string, Customer | DeletedCustomer>;
  readonly sessions: Map<string, CheckoutSession>;
  /** What a session sells. */
  readonly orders: Map<string, Pick<Subscription, 'metadata'> & { readonly price: Price; readonly quantity: number }>;
  /** By the path of their pages. */
  readonly portals: Map<string, PortalSession>;
  readonly subscriptions: Map<string, Subscription>;
  /** Oldest first. */
  readonly events: ApiEvent[];
  readonly nowMs: () => number;
  readonly nowSeconds: () => number;
  /** Never back. */
  readonly moveTo: (timeMs: number) => void;
  readonly emit: (type: EventType, object: ApiObject) => void;
}

export interface StateOptions {
  readonly base: string;
  /** ms since the epoch; what `moveTo` adds comes on top. */
  readonly now: () => number;
  readonly onEvent: (event: ApiEvent) => void;
}

export function createState({ base, now, onEvent }: StateOptions): State {
  let aheadMs = 0;
  const nowMs = () => now() + aheadMs;
  const nowSeconds = () => Math.floor(nowMs() / 1000);
  const events: ApiEvent[] = [];
  return {
    base,
    prices: new Map(),
    customers: new Map(),
    sessions: new Map(),
    orders: new Map(),
    portals: new Map(),
    subscriptions: new Map(),
    events,
    nowMs,
    nowSeconds,
    moveTo(timeMs) {
      aheadMs = Math.max(aheadMs, timeMs - now());
    },
    emit(type, object) {
      const event: ApiEvent = {
        id: newId('evt_1'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: nowSeconds(),
        data: { object: structuredClone(object) },
        livemode: false,
        type,
      };
      events.push(event);
      if (events.length > MAX_EVENTS) events.shift();
      onEvent(event);
    },
  };
}

/** Throws 404. */
export function subscriptionOf(state: State, id: string): Subscription {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw missing('subscription', id);
  return subscription;
}

/** One that is not deleted. Throws 404, or 400 when `param` names it. */
export function liveCustomer(state: State, id: string, param?: string): Customer {
  const customer = state.customers.get(id);
  if (!customer || customer.deleted) throw missing('customer', id, param);
  return customer;
}

export function sessionOf(state: State, id: string): CheckoutSession {
  const session = state.sessions.get(id);
  if (!session) throw missing('checkout.session', id);
  return session;
}
