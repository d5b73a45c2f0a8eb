// Webhooks of a fake Stripe: how soon they are acknowledged, and how soon those of an outage are processed.
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlans } from '../../config/plans.js';
import { openCommandStores } from '../../src/compose/embedded-stores.js';
import { setCustomer } from '../../src/domain/account/changes/billing.js';
import { newAccount } from '../../src/domain/account/changes/lifecycle.js';
import type { Stores } from '../../src/compose/stores.js';
import { sellPlans } from '../fake-stripe/blazon.js';
import { startFakeStripe, type FakeStripe } from '../fake-stripe/fake-stripe.js';
import type { ApiEvent } from '../fake-stripe/objects.js';
import { startService } from './service.js';
import type { Row } from './table.js';

const SECRET = 'whsec_of_the_bench';
const CUSTOMERS = 1000;
/** Deliveries that are under way at once, where as many as possible are delivered. */
const CONNECTIONS = 8;
/** Between two deliveries whose times are measured: 100 a second. */
const PACE_MS = 10;
/** Stripe answers requests of the service so late meanwhile. */
const STRIPE_MS = 1000;
const POLL_MS = 50;

export async function measureBilling(dataDir: string): Promise<Row[]> {
  const stripe = await startFakeStripe();
  const service = await startService(dataDir, sellPlans(stripe, SECRET));
  const stores = openCommandStores({ dataDir, plans: readPlans(), now: Date.now, onError: console.error });
  try {
    const events = await subscribe(stripe, stores);
    const webhook = `${service.base}/v1/billing/webhook`;
    stripe.slow(STRIPE_MS);
    const times = await deliverPaced(stripe, events.slice(0, CUSTOMERS / 2), webhook);
    stripe.down();
    await deliverAll(stripe, events.slice(CUSTOMERS / 2), webhook);
    for (const { id } of events) await stores.paymentEvents.replay(id, new Date());
    await sleep(2000);
    const waiting = await stores.paymentEvents.unfinished();
    stripe.up();
    const beganMs = performance.now();
    while ((await stores.paymentEvents.unfinished()) > 0) await sleep(POLL_MS);
    const seconds = (performance.now() - beganMs) / 1000;
    return [
      {
        what: `webhook acknowledged, ${1000 / PACE_MS} a second, Stripe answering after ${STRIPE_MS / 1000} s: p99`,
        measured: `${(times[Math.ceil(times.length * 0.99) - 1] ?? NaN).toFixed(1)} ms`,
        peer: `median ${(times[Math.floor(times.length / 2)] ?? NaN).toFixed(2)} ms`,
        figure: times[Math.ceil(times.length * 0.99) - 1] ?? NaN,
        goal: { atMost: 20 },
        unit: ' ms',
      },
      {
        what: `${waiting} events of ${CUSTOMERS} customers that waited for Stripe, processed after its return`,
        measured: `${seconds.toFixed(1)} s`,
        peer: '',
        figure: seconds,
        goal: { atMost: 60 },
        unit: ' s',
      },
    ];
  } finally {
    await stores.close();
    await service.stop();
    await stripe.close();
  }
}

/** One event of each of many new customers with a subscription. */
async function subscribe(stripe: FakeStripe, stores: Stores): Promise<readonly ApiEvent[]> {
  const client = stripe.client();
  for (let index = 0; index < CUSTOMERS; index++) {
    const at = new Date();
    const email = `customer-${index}@example.com`;
    const { account } = newAccount({ email, passwordHash: '$argon2id$none', tier: 'free', at });
    const { id } = await client.customers.create({ email });
    await stores.accounts.insert(setCustomer({ ...account, mails: [] }, id, at).account);
    const session = await client.checkout.sessions.create({
      mode: 'subscription',
      customer: id,
      line_items: [{ price: 'price_pro_month', quantity: 1 }],
      success_url: 'https://icons.example/',
    });
    stripe.completeCheckout(session.id);
  }
  return stripe.eventsOf('customer.subscription.created');
}

/** ms. Throws when it is not acknowledged. */
async function deliver(stripe: FakeStripe, event: ApiEvent, webhook: string): Promise<number> {
  const beganMs = performance.now();
  const { status, body } = await stripe.deliver(event, webhook, { secret: SECRET });
  if (status !== 200) throw new Error(`the webhook answered ${status}: ${body}`);
  return performance.now() - beganMs;
}

/** ms each, ascending. */
async function deliverPaced(stripe: FakeStripe, events: readonly ApiEvent[], webhook: string): Promise<number[]> {
  const underWay: Promise<number>[] = [];
  for (const event of events) {
    underWay.push(deliver(stripe, event, webhook));
    await sleep(PACE_MS);
  }
  return (await Promise.all(underWay)).sort((one, other) => one - other);
}

async function deliverAll(stripe: FakeStripe, events: readonly ApiEvent[], webhook: string): Promise<void> {
  const rest = [...events];
  const deliverNext = async (): Promise<void> => {
    for (let event = rest.shift(); event; event = rest.shift()) await deliver(stripe, event, webhook);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, deliverNext));
}
