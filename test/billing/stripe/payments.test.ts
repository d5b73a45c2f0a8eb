// Requests to Stripe: how Stripe's objects and errors are read. The tests use a fake Stripe API.
import { expect } from 'chai';
import { createStripeCalls } from '../../../src/billing/stripe/calls.js';
import { createStripePayments } from '../../../src/billing/stripe/payments.js';
import { Stripe } from 'stripe';
import { AppError } from '../../../src/platform/errors.js';
import { openPayments } from '../../../src/billing/open.js';
import { readEnv } from '../../../config/env.js';
import type { AccountId } from '../../../src/accounts/account.js';
import type { Payments } from '../../../src/billing/payments.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../../scripts/fake-stripe/fake-stripe.js';

const ACCOUNT = 'Account01234' as AccountId;

describe('payments by Stripe', () => {
  let stripe: FakeStripe;
  let payments: Payments;
  let customerId: string;
  let problems: string[];

  beforeEach(async () => {
    stripe = await startFakeStripe();
    problems = [];
    sellPlans(stripe, 'whsec_x');
    stripe.price({ id: 'price_old_pro', amount: 500, interval: 'month' });
    stripe.price({ id: 'price_of_something_else', amount: 100, interval: 'month' });
    stripe.price({ id: 'price_every_quarter', amount: 100, interval: 'month', intervalCount: 3 });
    payments = paymentsWith({
      PRO_MONTH: ['price_pro_month', 'price_old_pro'],
      PRO_YEAR: [],
      ENTERPRISE_MONTH: ['price_enterprise_month'],
      ENTERPRISE_YEAR: ['price_enterprise_year'],
    });
    customerId = await payments.createCustomer({ accountId: ACCOUNT, email: 'ada@example.com' }, 'one');
  });
  afterEach(() => stripe.close());

  const paymentsWith = (priceIds: Record<string, readonly string[]>, secretKey = stripe.secretKey): Payments =>
    createStripePayments({
      secretKey,
      webhookSecrets: [],
      priceIds,
      apiBase: stripe.base,
      origin: 'https://icons.example',
      operatorContact: 'mailto:ops@icons.example',
      now: Date.now,
      onProblem: (text) => problems.push(text),
    });
  const buy = async (plan: 'pro' | 'enterprise' = 'pro', options = {}) => {
    const page = await payments.checkout({ customerId, accountId: ACCOUNT }, { plan, interval: 'month' });
    if (typeof page === 'string') throw new Error(page);
    return stripe.completeCheckout(page.id, options);
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  const only = async () => (await payments.subscriptions(customerId))![0]!;

  it('creates one customer for one attempt', async () => {
    const owner = { accountId: ACCOUNT, email: 'ada@example.com' };
    expect(await payments.createCustomer(owner, 'one')).to.equal(customerId);
    expect(await payments.createCustomer(owner, 'two')).to.not.equal(customerId);
  });

  it('reads plan, interval, status and end of a subscription from its item', async () => {
    const { id, items } = await buy('enterprise');
    expect(await payments.subscriptions(customerId)).to.deep.equal([
      {
        id,
        plan: 'enterprise',
        interval: 'month',
        status: 'active',
        currentPeriodEnd: new Date(items.data[0]!.current_period_end * 1000),
        endsAt: null,
        pastDueSince: null,
        collectionPause: null,
      },
    ]);
    stripe.changePrice(id, 'price_old_pro');
    expect(await only()).to.deep.include({ plan: 'pro', interval: 'month' });
  });

  it('report a subscription to another product without a plan, and warn the operator while it is open', async () => {
    const { id } = await buy();
    stripe.changePrice(id, 'price_of_something_else');
    expect(await only()).to.deep.include({ id, plan: null, interval: 'month', status: 'active' });
    expect(problems.join()).to.include(id);
    stripe.changePrice(id, 'price_every_quarter');
    expect(await only()).to.deep.include({ plan: null, interval: null });
    const ending = (await payments.setCancelAtPeriodEnd(id, true))!;
    expect(ending.endsAt).to.deep.equal(ending.currentPeriodEnd);
    stripe.cancelNow(id);
    problems = [];
    expect(await only()).to.deep.include({ plan: null, status: 'canceled' });
    expect(problems).to.deep.equal([]);
  });

  it('use the highest plan of several items, in any order', async () => {
    const prices = ['price_of_something_else', 'price_pro_month', 'price_enterprise_year'];
    for (const [index] of prices.entries()) {
      const { id, items } = stripe.subscribe(customerId, ...prices.slice(index), ...prices.slice(0, index));
      const { current_period_end: end } = items.data.find(({ price }) => price.id === 'price_enterprise_year')!;
      expect(await only()).to.deep.include({ id, plan: 'enterprise', interval: 'year' });
      expect((await only()).currentPeriodEnd).to.deep.equal(new Date(end * 1000));
      stripe.cancelNow(id);
    }
    stripe.subscribe(customerId, 'price_of_something_else', 'price_pro_month');
    expect((await only()).plan).to.equal('pro');
  });

  it('reads a pause of collection, with its end if it has one', async () => {
    const { id } = await buy();
    stripe.pauseCollection(id);
    expect(await only()).to.deep.include({ status: 'active', collectionPause: { resumesAt: null } });
    stripe.pauseCollection(id, 1_800_000_000);
    expect((await only()).collectionPause).to.deep.equal({ resumesAt: new Date(1_800_000_000_000) });
    stripe.resumeCollection(id);
    expect((await only()).collectionPause).to.equal(null);
  });

  it('name the operator if Stripe permanently rejects a request', async () => {
    stripe.setCurrency(customerId, 'eur');
    const offer = { plan: 'pro', interval: 'month' } as const;
    const error: unknown = await payments
      .checkout({ customerId, accountId: ACCOUNT }, offer)
      .catch((one: unknown) => one);
    expect(error).to.be.instanceOf(AppError).that.deep.includes({ code: 'conflict', status: 409 });
    expect((error as AppError).message).to.equal(
      'The payment provider rejects this request for your account, and will reject it again. Ask the operator of this service (mailto:ops@icons.example) to fix it.',
    );
    expect(String((error as AppError).cause)).to.include('currency eur');
  });

  it('recognize purchases at a price that is no longer configured', async () => {
    const { id } = await buy('enterprise');
    const later = paymentsWith({ PRO_MONTH: ['price_pro_month'] });
    const subscriptions = (await later.subscriptions(customerId))!;
    expect(subscriptions.map(({ id: one, plan }) => [one, plan])).to.deep.equal([[id, 'enterprise']]);
    expect(problems).to.deep.equal([]);
  });

  it('report a customer of another Stripe account as a wrong key, not as a deleted one', async () => {
    expect(await codeOf(payments.subscriptions('cus_of_another_account'))).to.equal('billing_unavailable');
    expect(await codeOf(payments.deleteCustomer('cus_of_another_account'))).to.equal('billing_unavailable');
    await payments.deleteCustomer(customerId);
    expect((await payments.subscriptions(customerId)) ?? []).to.deep.equal([]);
    expect(await payments.checkout({ customerId, accountId: ACCOUNT }, { plan: 'pro', interval: 'month' })).to.equal(
      'no_customer',
    );
  });

  it('sell nothing that was bought while the page was created', async () => {
    const offer = { plan: 'pro', interval: 'month' } as const;
    const page = await payments.checkout({ customerId, accountId: ACCOUNT }, offer);
    stripe.completeCheckout((page as { readonly id: string }).id);
    expect(await payments.checkout({ customerId, accountId: ACCOUNT }, offer)).to.equal('already_subscribed');
    expect(stripe.sessions().filter(({ status }) => status === 'open')).to.deep.equal([]);
  });

  it('opens a checkout that leads back here and names the account', async () => {
    const offer = { plan: 'pro', interval: 'month' } as const;
    const { id } = (await payments.checkout({ customerId, accountId: ACCOUNT }, offer)) as { readonly id: string };
    expect(stripe.session(id)).to.deep.include({
      customer: customerId,
      client_reference_id: ACCOUNT,
      allow_promotion_codes: true,
      success_url: 'https://icons.example/billing?checkout=done',
      cancel_url: 'https://icons.example/billing?checkout=canceled',
    });
    const customer = await stripe.client().customers.retrieve(customerId);
    expect(customer).to.have.deep.property('metadata', { blazonAccount: ACCOUNT });
    const { metadata } = stripe.completeCheckout(id);
    expect(metadata).to.deep.equal({
      ...{ blazonAccount: ACCOUNT, blazonPrice: 'price_pro_month' },
      ...{ blazonPlan: 'pro', blazonInterval: 'month' },
    });
  });

  it('are opened from the variables', async () => {
    const reported: unknown[][] = [];
    const variables = {
      ...{ ...sellPlans(stripe, 'whsec_x'), PUBLIC_URL: 'https://icons.example' },
      ...{ OPERATOR_CONTACT: 'mailto:us@icons.example', STRIPE_PRICE_PRO_YEAR: 'price_of_nothing' },
    };
    const opened = await openPayments(readEnv(variables, '0.0.0'), Date.now, (...report) => reported.push(report));
    expect((await opened.prices()).map(({ plan, interval }) => [plan, interval])).to.deep.equal([
      ['pro', 'month'],
      ['enterprise', 'month'],
      ['enterprise', 'year'],
    ]);
    expect(reported).to.have.length(1);
    expect(reported[0]).to.have.property('0', undefined);
    expect(reported[0]?.[1]).to.match(/^billing: STRIPE_PRICE_PRO_YEAR is set to the price price_of_nothing, /);
    stripe.setCurrency(customerId, 'eur');
    const offer = { plan: 'pro', interval: 'month' } as const;
    const error: unknown = await opened
      .checkout({ customerId, accountId: ACCOUNT }, offer)
      .catch((one: unknown) => one);
    expect(String(error)).to.include('(mailto:us@icons.example)');
  });

  it('sell nothing at a price that Stripe does not have', async () => {
    const other = paymentsWith({ PRO_MONTH: ['price_of_nothing'] });
    const offer = { plan: 'pro', interval: 'month' } as const;
    expect(await other.checkout({ customerId, accountId: ACCOUNT }, offer)).to.equal('not_sold');
  });

  it('find an open subscription behind twelve that have ended, and close twelve checkouts', async () => {
    const { id } = stripe.subscribe(customerId, 'price_pro_month');
    for (let count = 0; count < 12; count++) stripe.cancelNow(stripe.subscribe(customerId, 'price_pro_month').id);
    const found = (await payments.subscriptions(customerId))!;
    expect(found.filter(({ status }) => status === 'active').map((one) => one.id)).to.deep.equal([id]);
    const open = () => stripe.sessions().filter(({ status }) => status === 'open').length;
    const openTwelve = async () => {
      for (let count = 0; count < 12; count++)
        await stripe.client().checkout.sessions.create({
          ...{ mode: 'subscription', customer: customerId, success_url: 'https://icons.example/' },
          line_items: [{ price: 'price_old_pro', quantity: 1 }],
        });
    };
    await openTwelve();
    await payments.closeCheckouts(customerId);
    expect(open(), 'closed').to.equal(0);
    await openTwelve();
    stripe.cancelNow(id);
    await payments.checkout({ customerId, accountId: ACCOUNT }, { plan: 'enterprise', interval: 'month' });
    expect(open(), 'closed for another offer').to.equal(1);
    await payments.deleteCustomer(customerId);
    expect(open(), 'closed before the customer is deleted').to.equal(0);
  });

  describe('open the portal', () => {
    const openPortal = async (change?: Parameters<Payments['portal']>[1]) =>
      (await fetch((await payments.portal(customerId, change))!.url)).text();
    const offer = { plan: 'enterprise', interval: 'month' } as const;

    it('to confirm a change, and then lead back here', async () => {
      const { id: subscriptionId } = await buy();
      const { url } = (await payments.portal(customerId, { subscriptionId, offer }))!;
      const page = await (await fetch(url)).text();
      expect(page).to.include('Confirm your updates').and.include('price_enterprise_month');
      expect(page).to.include('https://icons.example/billing?checkout=back');
      const confirmed = await fetch(url, { method: 'POST', body: 'action=confirm', redirect: 'manual' });
      expect(confirmed.headers.get('location')).to.equal(
        'https://icons.example/billing?checkout=changed&plan=enterprise',
      );
    });

    it('as a whole if there is no change, or if the portal cannot confirm it', async () => {
      const { id: subscriptionId } = await buy();
      expect(await openPortal(), 'no change').to.include('Your subscriptions');
      const unsold = { plan: 'pro', interval: 'year' } as const;
      const several = stripe.subscribe(customerId, 'price_pro_month', 'price_of_something_else').id;
      const requests = () => stripe.counts()['POST /v1/billing_portal/sessions']?.requests ?? 0;
      const before = requests();
      for (const change of [
        { subscriptionId: 'sub_none', offer },
        { subscriptionId, offer: unsold },
        { subscriptionId: several, offer },
      ])
        expect(await openPortal(change), JSON.stringify(change)).to.include('Your subscriptions');
      expect(requests() - before, 'one page each').to.equal(3);
    });

    it('for no deleted customer', async () => {
      await payments.deleteCustomer(customerId);
      expect(await payments.portal(customerId)).to.equal(undefined);
    });
  });

  it('change a cancellation only if it is another one', async () => {
    const { id } = await buy();
    const changes = () => stripe.counts()['POST /v1/subscriptions/{id}']?.requests ?? 0;
    await payments.setCancelAtPeriodEnd(id, false);
    expect(changes()).to.equal(0);
    stripe.cancelInPortal(id);
    await payments.setCancelAtPeriodEnd(id, true);
    expect(changes(), 'the customer has chosen the time').to.equal(0);
    await payments.setCancelAtPeriodEnd(id, false);
    await payments.setCancelAtPeriodEnd(id, false);
    expect(changes()).to.equal(1);
  });

  it('do not repeat a request that failed, and fail if no price can be read', async () => {
    stripe.answer(500);
    expect(await codeOf(payments.subscriptions(customerId))).to.equal('billing_unavailable');
    expect(stripe.counts()['GET /v1/subscriptions']?.requests).to.equal(1);
    expect(await codeOf(payments.prices())).to.equal('billing_unavailable');
    expect(problems).to.deep.equal([]);
  });

  it('reads an end by the portal or the API', async () => {
    const { id } = await buy('pro', { trialDays: 3 });
    expect((await only()).status).to.equal('trialing');
    stripe.cancelInPortal(id);
    expect((await only()).endsAt).to.deep.equal((await only()).currentPeriodEnd);
    expect((await payments.setCancelAtPeriodEnd(id, false))!.endsAt).to.equal(null);
    expect((await payments.setCancelAtPeriodEnd(id, true))!.endsAt).to.deep.equal((await only()).currentPeriodEnd);
    expect((await payments.setCancelAtPeriodEnd(id, true))!.endsAt).to.not.equal(null);
    expect((await payments.setCancelAtPeriodEnd(id, false))!.endsAt).to.equal(null);
    stripe.cancelAtPeriodEnd(id);
    expect(stripe.subscription(id)).to.include({ cancel_at_period_end: true, cancel_at: null });
    expect((await only()).endsAt, 'without a time').to.deep.equal((await only()).currentPeriodEnd);
    expect((await payments.setCancelAtPeriodEnd(id, true))!.endsAt).to.deep.equal((await only()).currentPeriodEnd);
    expect((await payments.setCancelAtPeriodEnd(id, false))!.endsAt).to.equal(null);
    stripe.failPayment(id);
    expect((await only()).status).to.equal('past_due');
  });

  it('sell plans with a price, and recognize deleted customers', async () => {
    const sell = (plan: 'pro' | 'enterprise', interval: 'month' | 'year') =>
      payments.checkout({ customerId, accountId: ACCOUNT }, { plan, interval });
    expect(await sell('pro', 'year')).to.equal('not_sold');
    expect((await payments.prices()).map(({ plan, interval, amount }) => [plan, interval, amount])).to.deep.equal([
      ['pro', 'month', 900],
      ['enterprise', 'month', 9900],
      ['enterprise', 'year', 99_000],
    ]);
    const { id } = await buy();
    await payments.deleteCustomer(customerId);
    await payments.deleteCustomer(customerId);
    expect(stripe.subscription(id).status).to.equal('canceled');
    expect(await payments.setCancelAtPeriodEnd(id, true)).to.equal(undefined);
    expect(await payments.setCancelAtPeriodEnd('sub_none', true)).to.equal(undefined);
  });

  it('compare the interval of each price with its variable', async () => {
    expect(await payments.priceProblems()).to.deep.equal([]);
    await payments.prices();
    expect(problems).to.deep.equal([]);
    stripe.price({ id: 'price_pro_month', amount: 900, interval: 'year' });
    stripe.price({ id: 'price_enterprise_month', amount: 9900, interval: 'month', intervalCount: 3 });
    const expected = [
      'STRIPE_PRICE_PRO_MONTH is set to the price price_pro_month, which is charged every year. It must be charged every month',
      'STRIPE_PRICE_ENTERPRISE_MONTH is set to the price price_enterprise_month, which is charged every 3 months. It must be charged every month',
    ];
    expect(await payments.priceProblems()).to.deep.equal(expected);
    expect(problems, 'not for the log').to.deep.equal([]);
    expect(await payments.prices()).to.have.length(3);
    expect(problems).to.deep.equal(expected);
  });

  it('names the variable of a price that Stripe does not have', async () => {
    const other = paymentsWith({ PRO_MONTH: ['price_of_nothing'], PRO_YEAR: ['price_pro_year'] });
    expect((await other.prices()).map(({ interval }) => interval)).to.deep.equal(['year']);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(
      /^STRIPE_PRICE_PRO_MONTH is set to the price price_of_nothing, which cannot be read: /,
    );
    expect(await other.priceProblems()).to.deep.equal(problems);
    stripe.down();
    expect(await codeOf(other.priceProblems())).to.equal('billing_unavailable');
  });

  it('report an e-mail address that Stripe rejects', async () => {
    await payments.setEmail('cus_gone', 'new@example.com');
    expect(problems).to.deep.equal(['Stripe did not accept the new e-mail address of the customer cus_gone']);
  });

  it('are unavailable with a wrong key, without revealing it', async () => {
    const wrong = paymentsWith({}, 'sk_test_wrong_secret');
    const error = await wrong.subscriptions(customerId).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'billing_unavailable');
    expect(String((error as AppError).cause)).to.not.include('wrong_secret');
  });

  it('rejects calls without a request for a second after one had no answer', async () => {
    let nowMs = 0;
    let requests = 0;
    let away = true;
    const call = createStripeCalls({ now: () => nowMs });
    const request = () =>
      call(() => {
        requests++;
        return away ? Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'away' })) : Promise.resolve();
      });
    expect(await codeOf(request())).to.equal('billing_unavailable');
    away = false;
    nowMs += 999;
    for (let index = 0; index < 10; index++) expect(await codeOf(request())).to.equal('billing_unavailable');
    expect(requests).to.equal(1);
    nowMs += 1;
    expect(await codeOf(request())).to.equal('done');
  });
});
