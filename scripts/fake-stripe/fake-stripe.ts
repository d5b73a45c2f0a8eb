// Fake of the Stripe API for a subscription billing: Checkout, customer portal, subscriptions, webhooks. Its state is in
// memory; its clock is moved by whoever starts it.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createApi } from './api.js';
import { completeCheckout, subscriptionsOf, type CheckoutOptions } from './customers.js';
import { deliver, type Delivery, type Signing } from './deliveries.js';
import {
  cancelSubscription,
  changePrice,
  hasEnded,
  itemOf,
  payOpenInvoices,
  renewSubscription,
  scheduleCancellation,
  setStatus,
} from './lifecycle.js';
import { newPrice, type PriceOptions } from './new-objects.js';
import { createPages } from './pages.js';
import { advance } from './passing-time.js';
import { listen, type Mode } from './server.js';
import { createState, subscriptionOf, type State } from './state.js';
import { createTraffic, type LoggedRequest, type RouteCount } from './traffic.js';
import type {
  ApiEvent,
  CheckoutSession,
  Customer,
  DeletedCustomer,
  EventType,
  Invoice,
  Price,
  Subscription,
} from './wire.js';

export interface FakeStripeOptions {
  /** The only one that is accepted; made up when absent. */
  readonly secretKey?: string;
  /** A free one when absent. */
  readonly port?: number;
  /** ms since the epoch; `Date.now` when absent. `advanceTo` comes on top. */
  readonly now?: () => number;
}

/**
 * Objects are copies: what happens afterwards does not change them. Methods throw for an id that does not exist, and for
 * what cannot happen to the object any more.
 */
export interface FakeStripe extends FakeLife, FakeFailures, FakeWebhooks {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  readonly port: number;
  readonly secretKey: string;
  /** The official client, without retries; closed connections it tries once more in any case, half a second later. */
  client(config?: Stripe.StripeConfig): Stripe;
  /** Every request to the API, the oldest of more than 10,000 left out; without credentials. */
  readonly requests: readonly LoggedRequest[];
  /** By route, such as `GET /v1/subscriptions`. */
  counts(): Readonly<Record<string, RouteCount>>;
  close(): Promise<void>;
}

export interface FakeLife {
  now(): Date;
  /** Adds a recurring price, or replaces it. */
  price(price: PriceOptions): Price;
  customer(id: string): Customer | DeletedCustomer | undefined;
  session(id: string): CheckoutSession | undefined;
  /** Newest first. */
  sessions(): CheckoutSession[];
  subscription(id: string): Subscription;
  invoice(id: string): Invoice | undefined;
  /** Newest first, ended ones too. */
  subscriptionsOf(customer: string): Subscription[];
  /** Somebody pays. */
  completeCheckout(session: string, options?: CheckoutOptions): Subscription;
  /** As if the period had ended: the next one is paid. The clock stays. */
  renew(subscription: string): Subscription;
  /** As if the period had ended: the payment fails, `past_due`, as at all later ends until `pay`. The clock stays. */
  failPayment(subscription: string): Subscription;
  /** The open invoices are paid: `active`. */
  pay(subscription: string): Subscription;
  /** Stripe has given up: `unpaid`. */
  markUnpaid(subscription: string): Subscription;
  /** `paused`, as after a trial without a card. */
  pause(subscription: string): Subscription;
  resume(subscription: string): Subscription;
  /** As the API does with `cancel_at_period_end`. */
  cancelAtPeriodEnd(subscription: string): Subscription;
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

export interface FakeFailures {
  /** Requests are executed at once and answered after this time. */
  slow(ms: number): void;
  /** Connections are reset; nothing is executed. */
  down(): void;
  /** Requests are executed, and their connection is reset. */
  loseAnswers(): void;
  /** Every request is answered so; nothing is executed. */
  answer(status: 429 | 500): void;
  /** No failure. */
  up(): void;
}

export interface FakeWebhooks {
  /** Oldest first, the oldest of more than 100,000 left out. */
  readonly events: readonly ApiEvent[];
  eventsOf(type: EventType): ApiEvent[];
  /** Once; resolves with status 0 when nobody answers. */
  deliver(event: ApiEvent, url: string, signing: Signing): Promise<Delivery>;
  /** From now on all events, in their order, one at a time. Returns the function that ends it. */
  deliverTo(url: string, signing: Pick<Signing, 'secret'>): () => void;
  /** Those of `deliverTo` that have ended. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when all events that were emitted are delivered. */
  delivered(): Promise<void>;
}

const MAX_DELIVERIES = 10_000;

export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { secretKey = `sk_test_${randomBytes(24).toString('hex')}`, port = 0, now = Date.now } = options;
  const traffic = createTraffic();
  const { webhooks, onEvent, pending } = createWebhooks();
  let mode: Mode = { kind: 'up' };
  let state: State | undefined;
  const server = await listen(port, (base) => {
    state = createState({ base, now, pendingWebhooks: pending, onEvent });
    const pages = createPages(state);
    return { state, api: createApi(state, secretKey), traffic, mode: () => mode, page: pages };
  });
  if (!state) throw new Error('the server does not listen');
  const { port: listening } = server.address() as AddressInfo;

  return {
    ...createLife(state),
    ...webhooks(state),
    base: state.base,
    port: listening,
    secretKey,
    client: (config = {}) =>
      new Stripe(secretKey, {
        host: '127.0.0.1',
        port: listening,
        protocol: 'http',
        maxNetworkRetries: 0,
        telemetry: false,
        ...config,
      }),
    requests: traffic.log,
    counts: () => traffic.counts(),
    slow: (ms) => void (mode = { kind: 'slow', ms }),
    down: () => void (mode = { kind: 'down' }),
    loseAnswers: () => void (mode = { kind: 'lost' }),
    answer: (status) => void (mode = { kind: 'error', status }),
    up: () => void (mode = { kind: 'up' }),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function createLife(state: State): FakeLife {
  /** Of a subscription that has not ended. */
  const change = (id: string, changed: (subscription: Subscription) => void): Subscription => {
    const subscription = subscriptionOf(state, id);
    if (hasEnded(subscription)) throw new Error(`${id} is ${subscription.status}`);
    changed(subscription);
    return structuredClone(subscription);
  };
  const endOf = (subscription: Subscription) => itemOf(subscription).current_period_end;

  return {
    now: () => new Date(state.nowMs()),
    price(options) {
      const price = newPrice(state, options);
      state.prices.set(price.id, price);
      return structuredClone(price);
    },
    customer: (id) => structuredClone(state.customers.get(id)),
    session: (id) => structuredClone(state.sessions.get(id)),
    sessions: () => structuredClone([...state.sessions.values()].reverse()),
    subscription: (id) => structuredClone(subscriptionOf(state, id)),
    invoice: (id) => structuredClone(state.invoices.get(id)),
    subscriptionsOf: (customer) => structuredClone(subscriptionsOf(state, customer)),
    completeCheckout: (session, options) => structuredClone(completeCheckout(state, session, options)),
    renew: (id) => change(id, (subscription) => renewSubscription(state, subscription, true)),
    failPayment: (id) => change(id, (subscription) => renewSubscription(state, subscription, false)),
    pay: (id) => change(id, (subscription) => payOpenInvoices(state, subscription)),
    markUnpaid: (id) => change(id, (subscription) => setStatus(state, subscription, 'unpaid')),
    pause: (id) =>
      change(id, (subscription) => {
        setStatus(state, subscription, 'paused');
        state.emit('customer.subscription.paused', subscription);
      }),
    resume: (id) =>
      change(id, (subscription) => {
        setStatus(state, subscription, 'active');
        state.emit('customer.subscription.resumed', subscription);
      }),
    cancelAtPeriodEnd: (id) => change(id, (subscription) => scheduleCancellation(state, subscription, 'period end')),
    cancelInPortal: (id) =>
      change(id, (subscription) => scheduleCancellation(state, subscription, endOf(subscription))),
    resumeInPortal: (id) => change(id, (subscription) => scheduleCancellation(state, subscription, null)),
    cancelNow: (id) => change(id, (subscription) => cancelSubscription(state, subscription)),
    changePrice(id, priceId) {
      const price = state.prices.get(priceId);
      if (!price) throw new Error(`there is no price ${priceId}`);
      return change(id, (subscription) => changePrice(state, subscription, price));
    },
    advanceTo: (time) => advance(state, time.getTime()),
    endPeriod: (id) => change(id, (subscription) => advance(state, endOf(subscription) * 1000)),
  };
}

interface Webhooks {
  readonly webhooks: (state: State) => FakeWebhooks;
  readonly onEvent: (event: ApiEvent) => void;
  readonly pending: () => number;
}

function createWebhooks(): Webhooks {
  const targets = new Map<symbol, (event: ApiEvent) => Promise<Delivery>>();
  const deliveries: Delivery[] = [];
  let last: Promise<void> = Promise.resolve();

  async function deliverToAll(event: ApiEvent): Promise<void> {
    for (const target of targets.values()) {
      deliveries.push(await target(event));
      if (deliveries.length > MAX_DELIVERIES) deliveries.shift();
    }
  }

  return {
    pending: () => targets.size,
    onEvent(event) {
      if (targets.size > 0) last = last.then(() => deliverToAll(event));
    },
    webhooks: (state) => ({
      events: state.events,
      eventsOf: (type) => state.events.filter((event) => event.type === type),
      deliver: (event, url, { secret, at = new Date(state.nowMs()) }) => deliver(event, url, { secret, at }),
      deliverTo(url, { secret }) {
        const target = Symbol(url);
        targets.set(target, (event) => deliver(event, url, { secret, at: new Date(state.nowMs()) }));
        return () => void targets.delete(target);
      },
      deliveries,
      async delivered() {
        for (let awaited: Promise<void> | undefined; awaited !== last;) {
          awaited = last;
          await awaited;
        }
      },
    }),
  };
}
