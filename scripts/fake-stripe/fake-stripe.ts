// Fake of the Stripe API for subscriptions: Checkout, customer portal, subscriptions, webhooks. The state is in memory,
// and a test can set the clock.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { createFailures } from './failures.js';
import { createLife } from './life.js';
import type { ApiEvent } from './objects.js';
import { createPages } from './pages.js';
import { answerRequests, listen } from './server.js';
import { createState } from './state.js';

const DELIVERY_LIMIT_MS = 10_000;

interface Signing {
  /** Secret that signs events: `whsec_…`. */
  readonly secret: string;
  /**
   * Time in the signature. Defaults to the result of `now` at the delivery, without the time that `advanceTo` has
   * added.
   */
  readonly at?: Date;
}

interface Delivery {
  /** HTTP status of the response, or 0 if there is no response. */
  readonly status: number;
  readonly body: string;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Starts the fake, by default on a free port. The clock of the fake shows the result of `now` (ms since the epoch) plus
 * the time that `advanceTo` has added.
 */
export async function startFakeStripe({ port = 0, now = Date.now } = {}) {
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const server = await listen(port);
  const { port: listening } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${listening}`;
  const targets = new Set<(event: ApiEvent) => Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  async function deliverToAll(event: ApiEvent): Promise<void> {
    for (const target of targets) await target(event);
  }
  const send = (event: ApiEvent, url: string, { secret, at = new Date(now()) }: Signing) =>
    deliver(event, url, { secret, at });
  const onEvent = (event: ApiEvent) => void (last = last.then(() => deliverToAll(event)));
  const state = createState({ base, nowMs: now, onEvent });
  const life = createLife(state);
  const { failures, around } = createFailures();
  const counts = answerRequests(server, { state, secretKey, around, page: createPages(life, state.portals) });
  return {
    ...life,
    ...failures,
    /** Address of the fake: `http://127.0.0.1:PORT`. */
    base,
    /** Secret key. The fake accepts no other. */
    secretKey,
    /**
     * Creates Stripe's official client with its retries turned off. Even so, if the connection was closed, the client
     * repeats the request once, after half a second.
     */
    client() {
      const address = { host: '127.0.0.1', port: listening, protocol: 'http' } as const;
      return new Stripe(secretKey, { ...address, maxNetworkRetries: 0, telemetry: false });
    },
    /** All events, oldest first. */
    events: state.events as readonly ApiEvent[],
    /** Delivers an event once. Never rejects. */
    deliver: send,
    /** Delivers all future events in order, one at a time. Returns a function that stops the delivery. */
    deliverTo(url: string, signing: Signing, onDelivery?: (event: ApiEvent, delivery: Delivery) => void): () => void {
      const target = async (event: ApiEvent) => {
        const delivery = await send(event, url, signing);
        onDelivery?.(event, delivery);
      };
      targets.add(target);
      return () => void targets.delete(target);
    },
    /** Resolves when all events so far are delivered. */
    delivered: () => last,
    /** Number of requests by route, such as `GET /v1/subscriptions`. */
    counts: (): Readonly<Record<string, { readonly requests: number }>> => Object.fromEntries(counts),
    async close(): Promise<void> {
      failures.up();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/** Delivers an event once, with Stripe's signature. */
async function deliver(event: ApiEvent, url: string, { secret, at }: Required<Signing>): Promise<Delivery> {
  const payload = JSON.stringify(event, undefined, 2);
  const timestamp = Math.floor(at.getTime() / 1000);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_LIMIT_MS),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}

/** Adds the four prices of Blazon's plans. Returns the environment variables that connect Blazon to this fake. */
export function sellPlans(fake: FakeStripe, webhookSecret: string) {
  const sell = (tier: 'pro' | 'enterprise', interval: 'month' | 'year', amount: number): string =>
    fake.price({ id: `price_${tier}_${interval}`, amount, interval }).id;
  return {
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PRO_MONTH: sell('pro', 'month', 900),
    STRIPE_PRICE_PRO_YEAR: sell('pro', 'year', 9000),
    STRIPE_PRICE_ENTERPRISE_MONTH: sell('enterprise', 'month', 9900),
    STRIPE_PRICE_ENTERPRISE_YEAR: sell('enterprise', 'year', 99_000),
    STRIPE_API_BASE: fake.base,
  };
}
