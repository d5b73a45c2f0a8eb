// The fake of the Stripe API, driven by the official client.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Stripe from 'stripe';
import { eventually } from '../../support/auth.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../support/fake-stripe.js';
import { launchService, ROOT } from '../../support/service-process.js';
import { clockAt, DAY_MS, HOUR_MS } from '../../support/clock.js';

const SECRET = 'whsec_test';
const START_MS = Date.UTC(2026, 0, 31, 12);

/** What the promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
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
    fake.price({ id: 'price_year', amount: 9000, interval: 'year' });
    stripe = fake.client();
  });
  afterEach(() => fake.close());

  const types = () => fake.events.map(({ type }) => type);
  const customer = () => stripe.customers.create({ email: 'a@b.example', metadata: { account: '1' } });
  const checkout = (id: string, price = 'price_month') =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: id,
      client_reference_id: 'account-1',
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata: { account: '1' } },
      success_url: 'https://icons.example/ok?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://icons.example/no',
    });
  /** A customer who has paid. */
  async function subscribed(price?: string): Promise<string> {
    const { id } = await customer();
    const session = await checkout(id, price);
    return fake.completeCheckout(session.id).id;
  }

  it('leads a customer from checkout to the end of the subscription', async () => {
    const { id } = await customer();
    const session = await checkout(id);
    expect(session).to.include({ status: 'open', payment_status: 'unpaid', amount_total: 900, subscription: null });
    expect(session.url).to.equal(`${fake.base}/c/pay/${session.id}`);

    fake.completeCheckout(session.id);
    expect(await stripe.checkout.sessions.retrieve(session.id)).to.include({
      status: 'complete',
      payment_status: 'paid',
    });
    const [active] = (await stripe.subscriptions.list({ customer: id, status: 'all' })).data;
    expect(active).to.include({ status: 'active', customer: id, cancel_at_period_end: false, cancel_at: null });
    expect(active!.metadata).to.deep.equal({ account: '1' });
    const [item] = active!.items.data;
    expect(item!.current_period_start).to.equal(START_MS / 1000);
    // The last day of a shorter month.
    expect(item!.current_period_end).to.equal(Date.UTC(2026, 1, 28, 12) / 1000);
    expect(item!.price.id).to.equal('price_month');

    const canceling = await stripe.subscriptions.update(active!.id, { cancel_at_period_end: true });
    expect(canceling).to.include({ status: 'active', cancel_at_period_end: true, cancel_at: item!.current_period_end });
    fake.advanceTo(new Date(Date.UTC(2026, 1, 28, 11)));
    expect((await stripe.subscriptions.retrieve(active!.id)).status).to.equal('active');
    fake.advanceTo(new Date(Date.UTC(2026, 2, 1)));
    const ended = await stripe.subscriptions.retrieve(active!.id);
    expect(ended).to.include({ status: 'canceled', ended_at: item!.current_period_end });
    expect((await stripe.subscriptions.list({ customer: id })).data).to.deep.equal([]);
    expect(types()).to.deep.equal([
      'customer.created',
      'customer.subscription.created',
      'checkout.session.completed',
      'customer.subscription.updated',
      'customer.subscription.deleted',
    ]);
  });

  it('knows trials, failed payments, and every other state', async () => {
    const { id: customerId } = await customer();
    const session = await checkout(customerId, 'price_year');
    const { id } = fake.completeCheckout(session.id, { trialDays: 7 });
    expect((await stripe.subscriptions.retrieve(id)).status).to.equal('trialing');
    const renewed = fake.endPeriod(id);
    expect(renewed.status).to.equal('active');
    expect(renewed.items.data[0]!.current_period_start).to.equal((START_MS + 7 * DAY_MS) / 1000);
    expect(fake.failPayment(id).status).to.equal('past_due');
    expect(fake.events.at(-1)).to.include({ type: 'customer.subscription.updated' });
    expect(fake.markUnpaid(id).status).to.equal('unpaid');
    expect(fake.pay(id).status).to.equal('active');
    expect(fake.changePrice(id, 'price_month').items.data[0]!.price.id).to.equal('price_month');
    expect(fake.cancelNow(id).status).to.equal('canceled');
    expect(() => fake.renew(id)).to.throw('is canceled');
  });

  it('expires sessions after a day, and subscriptions that were never paid after 23 hours', async () => {
    const { id } = await customer();
    const session = await checkout(id);
    const { id: subscription } = fake.completeCheckout(session.id, { paymentFails: true });
    expect((await stripe.subscriptions.retrieve(subscription)).status).to.equal('incomplete');
    fake.advanceTo(new Date(clock.now() + 23 * HOUR_MS));
    expect((await stripe.subscriptions.retrieve(subscription)).status).to.equal('incomplete_expired');
    expect((await stripe.checkout.sessions.list({ customer: id, status: 'open' })).data).to.have.length(1);
    fake.advanceTo(new Date(clock.now() + 24 * HOUR_MS));
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).to.equal('expired');
    expect((await errorOf(stripe.checkout.sessions.expire(session.id))).statusCode).to.equal(400);
  });

  it('cancels in the portal as Stripe does there, and only cancel_at undoes it', async () => {
    const id = await subscribed();
    const { cancel_at: at, cancel_at_period_end: flag } = fake.cancelInPortal(id);
    expect([at, flag]).to.deep.equal([Date.UTC(2026, 1, 28, 12) / 1000, false]);
    expect((await stripe.subscriptions.update(id, { cancel_at_period_end: false })).cancel_at).to.equal(at);
    expect((await stripe.subscriptions.update(id, { cancel_at: '' })).cancel_at).to.equal(null);
    fake.cancelInPortal(id);
    expect(fake.endPeriod(id).status).to.equal('canceled');
  });

  it('ends all subscriptions of a customer who is deleted', async () => {
    const id = await subscribed();
    const { customer: owner } = fake.subscription(id);
    expect(await stripe.customers.del(owner)).to.include({ id: owner, deleted: true });
    expect(await stripe.customers.retrieve(owner)).to.include({ id: owner, deleted: true });
    expect(fake.subscription(id).status).to.equal('canceled');
    expect(types().slice(-2)).to.deep.equal(['customer.subscription.deleted', 'customer.deleted']);
    expect(await errorOf(stripe.customers.del(owner))).to.include({ statusCode: 404, code: 'resource_missing' });
    expect(await errorOf(checkout(owner))).to.include({ statusCode: 400, code: 'resource_missing', param: 'customer' });
  });

  it('repeats an answer for its idempotency key, and rejects another request', async () => {
    const options = { idempotencyKey: 'key-1' };
    const first = await stripe.customers.create({ email: 'a@b.example' }, options);
    const again = await stripe.customers.create({ email: 'a@b.example' }, options);
    expect(again.id).to.equal(first.id);
    expect(types()).to.deep.equal(['customer.created']);
    const other = await errorOf(stripe.customers.create({ email: 'c@d.example' }, options));
    expect(other).to.include({ statusCode: 400, type: 'StripeIdempotencyError' });
  });

  it('rejects what Stripe rejects', async () => {
    const anyone = fake.client();
    expect(
      await errorOf(
        new Stripe('sk_test_wrong', {
          host: '127.0.0.1',
          port: new URL(fake.base).port,
          protocol: 'http',
          maxNetworkRetries: 0,
        }).customers.retrieve('cus_1'),
      ),
    ).to.include({ statusCode: 401 });
    const unknown = { emial: 'a@b.example' } as Stripe.CustomerCreateParams;
    expect(await errorOf(anyone.customers.create(unknown))).to.include({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'emial',
    });
    expect(await errorOf(anyone.products.list())).to.include({ statusCode: 404 });
    expect(await errorOf(anyone.subscriptions.retrieve('sub_1'))).to.include({
      statusCode: 404,
      code: 'resource_missing',
    });
    const { id } = await customer();
    expect(await errorOf(checkout(id, 'price_none'))).to.include({ statusCode: 400, param: 'line_items[0][price]' });
    expect(await errorOf(anyone.subscriptions.list({ customer: id, limit: 101 }))).to.include({ param: 'limit' });
    const missing = await errorOf(anyone.checkout.sessions.create({ mode: 'subscription' }));
    expect(missing).to.include({ code: 'parameter_missing', param: 'line_items[0][price]' });
    const extra = { line_items: [{ prize: 'x' }] } as unknown as Stripe.Checkout.SessionCreateParams;
    expect(await errorOf(anyone.checkout.sessions.create(extra))).to.include({ param: 'line_items[0][prize]' });
  });

  describe('delivers events', () => {
    let hook: Hook;
    beforeEach(async () => {
      hook = await openHook();
    });
    afterEach(() => hook.close());

    it('with a signature that the official library accepts', async () => {
      await subscribed();
      const [event] = fake.eventsOf('customer.subscription.created');
      const at = new Date();
      expect(await fake.deliver(event!, hook.url, { secret: SECRET, at })).to.include({ status: 200, body: 'ok' });
      const [{ body, signature } = { body: '', signature: '' }] = hook.received;
      const read = Stripe.webhooks.constructEvent(body, signature, SECRET);
      expect(read).to.include({
        id: event!.id,
        type: 'customer.subscription.created',
        api_version: Stripe.API_VERSION,
      });
      expect(() => Stripe.webhooks.constructEvent(body, signature, 'whsec_other')).to.throw();
      await fake.deliver(event!, hook.url, { secret: SECRET, at: new Date(at.getTime() - 301_000) });
      expect(() => Stripe.webhooks.constructEvent(body, hook.received[1]!.signature, SECRET)).to.throw('tolerance');
    });

    it('by itself, in their order', async () => {
      const stop = fake.deliverTo(hook.url, { secret: SECRET });
      await subscribed();
      await fake.delivered();
      stop();
      await customer();
      await fake.delivered();
      const ids = hook.received.map(({ body }) => (JSON.parse(body) as Stripe.Event).id);
      expect(ids).to.deep.equal(fake.events.slice(0, -1).map(({ id }) => id));
    });

    it('reports status 0 where no process listens', async () => {
      await customer();
      expect(await fake.deliver(fake.events[0]!, 'http://127.0.0.1:9', { secret: SECRET })).to.include({ status: 0 });
    });
  });

  describe('fails on demand', () => {
    it('by resetting connections, before and after it executes', async () => {
      fake.down();
      expect((await errorOf(customer())).type).to.equal('StripeConnectionError');
      expect(types()).to.deep.equal([]);
      fake.loseAnswers();
      expect((await errorOf(customer())).type).to.equal('StripeConnectionError');
      expect(types()).to.deep.equal(['customer.created']);
      fake.up();
      expect((await customer()).object).to.equal('customer');
    });

    it('by answering 429 and 500', async () => {
      fake.answer(429);
      expect((await errorOf(customer())).type).to.equal('StripeRateLimitError');
      fake.answer(500);
      expect((await errorOf(customer())).type).to.equal('StripeAPIError');
      expect(types()).to.deep.equal([]);
    });

    it('by answering late, and counts what is under way', async () => {
      fake.slow(200);
      await Promise.all([customer(), customer(), customer()]);
      expect(fake.counts()['POST /v1/customers']).to.include({ requests: 3, maxConcurrent: 3 });
    });

    it('by holding the answers of one route', async () => {
      fake.hold('POST /v1/customers');
      let isAnswered = false;
      const held = customer().then(() => (isAnswered = true));
      await eventually(() => fake.eventsOf('customer.created')[0], 'event');
      expect((await stripe.prices.retrieve('price_month')).id).to.equal('price_month');
      expect(isAnswered).to.equal(false);
      fake.answer(500, 'GET /v1/subscriptions');
      await held;
      expect((await errorOf(stripe.subscriptions.list({ customer: 'cus_1' }))).statusCode).to.equal(500);
      expect((await customer()).object).to.equal('customer');
    });
  });

  describe('has pages', () => {
    const press = (url: string, fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

    it('of a checkout, which declines and pays', async () => {
      const session = await checkout((await customer()).id);
      const url = session.url!;
      expect(await (await fetch(url)).text()).to.include('9.00 USD');
      expect(await (await press(url, { action: 'decline' })).text()).to.include('declined');
      expect(fake.session(session.id)!.status).to.equal('open');
      const paid = await press(url, { action: 'pay' });
      expect([paid.status, paid.headers.get('location')]).to.deep.equal([
        303,
        `https://icons.example/ok?session=${session.id}`,
      ]);
      expect(fake.session(session.id)!.status).to.equal('complete');
      expect(await (await press(url, { action: 'pay' })).text()).to.include('It is complete');
      expect((await fetch(`${fake.base}/c/pay/cs_test_none`)).status).to.equal(404);
    });

    it('of the portal, which cancels at the end of the period, and ends it', async () => {
      const subscription = await subscribed();
      const { customer: owner } = fake.subscription(subscription);
      const { url } = await stripe.billingPortal.sessions.create({
        customer: owner,
        return_url: 'https://icons.example/',
      });
      expect(await (await fetch(url)).text()).to.include('price_month');
      expect((await press(url, { action: 'cancel', subscription })).headers.get('location')).to.equal(
        new URL(url).pathname,
      );
      expect(fake.subscription(subscription).cancel_at).to.equal(Date.UTC(2026, 1, 28, 12) / 1000);
      await press(url, { action: 'end', subscription });
      expect(fake.subscription(subscription).status).to.equal('canceled');
      // There is nothing left to do.
      expect((await press(url, { action: 'now', subscription })).status).to.equal(303);
    });
  });

  it('is a command that prints the variables and delivers events', async () => {
    const hook = await openHook();
    const main = `${ROOT}dist/scripts/fake-stripe/main.js`;
    const command = launchService({}, [process.execPath, main, '--port', '0', '--webhook', hook.url]);
    try {
      const printed = await eventually(
        () => (command.output().includes('Ctrl+C') ? command.output() : undefined),
        'output',
      );
      const value = (name: string) => new RegExp(`^export STRIPE_${name}=(.+)$`, 'm').exec(printed)?.[1] ?? '';
      const client = new Stripe(value('SECRET_KEY'), {
        host: '127.0.0.1',
        port: new URL(value('API_BASE')).port,
        protocol: 'http',
      });
      expect((await client.prices.retrieve(value('PRICE_ENTERPRISE_YEAR'))).recurring!.interval).to.equal('year');
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

  it('sells the four plans of Blazon', async () => {
    const variables = sellPlans(fake, SECRET);
    expect(variables).to.include({ STRIPE_SECRET_KEY: fake.secretKey, STRIPE_API_BASE: fake.base });
    const { unit_amount: amount } = await stripe.prices.retrieve(variables.STRIPE_PRICE_PRO_MONTH);
    expect(amount).to.equal(900);
  });
});
