// Fake of the Stripe API for a subscription billing: Checkout, customer portal, subscriptions, webhooks. Its state is in
// memory; its clock is moved by the process that starts it.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createApi } from './api.js';
import { createFailures, type FakeFailures } from './failures.js';
import { createLife, type FakeLife } from './life.js';
import { createPages } from './pages.js';
import { answerRequests, listen } from './server.js';
import { createState } from './state.js';
import { createTraffic, type LoggedRequest, type RouteCount } from './traffic.js';
import { createWebhooks, type FakeWebhooks } from './webhooks.js';

export interface FakeStripeOptions {
  /** The only one that is accepted; made up when absent. */
  readonly secretKey?: string;
  /** A free one when absent. */
  readonly port?: number;
  /** ms since the epoch; `Date.now` when absent. `advanceTo` comes on top. */
  readonly now?: () => number;
}

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

export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { secretKey = `sk_test_${randomBytes(24).toString('hex')}`, port = 0, now = Date.now } = options;
  const traffic = createTraffic();
  const { webhooks, onEvent, pending } = createWebhooks(now);
  const { reply, failures } = createFailures();
  const server = await listen(port);
  const { port: listening } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${listening}`;
  const state = createState({ base, now, pendingWebhooks: pending, onEvent });
  const life = createLife(state);
  answerRequests(server, {
    state,
    api: createApi(state, secretKey),
    traffic,
    reply,
    page: createPages(life, state.portals),
  });

  return {
    ...life,
    ...failures,
    ...webhooks(state.events),
    base,
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
    async close() {
      failures.up();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
