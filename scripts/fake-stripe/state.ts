// State of the fake: objects by id, its own clock, and the events that changes emit.
import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { missing } from './api-error.js';
import type {
  ApiEvent,
  ApiObject,
  CheckoutSession,
  Customer,
  DeletedCustomer,
  EventType,
  Invoice,
  Metadata,
  PortalSession,
  Price,
  Subscription,
} from './wire.js';

const MAX_EVENTS = 100_000;

/** What a checkout session will create. */
export interface Order {
  readonly price: Price;
  readonly quantity: number;
  readonly metadata: Metadata;
  readonly description: string | null;
  readonly trialDays: number;
}

/** The API call that is executed, which events name. */
export interface Cause {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export interface State {
  readonly base: string;
  readonly prices: Map<string, Price>;
  readonly customers: Map<string, Customer | DeletedCustomer>;
  readonly sessions: Map<string, CheckoutSession>;
  readonly orders: Map<string, Order>;
  /** By the path of their pages. */
  readonly portals: Map<string, PortalSession>;
  readonly subscriptions: Map<string, Subscription>;
  readonly invoices: Map<string, Invoice>;
  /** Oldest first. */
  readonly events: ApiEvent[];
  readonly nowMs: () => number;
  readonly nowSeconds: () => number;
  /** Never back. */
  readonly moveTo: (timeMs: number) => void;
  readonly emit: (type: EventType, object: ApiObject, previous?: Record<string, unknown>) => void;
  cause: Cause;
}

export const NO_CAUSE: Cause = { id: null, idempotency_key: null };

export interface StateOptions {
  readonly base: string;
  /** ms since the epoch; what `moveTo` adds comes on top. */
  readonly now: () => number;
  readonly pendingWebhooks: () => number;
  readonly onEvent: (event: ApiEvent) => void;
}

export function createState({ base, now, pendingWebhooks, onEvent }: StateOptions): State {
  let aheadMs = 0;
  const nowMs = () => now() + aheadMs;
  const nowSeconds = () => Math.floor(nowMs() / 1000);
  const events: ApiEvent[] = [];

  const state: State = {
    base,
    prices: new Map(),
    customers: new Map(),
    sessions: new Map(),
    orders: new Map(),
    portals: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    events,
    nowMs,
    nowSeconds,
    moveTo(timeMs) {
      aheadMs = Math.max(aheadMs, timeMs - now());
    },
    emit(type, object, previous) {
      const event: ApiEvent = {
        id: newId('evt_1'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: nowSeconds(),
        data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
        livemode: false,
        pending_webhooks: pendingWebhooks(),
        request: state.cause,
        type,
      };
      events.push(event);
      if (events.length > MAX_EVENTS) events.shift();
      onEvent(event);
    },
    cause: NO_CAUSE,
  };
  return state;
}

/** As long as Stripe's own of that kind. */
export function newId(prefix: string, characters = 24): string {
  return (
    prefix +
    randomBytes(characters / 2)
      .toString('hex')
      .slice(0, characters)
  );
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
