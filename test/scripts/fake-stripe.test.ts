// The fake of the Stripe API, used with the official client. Covers only what the billing tests don't.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Stripe from 'stripe';
import { startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { eventually } from '../support/auth.js';
import { launchService, ROOT } from '../support/service-process.js';
import { clockAt } from '../support/clock.js';

const START_MS = Date.UTC(2026, 0, 31, 12);

async function errorOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error('this is no error of Stripe', { cause: error });
}

interface Hook {
  readonly url: string;
  readonly received: readonly { readonly body: string; readonly signature: string }[];
  close(): void;
}

async function openHook(): Promise<Hook> {
  const received: { body: string; signature: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(200).end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('the fake of Stripe', () => {
  const clock = clockAt(START_MS);
  let fake: FakeStripe;
  let stripe: Stripe;

  beforeEach(async () => {
    fake = await startFakeStripe({ now: clock.now });
    fake.price({ id: 'price_month', amount: 900, interval: 'month' });
    stripe = fake.client();
  });
  afterEach(() => fake.close());

  const customer = () => stripe.customers.create({ email: 'a@b.example', metadata: { account: '1' } });
  const checkout = (id: string, price = 'price_month') =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: id,
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata: { account: '1' } },
      success_url: 'https://icons.example/ok?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://icons.example/no',
    });

  it('rejects the same requests as Stripe', async () => {
    const { id } = await customer();
    const wrong = new Stripe('sk_test_wrong', {
      ...{ host: '127.0.0.1', port: new URL(fake.base).port, protocol: 'http', maxNetworkRetries: 0 },
    });
    const unknown = { emial: 'a@b.example' } as Stripe.CustomerCreateParams;
    const other = { email: 'c@d.example' };
    await stripe.customers.create({ email: 'a@b.example' }, { idempotencyKey: 'one' });
    for (const [call, error] of [
      [wrong.customers.retrieve(id), { statusCode: 401 }],
      [stripe.customers.create(unknown), { statusCode: 400, code: 'parameter_unknown', param: 'emial' }],
      [stripe.customers.create(other, { idempotencyKey: 'one' }), { type: 'StripeIdempotencyError' }],
      [stripe.products.list(), { statusCode: 404 }],
      [stripe.subscriptions.retrieve('sub_1'), { statusCode: 404, code: 'resource_missing' }],
      [checkout(id, 'price_none'), { statusCode: 400, param: 'line_items[0][price]' }],
      [stripe.checkout.sessions.create({ mode: 'subscription' }), { code: 'parameter_missing' }],
      [stripe.subscriptions.list({ customer: id, limit: 101 }), { param: 'limit' }],
    ] as const)
      expect(await errorOf(call)).to.include(error);
  });

  describe('has pages', () => {
    const press = (url: string, fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

    it('of a checkout, which declines and pays', async () => {
      const { id, url } = await checkout((await customer()).id);
      expect(await (await fetch(url!)).text()).to.include('9.00 USD');
      expect(await (await press(url!, { action: 'decline' })).text()).to.include('declined');
      expect(fake.session(id)!.status).to.equal('open');
      const paid = await press(url!, { action: 'pay' });
      expect([paid.status, paid.headers.get('location')]).to.deep.equal([
        303,
        `https://icons.example/ok?session=${id}`,
      ]);
      expect(fake.session(id)!.status).to.equal('complete');
      expect(await (await press(url!, { action: 'pay' })).text()).to.include('It is complete');
      expect((await fetch(`${fake.base}/c/pay/cs_test_none`)).status).to.equal(404);
    });

    it('of the portal, which cancels at the end of the period, and ends it', async () => {
      const owner = (await customer()).id;
      const { id: subscription } = fake.completeCheckout((await checkout(owner)).id);
      const back = 'https://icons.example/';
      const { url } = await stripe.billingPortal.sessions.create({ customer: owner, return_url: back });
      expect(await (await fetch(url)).text())
        .to.include('price_month')
        .and.include(back);
      const canceled = await press(url, { action: 'cancel', subscription });
      expect(canceled.headers.get('location')).to.equal(new URL(url).pathname);
      expect(fake.subscription(subscription).cancel_at).to.equal(Date.UTC(2026, 1, 28, 12) / 1000);
      await press(url, { action: 'end', subscription });
      expect(fake.subscription(subscription).status).to.equal('canceled');
      expect((await press(url, { action: 'now', subscription })).status, 'nothing is left to do').to.equal(303);
    });
  });

  it('is a command that prints the variables and delivers events', async () => {
    const hook = await openHook();
    const main = `${ROOT}dist/scripts/fake-stripe/main.js`;
    const command = launchService({}, [process.execPath, main, '--port', '0', '--webhook', hook.url]);
    try {
      const printed = await eventually(() => command.output().includes('Ctrl+C') && command.output(), 'output');
      const value = (name: string) => new RegExp(`^export STRIPE_${name}=(.+)$`, 'm').exec(printed)?.[1] ?? '';
      const { port } = new URL(value('API_BASE'));
      const client = new Stripe(value('SECRET_KEY'), { host: '127.0.0.1', port, protocol: 'http' });
      const price = await client.prices.retrieve(value('PRICE_ENTERPRISE_YEAR'));
      expect([price.unit_amount, price.recurring!.interval]).to.deep.equal([99_000, 'year']);
      await client.customers.create({ email: 'a@b.example' });
      const { body, signature } = await eventually(() => hook.received[0], 'event');
      expect(Stripe.webhooks.constructEvent(body, signature, value('WEBHOOK_SECRET')).type).to.equal(
        'customer.created',
      );
    } finally {
      command.child.kill();
      hook.close();
    }
    await command.exit;
  });
});
