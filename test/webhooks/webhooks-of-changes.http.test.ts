// Webhook events about purchases and changed e-mail addresses, caused by requests to the service.
import { expect } from 'chai';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from, newLinkToken } from '../support/auth.js';
import { startServer, type Customer, type TestServer } from '../support/server.js';
import { startWebhookReceiver, verified } from './webhook-receiver.js';

const STRIPE_SECRET = 'whsec_of_the_tests_only';
const receiver = await startWebhookReceiver();

describe('webhooks about', () => {
  let stripe: FakeStripe;
  let server: TestServer;
  before(async () => {
    stripe = await startFakeStripe({ now: Date.now });
    const variables = { ...sellPlans(stripe, STRIPE_SECRET), TRUST_PROXY: '1', WEBHOOK_ORIGINS: receiver.origin };
    server = await startServer(variables);
    server.service.startJobs();
  });
  after(async () => {
    await server.close();
    await stripe.close();
    await receiver.close();
  });

  async function subscribed(kinds: readonly string[]) {
    const customer = await server.customer('free');
    const path = `/${customer.id}`;
    const body = { url: receiver.origin + path, kinds };
    const added = await ask(server, '/auth/webhooks', { bearer: customer.accessToken, headers: from(), body });
    const { secret } = added.body as { secret: string };
    const events = (count: number) =>
      eventually(() => {
        const found = receiver.requests.filter((one) => one.path === path);
        return found.length >= count ? found.map((one) => verified(one, secret)) : undefined;
      }, `${count} events`);
    return { customer, events };
  }

  const byKey = ({ apiKey }: Customer) => ({ 'X-API-Key': apiKey });
  async function deliver(from: number): Promise<void> {
    for (const event of stripe.events.slice(from)) {
      const at = new Date();
      const { status } = await stripe.deliver(event, `${server.base}/v1/billing/webhook`, {
        secret: STRIPE_SECRET,
        at,
      });
      expect(status).to.equal(200);
    }
  }

  it('a subscription report each change with the tier that holds then', async () => {
    const { customer, events } = await subscribed(['subscription.updated']);
    const checkout = await ask(server, '/v1/billing/checkout', {
      headers: byKey(customer),
      body: { plan: 'pro', interval: 'month' },
    });
    const known = stripe.events.length;
    const { id } = stripe.completeCheckout((checkout.body as { id: string }).id);
    await deliver(known);
    const [bought] = await events(1);
    expect([bought!.type, bought!.data]).to.deep.equal([
      'subscription.updated',
      { tier: 'pro', plan: 'pro', status: 'active' },
    ]);
    const before = stripe.events.length;
    stripe.cancelNow(id);
    await deliver(before);
    const all = await events(2);
    expect(all.at(-1)?.data).to.deep.equal({ tier: 'free', plan: 'pro', status: 'canceled' });
  });

  it('an e-mail address report a change when the new address is confirmed, without the address', async () => {
    const { customer, events } = await subscribed(['account.email_changed', 'webhook.test']);
    const newEmail = 'new.address.of.webhooks@example.com';
    const requested = await ask(server, '/auth/change-email', {
      bearer: customer.accessToken,
      headers: from(),
      body: { currentPassword: PASSWORD, newEmail },
    });
    expect(requested.status).to.equal(202);
    const token = await newLinkToken(server, newEmail, { purpose: 'confirm-email' });
    expect((await ask(server, '/auth/confirm-email', { headers: from(), body: { token } })).status).to.equal(204);
    const [event, ...more] = await events(1);
    expect([event!.type, event!.data]).to.deep.equal(['account.email_changed', { emailVerified: true }]);
    expect(more).to.deep.equal([]);
    expect(receiver.requests.map(({ body }) => body).join(' ')).to.not.include(newEmail);
  });
});
