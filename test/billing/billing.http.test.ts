// Buying, changing and ending a subscription, with a fake Stripe API.
import { expect } from 'chai';
import fc from 'fast-check';
import { readEnv } from '../../config/env.js';
import { openAccountParts } from '../support/account-services.js';
import { viewOf } from '../../src/accounts/account-view.command.js';
import { parseAccountId } from '../../src/accounts/account-id.js';
import { setOperatorTier } from '../../src/accounts/changes/billing.js';
import { setSuspended } from '../../src/accounts/changes/status.js';
import { expectationId } from '../../src/billing/payment-event.js';
import { webhookFindings } from '../../src/billing/doctor.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, mailsTo, newLinkToken, OWN_PAGE, signedIn } from '../support/auth.js';
import { clockAt, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from '../support/clock.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { PUBLIC_ORIGIN, startServer, type Customer, type TestServer } from '../support/server.js';
import { repeated } from '../support/extent.js';

const SECRET = 'whsec_of_the_tests_only';

describe('billing', () => {
  let clock: Clock;
  let stripe: FakeStripe;
  let server: TestServer;
  /** Services of a second process with the same stores. The second process runs the jobs. */
  let beside: Awaited<ReturnType<typeof openAccountParts>>;
  let webhook: string;
  /** Messages that the second process (`beside`) passes to `onError` in calls with an undefined `error`. */
  let logged: string[];

  beforeEach(async () => {
    logged = [];
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    stripe = await startFakeStripe({ now: clock.now });
    const variables = sellPlans(stripe, `whsec_the_old_one,${SECRET}`);
    server = await startServer({ ...variables }, clock.now);
    const env = readEnv({ PUBLIC_URL: PUBLIC_ORIGIN, JWT_SECRET: 'x'.repeat(32), ...variables }, '0.0.0');
    const onError = (error: unknown, what: string) => {
      if (error !== undefined) throw new Error(what, { cause: error });
      logged.push(what);
    };
    beside = await openAccountParts({ env, stores: server.stores, now: clock.now, onError, mails: 'at once' });
    webhook = `${server.base}/v1/billing/webhook`;
  });
  afterEach(async () => {
    await beside.close();
    await server.close();
    await stripe.close();
  });

  const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    ask(server, path, { method, headers, body });
  const byKey = ({ apiKey }: Customer) => ({ 'X-API-Key': apiKey });
  const byToken = ({ accessToken }: Customer) => ({ Authorization: `Bearer ${accessToken}` });
  const checkout = (customer: Customer, plan = 'pro', interval = 'month') =>
    send('POST', '/v1/billing/checkout', byKey(customer), { plan, interval });
  const subscription = async (customer: Customer) => (await send('GET', '/v1/subscription', byKey(customer))).body;
  const deliverAll = async (from = 0): Promise<number> => {
    for (const event of stripe.events.slice(from))
      expect((await stripe.deliver(event, webhook, { secret: SECRET, at: clock.date() })).status).to.equal(200);
    return stripe.events.length;
  };
  const tierIs = (customer: Customer, tier: string) =>
    eventually(async () => ((await subscription(customer)).tier === tier ? tier : undefined), `the tier ${tier}`);
  const limitOf = async (customer: Customer): Promise<unknown> => {
    const { body } = await send('GET', '/v1/usage', byKey(customer));
    return (body.endpoints as Record<string, { limit: unknown }>).svg!.limit;
  };
  const buy = async (customer: Customer, plan = 'pro'): Promise<string> => {
    const { body } = await checkout(customer, plan);
    const { id } = stripe.completeCheckout(body.id as string);
    await deliverAll();
    await tierIs(customer, plan);
    return id;
  };

  it('sells a plan: limits rise with the payment, and fall at the end of a canceled period', async () => {
    const customer = await server.customer();
    expect(await subscription(customer)).to.deep.equal({
      tier: 'free',
      plan: null,
      interval: null,
      status: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      source: 'none',
    });
    expect(await limitOf(customer)).to.equal(1000);
    const { status, body } = await checkout(customer, 'pro', 'year');
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['id', 'url']);
    expect(body.url).to.match(/^http:\/\/127\.0\.0\.1:/);
    expect(await limitOf(customer), 'before it is paid').to.equal(1000);
    const { id } = stripe.completeCheckout(body.id as string);
    const delivered = await deliverAll();
    await tierIs(customer, 'pro');
    expect(await limitOf(customer)).to.equal(100_000);
    const bought = await subscription(customer);
    expect(bought).to.deep.include({ plan: 'pro', interval: 'year', status: 'active', source: 'stripe' });
    expect(bought.currentPeriodEnd).to.match(/^2027-05-01T12:00/);

    const canceled = await send('POST', '/v1/subscription/cancel', byKey(customer));
    expect(canceled.status).to.equal(200);
    expect(canceled.body).to.deep.equal({ ...bought, cancelAtPeriodEnd: true });
    expect(await limitOf(customer)).to.equal(100_000);
    expect((await send('POST', '/v1/subscription/resume', byKey(customer))).body).to.deep.equal(bought);
    expect((await send('POST', '/v1/subscription/cancel', byKey(customer))).body).to.deep.equal(canceled.body);

    const end = new Date(String(bought.currentPeriodEnd));
    stripe.advanceTo(end);
    clock.advance(end.getTime() - clock.now());
    await deliverAll(delivered);
    await tierIs(customer, 'free');
    expect(await limitOf(customer)).to.equal(1000);
    expect(await subscription(customer)).to.deep.include({ plan: 'pro', status: 'canceled', source: 'none' });
    expect(stripe.subscription(id).status).to.equal('canceled');
  });

  it('asks for the password on a page once in five minutes, in the same session, until the password changes', async () => {
    const customer = await server.customer();
    await buy(customer);
    const portal = async ({ cookie }: Pick<Customer, 'cookie'>, body: object = {}) => {
      const answer = await send('POST', '/dashboard/billing/portal', { ...OWN_PAGE, Cookie: cookie }, body);
      return answer.status === 400 ? (answer.body.details as { field: string }[])[0]?.field : answer.status;
    };
    const given = { currentPassword: PASSWORD };
    expect(await portal(customer), 'at first').to.equal('currentPassword');
    expect(await portal(customer, { currentPassword: 'not the password at all' })).to.equal(401);
    expect(await portal(customer), 'after a wrong one').to.equal('currentPassword');
    expect(await portal(customer, given)).to.equal(200);
    clock.advance(5 * MINUTE_MS - SECOND_MS);
    expect(await portal(customer)).to.equal(200);
    expect((await send('POST', '/v1/billing/portal', byToken(customer))).status, 'the API').to.equal(400);
    const elsewhere = signedIn(
      await ask(server, '/auth/login', { body: { email: customer.email, password: PASSWORD } }),
    );
    expect(await portal(elsewhere), 'another session').to.equal('currentPassword');
    clock.advance(SECOND_MS);
    expect(await portal(customer), 'five minutes later').to.equal('currentPassword');
    expect(await portal(customer, given)).to.equal(200);
    const newPassword = 'another long pass phrase';
    const body = { ...given, newPassword };
    expect((await send('POST', '/auth/change-password', byToken(customer), body)).status).to.equal(204);
    expect(await portal(customer), 'with a new password').to.equal(401);
    expect(await portal(customer, { currentPassword: newPassword })).to.equal(200);
    const bearer = await send('POST', '/dashboard/billing/portal', { ...OWN_PAGE, ...byToken(customer) });
    expect([bearer.status, bearer.body.error], 'a token is no cookie').to.deep.equal([401, 'session_ended']);
  });

  it('leads owners of a plan to changing it, and others to the checkout', async () => {
    const customer = await server.customer();
    const open = async (plan: string) => {
      const body = { plan, interval: 'month', currentPassword: PASSWORD };
      const answer = await send('POST', '/dashboard/billing/checkout', { ...OWN_PAGE, Cookie: customer.cookie }, body);
      return new URL((answer.body as { url: string }).url).pathname;
    };
    expect(await open('pro')).to.match(/^\/c\/pay\//);
    const id = await buy(customer);
    const changed = await open('enterprise');
    expect(changed).to.match(/^\/p\/session\//);
    await fetch(stripe.base + changed, { method: 'POST', body: 'action=confirm', redirect: 'manual' });
    expect(stripe.subscription(id).items.data[0]?.price.id).to.equal('price_enterprise_month');
    await deliverAll();
    await tierIs(customer, 'enterprise');
    stripe.allowPlanChanges(false);
    const whole = await (await fetch(stripe.base + (await open('pro')))).text();
    expect(whole).to.include('Your subscriptions');
    stripe.cancelNow(id);
    await deliverAll();
    await tierIs(customer, 'free');
    expect(await open('pro'), 'after the end').to.match(/^\/c\/pay\//);
  });

  it('cancels and resumes on a page, with the password', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    const change = (name: string, body: object) =>
      send('POST', `/dashboard/subscription/${name}`, { ...OWN_PAGE, Cookie: customer.cookie }, body);
    expect((await change('cancel', {})).body.details).to.have.nested.property('[0].field', 'currentPassword');
    for (const [name, isEnding] of [
      ['cancel', true],
      ['resume', false],
    ] as const) {
      const { status, body } = await change(name, { currentPassword: PASSWORD });
      expect([status, body.cancelAtPeriodEnd]).to.deep.equal([200, isEnding]);
      expect(stripe.subscription(id).cancel_at_period_end).to.equal(isEnding);
    }
  });

  it('subtracts requests with a key from its burst limit, and rejects the key of a suspended account', async () => {
    const customer = await server.customer();
    const codes = async () => [
      (await subscription(customer)).error,
      (await checkout(customer)).body.error,
      (await send('POST', '/v1/billing/portal', byKey(customer))).body.error,
      (await send('POST', '/v1/subscription/cancel', byKey(customer))).body.error,
    ];
    for (let count = 0; count < 48; count++) expect(await subscription(customer)).to.not.have.property('error');
    expect((await checkout(customer)).status).to.equal(200);
    expect((await send('POST', '/v1/billing/portal', byKey(customer))).status).to.equal(200);
    expect(await codes()).to.deep.equal(Array(4).fill('rate_limited'));
    clock.advance(SECOND_MS);
    await server.suspend(customer.apiKey);
    expect(await codes()).to.deep.equal(Array(4).fill('account_suspended'));
  });

  it('exports the customer, the subscription, and the events of this customer only', async () => {
    const [customer, other] = [await server.customer(), await server.customer()];
    const exported = async (one: Customer) =>
      (await send('POST', '/auth/export', byToken(one), { currentPassword: PASSWORD })).body.billing;
    expect(await exported(customer), 'never bought').to.equal(null);
    await buy(other);
    const id = await buy(customer);
    const customerId = await customerIdOf(customer);
    stripe.pauseCollection(id, clock.now() / 1000 + 86_400);
    await deliverAll();
    await eventually(async () => (await subscription(customer)).collectionPause, 'pause');
    const at = '2026-05-01T12:00:00.000Z';
    const own = stripe.events.filter((event) => JSON.stringify(event).includes(customerId));
    const { events, ...rest } = (await exported(customer)) as { readonly events: { readonly id: string }[] };
    expect(rest).to.deep.equal({
      customerId,
      subscription: {
        ...{ id, plan: 'pro', interval: 'month', status: 'active', currentPeriodEnd: '2026-06-01T12:00:00.000Z' },
        ...{ endsAt: null, pastDueSince: null, collectionPause: { resumesAt: '2026-05-02T12:00:00.000Z' } },
      },
    });
    expect(events).to.have.deep.members(
      own.map((event) => ({ id: event.id, type: event.type, createdAt: at, receivedAt: at })),
    );
  });

  it('shows an open subscription to a price of no plan, and cancels it', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    stripe.price({ id: 'price_of_something_else', amount: 100, interval: 'month' });
    stripe.changePrice(id, 'price_of_something_else');
    await deliverAll();
    await tierIs(customer, 'free');
    const shown = await subscription(customer);
    expect(shown).to.deep.include({ plan: null, interval: 'month', status: 'active', source: 'none' });
    expect(shown.currentPeriodEnd).to.match(/^2026-06-01T12:00/);
    const canceled = await send('POST', '/v1/subscription/cancel', byKey(customer));
    expect([canceled.status, canceled.body]).to.deep.equal([200, { ...shown, cancelAtPeriodEnd: true }]);
    expect(stripe.subscription(id).cancel_at_period_end).to.equal(true);
    expect((await send('POST', '/v1/subscription/resume', byKey(customer))).body).to.deep.equal(shown);
    expect((await checkout(customer)).body.error).to.equal('already_subscribed');
  });

  it('grants the highest plan of a subscription with several items', async () => {
    const customer = await server.customer();
    await checkout(customer);
    stripe.subscribe(await customerIdOf(customer), 'price_pro_month', 'price_enterprise_year');
    expect(await subscription(customer)).to.deep.include({ tier: 'enterprise', plan: 'enterprise', interval: 'year' });
  });

  it('shows that the collection of payments is paused, and keeps the plan meanwhile', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    const before = await subscription(customer);
    expect(before).to.not.have.property('collectionPause');
    stripe.pauseCollection(id, clock.now() / 1000 + 86_400);
    await deliverAll();
    const paused = await eventually(async () => {
      const shown = await subscription(customer);
      return shown.collectionPause ? shown : undefined;
    }, 'pause');
    expect(paused).to.deep.equal({ ...before, collectionPause: { resumesAt: '2026-05-02T12:00:00.000Z' } });
    expect(await limitOf(customer)).to.equal(100_000);
  });

  it('answers 409 without Retry-After, and names the operator, if Stripe rejects permanently', async () => {
    const customer = await server.customer();
    await checkout(customer, 'pro', 'year');
    stripe.setCurrency(await customerIdOf(customer), 'eur');
    for (const path of ['/v1/billing/checkout', '/dashboard/billing/checkout']) {
      const isPage = path.startsWith('/dashboard');
      const { status, headers, body } = await send(
        'POST',
        path,
        isPage ? { ...OWN_PAGE, Cookie: customer.cookie } : byKey(customer),
        { plan: 'enterprise', interval: 'month', ...(isPage && { currentPassword: PASSWORD }) },
      );
      expect([status, body.error, headers.get('retry-after')], path).to.deep.equal([409, 'conflict', null]);
      expect(body.message).to.match(/Ask the operator of this service/);
    }
    expect(server.errors().join()).to.include('currency eur');
  });

  it('reports an event of an unknown customer to the operator', async () => {
    const { id } = await stripe.client().customers.create({ email: 'somebody@example.com' });
    const event = stripe.events.at(-1)!;
    // Stores the event directly, because a webhook request would make `server` process it. The test only reads the
    // errors of `beside`.
    await server.stores.paymentEvents.add(
      { id: event.id, type: event.type, customerId: id, createdAt: clock.date() },
      clock.date(),
    );
    await beside.paymentEventProcessing.drain();
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include(event.id).and.include(id).and.include('no account has this customer');
    const [stored] = await server.stores.paymentEvents.latest({ limit: 1 });
    expect(stored).to.deep.include({ finishedAt: clock.date(), error: 'no account has this customer' });
  });

  it('opens one checkout per customer, and closes a checkout for another plan', async () => {
    const customer = await server.customer();
    const [one, ...others] = await Promise.all(Array.from({ length: 5 }, () => checkout(customer)));
    for (const other of others) expect(other.body.id).to.equal(one!.body.id);
    expect(stripe.counts()['POST /v1/customers']?.requests).to.equal(1);
    const other = await checkout(customer, 'enterprise');
    expect(other.body.id).to.not.equal(one!.body.id);
    expect(stripe.session(one!.body.id as string)?.status).to.equal('expired');
    const session = stripe.session(other.body.id as string)!;
    expect(session.client_reference_id).to.equal(customer.id);
    expect(
      [session.success_url, session.cancel_url].every((url) => url?.startsWith('https://icons.example/')),
    ).to.equal(true);
  });

  it("creates a new customer if the account's customer was deleted at Stripe", async () => {
    const customer = await server.customer();
    await checkout(customer);
    const deleted = await customerIdOf(customer);
    await stripe.client().customers.del(deleted);
    const id = await buy(customer);
    expect(stripe.subscription(id).customer).to.equal(await customerIdOf(customer));
    expect(stripe.subscription(id).customer).to.not.equal(deleted);
  });

  it('rejects a second subscription, also when no event of the first has arrived', async () => {
    const customer = await server.customer();
    const { body } = await checkout(customer);
    stripe.completeCheckout(body.id as string);
    const again = await checkout(customer, 'enterprise');
    expect([again.status, again.body.error]).to.deep.equal([409, 'already_subscribed']);
    expect((await subscription(customer)).tier, 'what was found out counts at once').to.equal('pro');
  });

  it('requires the password with an access token, and ignores one with a key', async () => {
    const customer = await server.customer();
    const body = { plan: 'pro', interval: 'month' };
    const buyWith = (headers: Record<string, string>, more: object = {}) =>
      send('POST', '/v1/billing/checkout', headers, { ...body, ...more });
    const without = await buyWith(byToken(customer));
    expect([without.status, without.body.error]).to.deep.equal([400, 'invalid_request']);
    expect(without.body.details).to.deep.equal([{ field: 'currentPassword', reason: 'required with an access token' }]);
    const wrong = await buyWith(byToken(customer), { currentPassword: 'not this one, surely' });
    expect([wrong.status, wrong.body.error]).to.deep.equal([401, 'invalid_credentials']);
    expect((await buyWith(byToken(customer), { currentPassword: PASSWORD })).status).to.equal(200);
    expect((await buyWith(byKey(customer), { currentPassword: 'not this one, surely' })).status, 'ignored').to.equal(
      200,
    );
    expect(
      (await send('POST', '/v1/billing/portal', byToken(customer), { currentPassword: PASSWORD })).status,
    ).to.equal(200);
    expect((await send('POST', '/v1/billing/portal', byKey(customer), {})).status).to.equal(200);
    expect((await send('POST', '/v1/billing/portal', byKey(customer))).status).to.equal(200);
    expect((await send('POST', '/v1/subscription/cancel', byToken(customer))).body.error).to.equal('invalid_api_key');
  });

  it('records and mails every change, from any source', async () => {
    const customer = await server.customer();
    const activity = async (): Promise<readonly string[]> => {
      const { body } = await send('GET', '/auth/activity', byToken(customer));
      return (body.events as { message: string }[]).map(({ message }) => message);
    };
    const mailed = (subject: string) =>
      eventually(
        () => mailsTo(server, customer.email).some((mail) => mail.includes(`Subject: Blazon: ${subject}`)),
        `mail ${subject}`,
      );
    await buy(customer);
    expect(await activity()).to.include('The pro plan was bought, billed every month. Status: active.');
    await mailed('Subscription changed');
    for (const change of ['cancel', 'cancel', 'resume'])
      expect((await send('POST', `/v1/subscription/${change}`, byKey(customer))).status).to.equal(200);
    for (let opened = 0; opened < 3; opened++)
      expect((await send('POST', '/v1/billing/portal', byKey(customer))).status).to.equal(200);
    await mailed('Billing page opened');
    const [opened, resumed, canceled, ...earlier] = await activity();
    expect([opened, resumed]).to.deep.equal([
      'The billing page of the payment provider was opened.',
      'The cancellation of the subscription was undone.',
    ]);
    expect(canceled).to.match(/^The subscription was canceled. It ends on 2026-0/);
    expect(earlier[0], 'the second cancellation changed nothing').to.include('The tier changed');
    clock.advance(10 * MINUTE_MS);
    await send('POST', '/v1/billing/portal', byToken(customer), { currentPassword: PASSWORD });
    expect((await activity()).slice(0, 2)).to.deep.equal([opened, opened]);
  });

  it('cancels and resumes a hundred times a day, each with a security event', async () => {
    const customer = await server.customer();
    await buy(customer);
    const change = async (name: string) => (await send('POST', `/v1/subscription/${name}`, byKey(customer))).status;
    const limits = [{ key: `subscription-changed:${customer.id}`, rules: [{ limit: 100, windowMs: DAY_MS }] }];
    for (let times = 0; times < 98; times++) await server.stores.rateLimits.consume(limits);
    expect([await change('cancel'), await change('resume'), await change('cancel')]).to.deep.equal([200, 200, 429]);
    clock.advance(DAY_MS);
    expect(await change('cancel')).to.equal(200);
  });

  it('rejects unsold plans, and changes without a purchase', async () => {
    const customer = await server.customer();
    for (const wrong of [
      {},
      { plan: 'free', interval: 'month' },
      { plan: 'pro', interval: 'week' },
      { plan: 1, interval: 2 },
    ]) {
      const { status, body } = await send('POST', '/v1/billing/checkout', byKey(customer), wrong);
      expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    }
    for (const [path, code] of [
      ['/v1/billing/portal', 'no_customer'],
      ['/v1/subscription/cancel', 'no_customer'],
      ['/v1/subscription/resume', 'no_customer'],
    ] as const) {
      const { status, body } = await send('POST', path, byKey(customer));
      expect([path, status, body.error]).to.deep.equal([path, 409, code]);
    }
    await checkout(customer);
    const { status, body } = await send('POST', '/v1/subscription/cancel', byKey(customer));
    expect([status, body.error]).to.deep.equal([409, 'conflict']);
    const set = await server.customer('pro');
    expect((await checkout(set)).body.error, 'by the operator').to.equal('conflict');
  });

  for (const [change, code] of [
    ['setTier', 'conflict'],
    ['suspend', 'account_suspended'],
  ] as const)
    it(`closes a checkout that is opened while another process applies the operator's ${change}`, async () => {
      const customer = await server.customer();
      const id = parseAccountId(customer.id)!;
      stripe.hold('POST /v1/checkout/sessions');
      const buying = checkout(customer);
      await eventually(async () => stripe.sessions().length > 0, 'the checkout to be opened, and not answered yet');
      // Simulates an expired lock: another process changes the account while the purchase still runs.
      await server.change(id, (account) => {
        const changed =
          change === 'suspend' ? setSuspended(account, true) : setOperatorTier(account, 'internal', clock.date());
        return changed.account;
      });
      stripe.up();
      expect((await buying).body.error).to.equal(code);
      expect(stripe.sessions().map(({ status }) => status)).to.deep.equal(['expired']);
    });

  it('keeps a plan for seven days after a payment failed, and not longer', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    const delivered = stripe.events.length;
    stripe.failPayment(id);
    await deliverAll(delivered);
    await eventually(async () => (await subscription(customer)).status === 'past_due', 'past_due');
    expect(await subscription(customer)).to.deep.include({ tier: 'pro', source: 'stripe' });
    await settleAt(7 * DAY_MS - MINUTE_MS);
    expect(await limitOf(customer)).to.equal(100_000);
    await settleAt(2 * MINUTE_MS);
    expect(await limitOf(customer)).to.equal(1000);
    stripe.pay(id);
    await deliverAll(stripe.events.length - 1);
    await tierIs(customer, 'pro');
  });

  for (const [what, spoil, aheadMs] of [
    ['seven days without a payment', (id: string) => stripe.failPayment(id), 7 * DAY_MS],
    ['the end of a canceled period', (id: string) => stripe.cancelInPortal(id), 31 * DAY_MS],
  ] as const)
    it(`reads the free tier everywhere after ${what}, before any job has run`, async () => {
      const customer = await server.customer();
      const id = await buy(customer);
      const delivered = stripe.events.length;
      spoil(id);
      await deliverAll(delivered);
      await eventually(async () => {
        const { status, cancelAtPeriodEnd } = await subscription(customer);
        return status === 'past_due' || cancelAtPeriodEnd === true;
      }, 'the change');
      stripe.down();
      clock.advance(aheadMs - MINUTE_MS);
      expect(await tiersOf(customer)).to.deep.equal({ tiers: ['pro'], policy: '"svg-day";q=100000;w=86400' });
      clock.advance(2 * MINUTE_MS);
      expect(await tiersOf(customer)).to.deep.equal({ tiers: ['free'], policy: '"svg-day";q=1000;w=86400' });
      expect(await subscription(customer)).to.deep.include({ plan: 'pro', source: 'none' });

      const { accessToken } = signedIn(await ask(server, '/auth/login', { body: byPassword(customer) }));
      const key = await ask(server, '/auth/publishable-keys', { bearer: accessToken, body: { name: 'Website' } });
      expect(key.body).to.have.nested.property('publishableKey.dailyLimit', FREE_KEY_LIMIT);
      const brand = (slug: string) => send('PUT', `/v1/brands/${slug}`, byKey(customer), { title: slug });
      for (const slug of ['one', 'two', 'three', 'four', 'five']) expect((await brand(slug)).status).to.equal(201);
      expect((await brand('six')).body.error).to.equal('brand_limit');
    });

  const byPassword = ({ email }: Customer) => ({ email, password: PASSWORD });
  /** Default daily limit of a publishable key in the tier `free`: half of the daily picture requests of this tier. */
  const FREE_KEY_LIMIT = 1000;
  /**
   * Returns the limit of the picture routes, and the tiers that all responses, log lines and operator commands show,
   * without duplicates.
   */
  async function tiersOf(customer: Customer) {
    const login = await ask(server, '/auth/login', { body: byPassword(customer) });
    const bearer = { Authorization: `Bearer ${signedIn(login).accessToken}` };
    const svg = await server.get('/v1/svg/github', customer.apiKey);
    const answers = [
      await send('GET', '/v1/subscription', bearer),
      await send('GET', '/v1/usage', bearer),
      await send('GET', '/v1/usage', byKey(customer)),
      await send('GET', '/v1/analytics/usage', byKey(customer)),
    ];
    const me = await send('GET', '/auth/me', bearer);
    const logged = [svg, me, await send('GET', '/v1/brands', bearer)].map(({ headers }) =>
      server.answered(headers.get('x-request-id')!),
    );
    const account = (await server.stores.accounts.find(parseAccountId(customer.id)!))!;
    const tiers = [
      ...answers.map(({ body }) => body.tier),
      ...[me, login].map(({ body }) => (body.account as { tier: string }).tier),
      ...logged.map((line) => line?.tier),
      viewOf(account, clock.date()).tier,
      beside.operator.tierOf(account),
      (await beside.operator.usageToday(account)).tier,
    ];
    return { tiers: [...new Set(tiers)], policy: svg.headers.get('ratelimit-policy') };
  }

  /** Advances the clock, and runs the job that is due every minute. */
  async function settleAt(aheadMs: number): Promise<void> {
    clock.advance(aheadMs);
    await beside.billing.settleDue();
  }

  it('lets the owner replace the key during a flood of purchases', async () => {
    const customer = await server.customer();
    await checkout(customer);
    stripe.slow(300);
    const asked = () => Object.values(stripe.counts()).reduce((sum, { requests }) => sum + requests, 0);
    const askedBefore = asked();
    const flood = Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0 ? checkout(customer) : send('POST', '/v1/subscription/cancel', byKey(customer)),
    );
    await eventually(() => asked() > askedBefore, 'purchase under way');
    const replaced = await send('POST', '/auth/regenerate-key', byToken(customer), { currentPassword: PASSWORD });
    expect(replaced.status).to.equal(200);
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
    for (const status of statuses) expect([200, 401, 409, 429, 503]).to.include(status);
  });

  describe('without events', () => {
    const asked = () => stripe.counts()['GET /v1/subscriptions']?.requests ?? 0;
    /** Returns how many requests `work` sends to Stripe. */
    const asking = async (work: () => Promise<unknown>): Promise<number> => {
      const before = asked();
      await work();
      return asked() - before;
    };
    const refresh = (customer: Customer) =>
      send('POST', '/dashboard/subscription/refresh', { ...OWN_PAGE, Cookie: customer.cookie }, {});

    it('finds a payment while the checkout is open, by key and by token', async () => {
      for (const headers of [byKey, byToken]) {
        const customer = await server.customer();
        const { body } = await checkout(customer);
        expect((await send('GET', '/v1/subscription', headers(customer))).body.tier).to.equal('free');
        stripe.completeCheckout(body.id as string);
        clock.advance(5 * SECOND_MS);
        expect((await send('GET', '/v1/subscription', headers(customer))).body).to.deep.include({
          ...{ tier: 'pro', plan: 'pro', status: 'active', source: 'stripe' },
        });
        expect(await limitOf(customer)).to.equal(100_000);
      }
    });

    it('asks Stripe at most every five seconds for an account, over all processes, and for ten minutes', async () => {
      const [customer, other] = [await server.customer(), await server.customer()];
      expect(await asking(() => subscription(customer)), 'without a checkout').to.equal(0);
      for (const each of [customer, other]) await checkout(each);
      const id = parseAccountId(customer.id)!;
      const many = () =>
        Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            index % 2 === 0 ? subscription(customer) : beside.subscriptions.read(id),
          ),
        );
      expect(await asking(many), 'at once').to.equal(1);
      expect(await asking(() => subscription(other)), 'another account').to.equal(1);
      clock.advance(5 * SECOND_MS - 1);
      expect(await asking(many), 'too early').to.equal(0);
      clock.advance(1);
      expect(await asking(many), 'five seconds later').to.equal(1);
      clock.advance(10 * MINUTE_MS - 5 * SECOND_MS - 1);
      expect(await asking(many), 'in the last moment').to.equal(1);
      clock.advance(5 * SECOND_MS);
      expect(await asking(many), 'ten minutes later').to.equal(0);
    });

    it('stops asking when the subscription is known', async () => {
      const customer = await server.customer();
      const { body } = await checkout(customer);
      stripe.completeCheckout(body.id as string);
      expect((await subscription(customer)).tier).to.equal('pro');
      clock.advance(MINUTE_MS);
      expect(await asking(() => subscription(customer))).to.equal(0);
    });

    it('asks for ten more minutes after the return from the page, and after the portal was opened', async () => {
      const customer = await server.customer();
      const { body } = await checkout(customer);
      clock.advance(HOUR_MS);
      const { id } = stripe.completeCheckout(body.id as string);
      expect((await subscription(customer)).tier, 'an hour later').to.equal('free');
      const { status, body: refreshed } = await refresh(customer);
      expect([status, refreshed.tier]).to.deep.equal([200, 'pro']);

      clock.advance(HOUR_MS);
      await send('POST', '/v1/billing/portal', byKey(customer));
      stripe.cancelInPortal(id);
      expect(await subscription(customer)).to.deep.include({ cancelAtPeriodEnd: true });

      clock.advance(HOUR_MS);
      await refresh(customer);
      for (let minute = 0; minute < 9; minute++) {
        clock.advance(MINUTE_MS);
        expect(await asking(() => subscription(customer)), `${minute} minutes later`).to.equal(1);
      }
      clock.advance(2 * MINUTE_MS);
      expect(await asking(() => subscription(customer))).to.equal(0);
      expect(await asking(() => server.customer().then(refresh)), 'of one who never bought').to.equal(0);
    });

    it('answers with the known state while Stripe is unavailable or silent', async () => {
      const customer = await server.customer();
      const { body } = await checkout(customer);
      stripe.completeCheckout(body.id as string);
      for (const begin of [() => stripe.down(), () => stripe.hold(), () => stripe.answer(500)]) {
        begin();
        clock.advance(5 * SECOND_MS);
        expect(await send('GET', '/v1/subscription', byKey(customer))).to.deep.include({ status: 200 });
        expect((await refresh(customer)).status).to.equal(200);
        stripe.up();
      }
      await eventually(async () => {
        clock.advance(5 * SECOND_MS);
        return (await subscription(customer)).tier === 'pro';
      }, 'the plan');
    });

    it('reports a subscription without an event to the operator once, after five minutes', async () => {
      const problems = () => logged.filter((line) => line.includes('no webhook event for it has arrived'));
      const [silent, reported] = [await server.customer(), await server.customer()];
      for (const customer of [silent, reported]) {
        const { body } = await checkout(customer);
        stripe.completeCheckout(body.id as string);
        expect((await subscription(customer)).tier).to.equal('pro');
      }
      const ofReported = await customerIdOf(reported);
      for (const event of stripe.events)
        if (JSON.stringify(event).includes(ofReported))
          await stripe.deliver(event, webhook, { secret: SECRET, at: clock.date() });
      await beside.paymentEventProcessing.drain();
      clock.advance(5 * MINUTE_MS - SECOND_MS);
      await beside.paymentEventProcessing.drain();
      expect(problems(), 'not yet').to.deep.equal([]);
      clock.advance(SECOND_MS);
      for (let times = 0; times < 3; times++) {
        await beside.paymentEventProcessing.drain();
        clock.advance(MINUTE_MS);
      }
      expect(problems()).to.have.length(1);
      expect(problems()[0]).to.include(await customerIdOf(silent));
      const [doctor] = await webhookFindings(server.stores.paymentEvents);
      expect(doctor).to.deep.include({ check: 'billing webhook', status: 'warning' });
      stripe.cancelInPortal(stripe.subscriptionsOf(await customerIdOf(silent))[0]!.id);
      await stripe.deliver(stripe.events.at(-1)!, webhook, { secret: SECRET, at: clock.date() });
      expect((await webhookFindings(server.stores.paymentEvents))[0]).to.have.property('status', 'ok');
    });

    it('does not warn of an event that arrived after the subscription was found', async () => {
      const customer = await server.customer();
      const { body } = await checkout(customer);
      stripe.completeCheckout(body.id as string);
      expect((await subscription(customer)).tier).to.equal('pro');
      clock.advance(SECOND_MS);
      await deliverAll();
      for (let times = 0; times < 8; times++) {
        clock.advance(MINUTE_MS);
        await beside.paymentEventProcessing.drain();
      }
      expect((await webhookFindings(server.stores.paymentEvents))[0]).to.have.property('status', 'ok');
    });

    it('notices the missing event when the subscription is found in any way', async () => {
      const finders = [
        (customer: Customer) => checkout(customer),
        (customer: Customer) => send('POST', '/v1/subscription/cancel', byKey(customer)),
        () => settleAt(DAY_MS),
      ];
      for (const find of finders) {
        const customer = await server.customer();
        const { body } = await checkout(customer);
        const { id } = stripe.completeCheckout(body.id as string);
        await find(customer);
        const waiting = await server.stores.paymentEvents.latest({
          limit: 10,
          customerId: await customerIdOf(customer),
        });
        expect(waiting.map((one) => one.id)).to.deep.equal([expectationId(id)]);
      }
    });
  });

  async function customerIdOf({ id }: Customer): Promise<string> {
    return (await server.stores.accounts.find(parseAccountId(id)!))!.billing!.customerId;
  }

  it('learns about changes without events within a day', async () => {
    const customer = await server.customer();
    const { body } = await checkout(customer);
    const { id } = stripe.completeCheckout(body.id as string);
    await settleAt(DAY_MS);
    expect((await subscription(customer)).tier).to.equal('pro');
    stripe.cancelNow(id);
    await settleAt(DAY_MS);
    expect((await subscription(customer)).tier).to.equal('free');
  });

  it('reports a new e-mail address to Stripe within a minute, or after its return, without changing the subscription', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    const customerId = stripe.subscription(id).customer;
    const atStripe = async () => {
      const found = await stripe.client().customers.retrieve(customerId);
      return found.deleted === true ? undefined : found.email;
    };
    async function change(email: string, newEmail: string): Promise<void> {
      const { accessToken } = signedIn(await ask(server, '/auth/login', { body: { email, password: PASSWORD } }));
      const body = { currentPassword: PASSWORD, newEmail };
      await ask(server, '/auth/change-email', { bearer: accessToken, body });
      const token = await newLinkToken(server, newEmail, { purpose: 'confirm-email' });
      expect((await ask(server, '/auth/confirm-email', { body: { token } })).status).to.equal(204);
    }
    await change(customer.email, 'first.change@example.com');
    await settleAt(MINUTE_MS);
    expect(await atStripe()).to.equal('first.change@example.com');
    const told = () => stripe.counts()['POST /v1/customers/{id}']?.requests;
    // On a busy machine, a concurrent account change may restart the synchronization. The service then sends the
    // address twice.
    const before = told();
    expect(before).to.be.at.least(1);
    await settleAt(DAY_MS);
    expect(told(), 'not again').to.equal(before);

    stripe.down();
    await change('first.change@example.com', 'second.change@example.com');
    await settleAt(MINUTE_MS);
    stripe.up();
    expect(await atStripe()).to.equal('first.change@example.com');
    // After a failure, the service sends no requests to Stripe for a short time, measured with the real clock. The job
    // must therefore run repeatedly.
    await eventually(async () => {
      await settleAt(10 * MINUTE_MS);
      return (await atStripe()) === 'second.change@example.com';
    }, 'the address at Stripe');
    expect(await subscription(customer)).to.deep.include({ tier: 'pro', status: 'active' });
    expect(stripe.subscription(id).status).to.equal('active');
  });

  it('ends a canceled plan in time while Stripe is away', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    stripe.cancelInPortal(id);
    await deliverAll(stripe.events.length - 1);
    await eventually(async () => (await subscription(customer)).cancelAtPeriodEnd === true, 'an end');
    stripe.down();
    const end = new Date(String((await subscription(customer)).currentPeriodEnd));
    await settleAt(end.getTime() - clock.now() + SECOND_MS);
    expect(await subscription(customer)).to.deep.include({ tier: 'free', plan: 'pro', source: 'none' });
  });

  it('lists plans with limits and prices', async () => {
    const { status, headers, body } = await send('GET', '/v1/subscription/plans', {});
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'public, max-age=300']);
    const plans = body.plans as {
      readonly tier: string;
      readonly burstPerSecond: number | null;
      readonly limits: Record<string, unknown>;
      readonly prices: Record<string, unknown>;
    }[];
    expect(plans.map(({ tier, burstPerSecond }) => [tier, burstPerSecond])).to.deep.equal([
      ['free', 50],
      ['pro', 500],
      ['enterprise', null],
    ]);
    expect(plans[0]!.prices).to.deep.equal({ month: null, year: null });
    expect(plans[1]!.prices).to.deep.equal({
      month: { amount: 900, currency: 'usd' },
      year: { amount: 9000, currency: 'usd' },
    });
    expect(plans[2]!.limits).to.deep.include({ svg: null, png: 1_000_000 });
  });

  it('rejects requests while Stripe is silent, unavailable, or fails, and serves everything else', async () => {
    const customer = await server.customer();
    await checkout(customer);
    for (const begin of [
      () => stripe.down(),
      () => stripe.answer(409),
      () => stripe.answer(429),
      () => stripe.answer(500),
      () => stripe.hold(),
    ]) {
      begin();
      const { status, body } = await checkout(customer);
      expect([status, body.error]).to.deep.equal([503, 'billing_unavailable']);
      expect((await server.get('/v1/svg/github', customer.apiKey)).status).to.equal(200);
      expect((await subscription(customer)).tier).to.equal('free');
      stripe.up();
      await eventually(async () => {
        // Advances the clock. Otherwise, these requests would exceed the burst limit.
        clock.advance(SECOND_MS);
        return (await checkout(customer)).status === 200;
      }, 'checkout');
    }
  });

  it('deletes the customer before the account, and nothing while Stripe is away', async () => {
    const customer = await server.customer();
    const id = await buy(customer);
    const remove = () => send('DELETE', '/auth/account', byToken(customer), { currentPassword: PASSWORD });
    stripe.down();
    expect((await remove()).body.error).to.equal('billing_unavailable');
    expect((await subscription(customer)).tier).to.equal('pro');
    stripe.up();
    await eventually(async () => (await remove()).status === 204, 'deletion');
    expect(stripe.subscription(id).status).to.equal('canceled');
    // The deletion causes events at Stripe. They must have no effect.
    await deliverAll();
    clock.advance(HOUR_MS);
  });

  describe('the webhook', () => {
    const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const response = await fetch(webhook, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
        body,
      });
      return { status: response.status, body: (await response.json()) as { readonly error?: string } };
    };
    const someEvent = async () => {
      await checkout(await server.customer());
      return stripe.events.at(-1)!;
    };

    it('accepts an event once, signed by any of its secrets, within five minutes either way', async () => {
      const event = await someEvent();
      const outcome = async (secret: string, aheadMs: number) =>
        (await stripe.deliver(event, webhook, { secret, at: new Date(clock.now() + aheadMs) })).status;
      expect(await outcome('whsec_another', 0)).to.equal(400);
      expect(await outcome(SECRET, 301 * SECOND_MS)).to.equal(400);
      expect(await outcome(SECRET, -301 * SECOND_MS)).to.equal(400);
      expect(await outcome(SECRET, 299 * SECOND_MS)).to.equal(200);
      expect(await outcome(SECRET, -299 * SECOND_MS)).to.equal(200);
      expect(await outcome('whsec_the_old_one', 0)).to.equal(200);
      const stored = await server.stores.paymentEvents.latest({ limit: 10 });
      expect(stored.filter(({ id }) => id === event.id)).to.have.length(1);
    });

    it('rejects everything without a valid signature', async () => {
      for (const headers of [
        {},
        { 'Stripe-Signature': '' },
        { 'Stripe-Signature': 't=1' },
        { 'Stripe-Signature': `t=${Math.floor(clock.now() / 1000)},v1=${'0'.repeat(64)}` },
        { 'Stripe-Signature': `t=${Math.floor(clock.now() / 1000)},v0=${'0'.repeat(64)}` },
        { 'Stripe-Signature': 'x'.repeat(5000) },
      ])
        for (const body of ['', '{}', 'null', '\0', new Uint8Array([0xff, 0xfe])]) {
          const { status, body: answer } = await post(body, headers);
          expect([status, answer.error]).to.deep.equal([400, 'invalid_request']);
        }
      expect((await post('{}', { 'Content-Type': 'text/plain', 'Stripe-Signature': 't=1,v1=0' })).status).to.equal(415);
      const long = async (bytes: number) => (await post('x'.repeat(bytes), { 'Stripe-Signature': 't=1,v1=0' })).status;
      expect([await long(256 * 1024), await long(256 * 1024 + 1)]).to.deep.equal([400, 413]);
    });

    it('answers 400 to any bytes that are signed and no event, and to any signature', async () => {
      const signed = (payload: string) =>
        stripe.client().webhooks.generateTestHeaderString({
          payload,
          secret: SECRET,
          timestamp: Math.floor(clock.now() / 1000),
        });
      const event = { id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1, data: { object: {} } };
      const strange = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.json(),
        fc
          .record({
            field: fc.constantFrom(...Object.keys(event)),
            value: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
          })
          .filter(
            ({ field, value }) =>
              !(field === 'type' && typeof value === 'string') && !(field === 'created' && Number.isSafeInteger(value)),
          )
          .map(({ field, value }) => JSON.stringify({ ...event, [field]: value })),
      );
      await fc.assert(
        fc.asyncProperty(strange, async (payload) => {
          fc.pre(payload !== '');
          const { status, body } = await post(payload, { 'Stripe-Signature': signed(payload) });
          expect([status, body.error], payload).to.deep.equal([400, 'invalid_request']);
        }),
        { numRuns: repeated(40, 80) },
      );
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', maxLength: 300 }), async (signature) => {
          const { status } = await post(JSON.stringify(event), { 'Stripe-Signature': signature });
          expect(status, signature).to.equal(400);
        }),
        { numRuns: repeated(40, 80) },
      );
    });

    it('answers 500 when it could not store an event, and accepts it later', async () => {
      const event = await someEvent();
      const unblock = await server.block();
      expect((await stripe.deliver(event, webhook, { secret: SECRET, at: clock.date() })).status).to.equal(500);
      unblock();
      expect((await stripe.deliver(event, webhook, { secret: SECRET, at: clock.date() })).status).to.equal(200);
    });

    it('acknowledges while Stripe does not answer, and processes events after its return', async () => {
      const customer = await server.customer();
      const { body } = await checkout(customer);
      stripe.completeCheckout(body.id as string);
      stripe.down();
      await deliverAll();
      expect((await subscription(customer)).tier).to.equal('free');
      stripe.up();
      await eventually(async () => {
        // Advances the clock to the end of the claim: `server` may have claimed the event for half a minute.
        clock.advance(30 * SECOND_MS);
        await beside.paymentEventProcessing.drain();
        return (await subscription(customer)).tier === 'pro';
      }, 'the plan');
      await eventually(async () => {
        clock.advance(30 * SECOND_MS);
        await beside.paymentEventProcessing.drain();
        return (await server.stores.paymentEvents.unfinished()) === 0;
      }, 'end of all events');
    });
  });
});

describe('billing that is not set up', () => {
  it('answers 503 on its own routes only', async () => {
    const server = await startServer();
    const { apiKey, cookie } = await server.customer('pro');
    const post = async (path: string, body: object, headers: Record<string, string>) => {
      const answer = await ask(server, path, { body, headers });
      if (answer.status === 503) expect(answer.headers.get('Retry-After')).to.match(/^\d+$/);
      return [path, answer.status, answer.body.error];
    };
    const withPassword = { currentPassword: PASSWORD };
    for (const [path, body] of [
      ['/v1/billing/checkout', { plan: 'pro', interval: 'month' }],
      ['/v1/billing/portal', {}],
      ['/v1/subscription/cancel', {}],
      ['/v1/subscription/resume', {}],
      ['/dashboard/billing/checkout', { plan: 'pro', interval: 'month', ...withPassword }],
      ['/dashboard/billing/portal', withPassword],
      ['/dashboard/subscription/cancel', withPassword],
      ['/dashboard/subscription/resume', withPassword],
    ] as const) {
      const isPage = path.startsWith('/dashboard/');
      const sender = isPage ? OWN_PAGE : {};
      const credentials = { ...sender, ...(isPage ? { Cookie: cookie } : { 'X-API-Key': apiKey }) };
      expect(await post(path, body, credentials)).to.deep.equal([path, 503, 'billing_unavailable']);
      const code = isPage ? 'session_ended' : 'invalid_api_key';
      expect(await post(path, body, sender), 'credentials first').to.deep.equal([path, 401, code]);
    }
    const webhook = '/v1/billing/webhook';
    for (const headers of [{}, { 'Stripe-Signature': 't=1,v1=0' }, { 'Content-Type': 'text/plain' }])
      expect(await post(webhook, {}, headers)).to.deep.equal([webhook, 503, 'billing_unavailable']);
    const answer = await fetch(`${server.base}/v1/subscription/plans`);
    expect(answer.headers.get('cache-control'), 'prices may be known soon').to.equal('no-store');
    const plans = (await answer.json()) as { plans: { prices: object }[] };
    expect(plans.plans.map(({ prices }) => prices)).to.deep.equal(Array(3).fill({ month: null, year: null }));
    expect((await server.get('/v1/subscription', apiKey)).status).to.equal(200);
    await server.close();
  });
});
