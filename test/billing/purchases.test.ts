// Purchases: requests to the payment provider, and purchases that are rejected without a request.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import { isOpen, type Subscription } from '../../src/accounts/subscription.js';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { expectationId } from '../../src/billing/payment-event.js';
import type { Offer, Payments } from '../../src/billing/payments.js';
import { createPurchases } from '../../src/billing/purchases.js';
import { openTestAccounts, rejection, someClient, type TestAccounts } from '../support/account-services.js';
import { billingOf, someAccount } from '../support/accounts.js';
import { clockAt, MINUTE_MS, type Clock } from '../support/clock.js';

const OFFER: Offer = { plan: 'enterprise', interval: 'year' };
const PAGE = { id: 'page_1', url: 'https://pay.example/1' };

describe('purchases', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let asked: unknown[][];
  beforeEach(async () => {
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    parts = await openTestAccounts({ now: clock.now });
    asked = [];
  });
  afterEach(() => parts.close());

  const some = (fields: Partial<Subscription> = {}): Subscription => ({
    ...billingOf('1').subscription!,
    ...{ id: 'sub_1', currentPeriodEnd: new Date(Date.UTC(2026, 5, 1)) },
    ...fields,
  });
  /**
   * Inserts an account. `known` is the stored subscription. Null: the account has a Stripe customer and no
   * subscription. Undefined: it has no Stripe customer.
   */
  async function customer(known?: Subscription | null, more: Partial<Account> = {}): Promise<Account> {
    const { account: fresh } = someAccount({ at: clock.date() });
    const billing = known === undefined ? null : { ...billingOf(fresh.id), subscription: known };
    const account = { ...fresh, mails: [], billing, ...more };
    await parts.accounts.insert(account);
    return account;
  }
  const requester = ({ id, key }: Account) =>
    ({ accountId: id, by: someClient().actor, proof: { kind: 'key', keyHash: key!.hash } }) as const;
  const stored = async ({ id }: Account) => (await parts.accounts.find(id))!;

  function purchasesWith(answers: Partial<Payments> = {}) {
    const none = createNoPayments();
    const payments: Payments = {
      ...{ ...none, isConfigured: true },
      createCustomer: async () => 'cus_new',
      subscriptions: async () => [],
      checkout: async () => PAGE,
      closeCheckouts: async () => undefined,
      portal: async () => PAGE,
      ...answers,
    };
    return createPurchases({
      ...parts,
      payments: {
        ...payments,
        createCustomer: (...args) => (asked.push(['createCustomer', ...args]), payments.createCustomer(...args)),
        checkout: (...args) => (asked.push(['checkout', ...args]), payments.checkout(...args)),
        closeCheckouts: (...args) => (asked.push(['closeCheckouts', ...args]), payments.closeCheckouts(...args)),
        portal: (...args) => (asked.push(['portal', ...args]), payments.portal(...args)),
        setCancelAtPeriodEnd: (...args) => (
          asked.push(['setCancelAtPeriodEnd', ...args]),
          payments.setCancelAtPeriodEnd(...args)
        ),
      },
    });
  }

  for (const [what, known, offer, change] of [
    ['an open subscription', some(), OFFER, { subscriptionId: 'sub_1', offer: OFFER }],
    ['one whose payment is missing', some({ status: 'past_due' }), OFFER, { subscriptionId: 'sub_1', offer: OFFER }],
    ['one that has ended', some({ status: 'canceled' }), OFFER, undefined],
    ['one that never began', some({ status: 'incomplete' }), OFFER, undefined],
    ['none', null, OFFER, undefined],
    ['an open one, without an offer', some(), undefined, undefined],
  ] as const)
    it(`pass a change to the portal for an open subscription only: ${what}`, async () => {
      const account = await customer(known);
      expect(await purchasesWith().portal(requester(account), offer)).to.equal(PAGE);
      expect(asked).to.deep.equal([['portal', account.billing!.customerId, change]]);
      const { billing, mails } = await stored(account);
      expect(billing?.watchedUntil).to.deep.equal(new Date(clock.now() + 10 * MINUTE_MS));
      expect(mails.map(({ kind }) => kind)).to.deep.equal(['billing-page-opened']);
    });

  it('reject the portal without a customer, here or at the provider', async () => {
    const stranger = await customer();
    expect(await rejection(purchasesWith().portal(requester(stranger)))).to.equal('no_customer');
    expect(asked).to.deep.equal([]);
    const deleted = await customer(null);
    const purchases = purchasesWith({ portal: async () => undefined });
    expect(await rejection(purchases.portal(requester(deleted)))).to.equal('no_customer');
    expect(await stored(deleted)).to.deep.equal(deleted);
    asked = [];
    const leaving = await customer(null, { deleting: true });
    expect(await rejection(purchasesWith().portal(requester(leaving))), 'being deleted').to.equal('not_found');
    expect(asked).to.deep.equal([]);
  });

  it('make a customer once, and sell to that one', async () => {
    const account = await customer();
    const purchases = purchasesWith();
    for (let times = 0; times < 2; times++) expect(await purchases.checkout(requester(account), OFFER)).to.equal(PAGE);
    const slot = Math.floor(clock.now() / MINUTE_MS);
    const sold = ['checkout', { customerId: 'cus_new', accountId: account.id }, OFFER];
    expect(asked).to.deep.equal([
      ['createCustomer', { accountId: account.id, email: account.email }, `${account.id} 1 ${slot}`],
      sold,
      sold,
    ]);
    expect((await stored(account)).billing).to.deep.include({
      customerId: 'cus_new',
      subscription: null,
      watchedUntil: new Date(clock.now() + 10 * MINUTE_MS),
    });
  });

  it('sell nothing beside an open subscription, which counts from then on', async () => {
    const account = await customer(null);
    const purchases = purchasesWith({ subscriptions: async () => [some({ status: 'canceled', id: 'sub_0' }), some()] });
    expect(await rejection(purchases.checkout(requester(account), OFFER))).to.equal('already_subscribed');
    expect(asked).to.deep.equal([]);
    expect((await stored(account)).billing?.subscription).to.deep.equal(some());
    const [expected] = await parts.paymentEvents.latest({ limit: 1, customerId: account.billing!.customerId });
    expect(expected?.id).to.equal(expectationId('sub_1'));
  });

  for (const [what, answers, code] of [
    ['is not sold', { checkout: async () => 'not_sold' as const }, 'conflict'],
    ['was paid meanwhile', { checkout: async () => 'already_subscribed' as const }, 'already_subscribed'],
    ['is asked of customers who are deleted again and again', { subscriptions: async () => undefined }, 'conflict'],
  ] as const)
    it(`reject what ${what}`, async () => {
      const account = await customer(null);
      expect(await rejection(purchasesWith(answers).checkout(requester(account), OFFER))).to.equal(code);
    });

  it("sell nothing to an account whose tier is the operator's, and close what was opened meanwhile", async () => {
    const set = await customer(null, { operatorTier: 'pro', tier: 'pro' });
    expect(await rejection(purchasesWith().checkout(requester(set), OFFER))).to.equal('conflict');
    expect(asked).to.deep.equal([]);
    for (const [change, code] of [
      [{ operatorTier: 'pro', tier: 'pro' }, 'conflict'],
      [{ suspended: true }, 'account_suspended'],
      [{ deleting: true }, 'not_found'],
    ] as const) {
      asked = [];
      const account = await customer(null);
      const purchases = purchasesWith({
        async checkout() {
          const now = await stored(account);
          await parts.accounts.save({ ...now, ...change, version: now.version + 1 }, [], now);
          return PAGE;
        },
      });
      expect(await rejection(purchases.checkout(requester(account), OFFER))).to.equal(code);
      expect(asked.map(([name]) => name)).to.deep.equal(['checkout', 'closeCheckouts']);
    }
  });

  it('cancel the best of the open subscriptions, and resume it', async () => {
    const account = await customer(null);
    const open = [some({ id: 'sub_pro' }), some({ id: 'sub_best', plan: 'enterprise' }), some({ status: 'canceled' })];
    for (const cancel of [true, false]) {
      const changed = some({
        id: 'sub_best',
        plan: 'enterprise',
        endsAt: cancel ? new Date(Date.UTC(2026, 5, 1)) : null,
      });
      const purchases = purchasesWith({
        subscriptions: async () => open,
        setCancelAtPeriodEnd: async () => changed,
      });
      const after = await purchases.setCancelAtPeriodEnd(requester(account), cancel);
      expect(after.billing?.subscription).to.deep.equal(changed);
    }
    expect(asked).to.deep.equal([
      ['setCancelAtPeriodEnd', 'sub_best', true],
      ['setCancelAtPeriodEnd', 'sub_best', false],
    ]);
  });

  for (const [what, subscriptions, changed] of [
    ['none was bought', [], undefined],
    ['it has ended', [some({ status: 'canceled' })], undefined],
    ['it has ended meanwhile', [some()], some({ status: 'canceled' })],
    ['it is gone meanwhile', [some()], undefined],
  ] as const)
    it(`cancel nothing where ${what}`, async () => {
      const account = await customer(null);
      const purchases = purchasesWith({
        subscriptions: async () => subscriptions,
        setCancelAtPeriodEnd: async () => changed,
      });
      expect(await rejection(purchases.setCancelAtPeriodEnd(requester(account), true))).to.equal('conflict');
      expect(await stored(account)).to.deep.equal(account);
      expect(
        asked.map(([, id]) => id),
        'only an open one',
      ).to.deep.equal(subscriptions.filter(isOpen).map(({ id }) => id));
    });

  it('need the key, and a provider that is configured', async () => {
    const account = await customer(some());
    const wrong = { ...requester(account), proof: { kind: 'key', keyHash: 'x' } } as const;
    const purchases = purchasesWith({ subscriptions: async () => [some()] });
    for (const work of [
      () => purchases.portal(wrong),
      () => purchases.checkout(wrong, OFFER),
      () => purchases.setCancelAtPeriodEnd(wrong, true),
    ])
      expect(await rejection(work())).to.equal('invalid_api_key');
    const off = purchasesWith({ isConfigured: false });
    for (const work of [
      () => off.portal(wrong),
      () => off.checkout(wrong, OFFER),
      () => off.setCancelAtPeriodEnd(wrong, true),
    ])
      expect(await rejection(work())).to.equal('billing_unavailable');
    expect(asked).to.deep.equal([]);
  });
});
