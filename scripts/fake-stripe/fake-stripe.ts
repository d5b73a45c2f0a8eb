// Fake of the Stripe API for a subscription billing: Checkout, customer portal, subscriptions, webhooks. Its state is in
// memory; its clock is moved by the process that starts it.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createApi } from './api.js';
import { deliver, type Delivery, type Signing } from './deliveries.js';
import { createFailures, type FakeFailures } from './failures.js';
import { createLife, type FakeLife } from './life.js';
import type { ApiEvent, EventType } from './objects.js';
import { createPages } from './pages.js';
import { answerRequests, listen, type RouteCount } from './server.js';
import { createState } from './state.js';

export interface FakeStripeOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** ms since the epoch; `Date.now` when absent. `advanceTo` comes on top. */
  readonly now?: () => number;
}

export interface FakeStripe extends FakeLife, FakeFailures {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  /** The only one that is accepted. */
  readonly secretKey: string;
  /** The official client, without retries; closed connections it tries once more in any case, half a second later. */
  client(): Stripe;
  /** Oldest first, the oldest of more than 100,000 left out. */
  readonly events: readonly ApiEvent[];
  eventsOf(type: EventType): ApiEvent[];
  /** Once; resolves with status 0 without an answer. */
  deliver(event: ApiEvent, url: string, signing: Signing): Promise<Delivery>;
  /** From now on all events, in their order, one at a time. Returns the function that ends it. */
  deliverTo(url: string, signing: Signing, onDelivery?: (event: ApiEvent, delivery: Delivery) => void): () => void;
  /** Resolves when all events that were emitted are delivered. */
  delivered(): Promise<void>;
  /** By route, such as `GET /v1/subscriptions`; those that were never asked for are left out. */
  counts(): Readonly<Record<string, Readonly<RouteCount>>>;
  close(): Promise<void>;
}

export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { port = 0, now = Date.now } = options;
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const { reply, failures } = createFailures();
  const server = await listen(port);
  const { port: listening } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${listening}`;
  const targets = new Set<(event: ApiEvent) => Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  async function deliverToAll(event: ApiEvent): Promise<void> {
    for (const target of targets) await target(event);
  }
  const onEvent = (event: ApiEvent) => void (last = last.then(() => deliverToAll(event)));
  const send = (event: ApiEvent, url: string, { secret, at = new Date(now()) }: Signing) =>
    deliver(event, url, { secret, at });
  const state = createState({ base, now, onEvent });
  const life = createLife(state);
  const counts = new Map<string, RouteCount>();
  answerRequests(server, { api: createApi(state, secretKey), counts, reply, page: createPages(life, state.portals) });
  return {
    ...life,
    ...failures,
    base,
    secretKey,
    client: () =>
      new Stripe(secretKey, {
        host: '127.0.0.1',
        port: listening,
        protocol: 'http',
        maxNetworkRetries: 0,
        telemetry: false,
      }),
    events: state.events,
    eventsOf: (type) => state.events.filter((event) => event.type === type),
    deliver: send,
    deliverTo(url, signing, onDelivery) {
      const target = async (event: ApiEvent) => {
        const delivery = await send(event, url, signing);
        onDelivery?.(event, delivery);
      };
      targets.add(target);
      return () => void targets.delete(target);
    },
    delivered: () => last,
    counts: () => Object.fromEntries(counts),
    async close() {
      failures.up();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
