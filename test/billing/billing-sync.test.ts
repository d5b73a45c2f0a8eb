// Synchronization with the payment provider: requests, stored results, and the time of the next request.
import { expect } from 'chai';
import type { Account, AccountBilling } from '../../src/accounts/account.js';
import type { Subscription } from '../../src/accounts/subscription.js';
import { createBillingSync } from '../../src/billing/billing-sync.js';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { expectationId } from '../../src/billing/payment-event.js';
import type { Payments } from '../../src/billing/payments.js';
import { waitAtMost } from '../../src/platform/concurrency/deadline.js';
import { AppError, PaymentsAwayError } from '../../src/platform/errors.js';
import { backgroundSettled, openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { billingOf, someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '../support/clock.js';

describe('billing sync', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let asked: unknown[][];
  let problems: string[];
  beforeEach(async () => {
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    parts = await openTestAccounts({ now: clock.now });
    asked = [];
    problems = [];
  });
  afterEach(() => parts.close());

  const later = (ms: number) => new Date(clock.now() + ms);
  const some = (fields: Partial<Subscription> = {}): Subscription => ({
    ...billingOf('1').subscription!,
    ...{ id: 'sub_1', currentPeriodEnd: new Date(Date.UTC(2026, 5, 1)) },
    ...fields,
  });

  /** Inserts an account with a Stripe customer. The stored subscription is null by default. */
  async function customer(billing: Partial<AccountBilling> = {}): Promise<Account> {
    const { account: fresh } = someAccount({ at: clock.date() });
    const known = { ...billingOf(fresh.id), subscription: null, syncedAt: clock.date(), ...billing };
    const account = { ...fresh, mails: [], billing: known };
    await parts.accounts.insert(account);
    return account;
  }
  const stored = async ({ id }: Account) => (await parts.accounts.find(id))!;
  const expected = async ({ billing }: Account) =>
    (await parts.paymentEvents.latest({ limit: 10, customerId: billing!.customerId })).map(
      ({ id, receivedAt, dueAt }) => [id, receivedAt, dueAt],
    );

  /** Creates a synchronization with a payment provider that returns these subscriptions for every customer. */
  function syncWith(subscriptions: readonly Subscription[] | undefined, changes: Partial<Payments> = {}) {
    const payments: Payments = {
      ...createNoPayments(),
      isConfigured: true,
      subscriptions: async () => subscriptions,
      setEmail: async () => undefined,
      closeCheckouts: async () => undefined,
      ...changes,
    };
    const noted: Payments = {
      ...payments,
      subscriptions: (...args) => (asked.push(['subscriptions', ...args]), payments.subscriptions(...args)),
      setEmail: (...args) => (asked.push(['setEmail', ...args]), payments.setEmail(...args)),
      closeCheckouts: (...args) => (asked.push(['closeCheckouts', ...args]), payments.closeCheckouts(...args)),
    };
    return createBillingSync({ ...parts, payments: noted, onProblem: (text) => void problems.push(text) });
  }

  it('stores a new subscription, closes the checkouts, and waits five minutes for its event', async () => {
    const account = await customer();
    const { customerId } = account.billing!;
    await syncWith([some({ id: 'sub_old', status: 'canceled' }), some()]).sync(account.id);
    expect((await stored(account)).billing).to.deep.include({
      customerId,
      subscription: some(),
      syncedAt: clock.date(),
    });
    expect(asked).to.deep.equal([
      ['subscriptions', customerId],
      ['closeCheckouts', customerId],
    ]);
    expect(await expected(account)).to.deep.equal([[expectationId('sub_1'), clock.date(), later(5 * MINUTE_MS)]]);
    expect(problems).to.deep.equal([]);
  });

  for (const [what, known, found, isNew] of [
    ['the known one', some(), [some({ status: 'unpaid' })], false],
    ['one beside that has ended', some(), [some({ status: 'canceled' }), some({ id: 'sub_2' })], true],
    ['one that has ended', null, [some({ status: 'canceled' })], false],
    ['one whose first payment is missing', null, [some({ status: 'incomplete' })], false],
    ['one that is not granted', null, [some({ status: 'unpaid' })], true],
    ['none', some(), [], false],
    ['no customer', some(), undefined, false],
  ] as const)
    it(`expects an event and closes the checkouts for a new open one only: ${what}`, async () => {
      const account = await customer({ subscription: known });
      await syncWith(found).sync(account.id);
      expect(asked.map(([name]) => name)).to.deep.equal(
        isNew ? ['subscriptions', 'closeCheckouts'] : ['subscriptions'],
      );
      expect(await expected(account)).to.have.length(isNew ? 1 : 0);
      expect((await stored(account)).billing?.subscription).to.deep.equal(found?.at(-1) ?? null);
    });

  it('does not wait for the event that started `syncCustomer`', async () => {
    const account = await customer();
    const sync = syncWith([some()]);
    expect(await sync.syncCustomer(account.billing!.customerId)).to.equal(true);
    expect((await stored(account)).tier).to.equal('pro');
    expect(await expected(account)).to.deep.equal([]);
    expect(await sync.syncCustomer('cus_of_nobody')).to.equal(false);
    const deleted = await customer();
    await parts.actors.run(deleted.id, { kind: 'system', address: null }, (one) => ({
      account: { ...one, deleting: true },
      facts: [],
      result: undefined,
    }));
    expect(await sync.syncCustomer(deleted.billing!.customerId), 'being deleted').to.equal(true);
    const broken = syncWith([], { subscriptions: () => Promise.reject(new Error('broken')) });
    expect(await rejection(broken.syncCustomer(account.billing!.customerId))).to.have.property('message', 'broken');
  });

  it('asks nothing about an account without purchases', async () => {
    const { account } = someAccount({ at: clock.date() });
    await parts.accounts.insert(account);
    await syncWith([some()]).sync(account.id);
    expect([asked, await stored(account)]).to.deep.equal([[], account]);
  });

  it('stores nothing if the checkouts could not be closed', async () => {
    const account = await customer();
    const sync = syncWith([some()], { closeCheckouts: () => Promise.reject(new PaymentsAwayError('away')) });
    expect(await rejection(sync.sync(account.id))).to.equal('billing_unavailable');
    expect([await stored(account), await expected(account)]).to.deep.equal([account, []]);
  });

  it('reports several open subscriptions to the operator', async () => {
    const account = await customer();
    const ended = some({ id: 'sub_0', status: 'canceled' });
    await syncWith([ended, some()]).sync(account.id);
    expect(problems).to.deep.equal([]);
    await syncWith([ended, some(), some({ id: 'sub_2', status: 'unpaid' })]).sync(account.id);
    expect(problems).to.deep.equal([`the customer ${account.billing!.customerId} has 2 subscriptions: sub_1, sub_2`]);
  });

  it('reports a new address before it asks, and repeats this until it succeeds', async () => {
    const outdated = { isEmailOutdated: true, retryAt: clock.date() };
    const account = await customer(outdated);
    const { customerId } = account.billing!;
    const tell = ['setEmail', customerId, account.email];
    const away = syncWith([some()], { setEmail: () => Promise.reject(new PaymentsAwayError('away')) });
    expect(await rejection(away.sync(account.id))).to.equal('billing_unavailable');
    expect([asked, problems]).to.deep.equal([[tell], []]);
    expect((await stored(account)).billing).to.deep.include(outdated);

    asked = [];
    const refused = syncWith([some()], { setEmail: () => Promise.reject(new AppError('conflict', 'no')) });
    await refused.sync(account.id);
    expect(asked.slice(0, 2)).to.deep.equal([tell, ['subscriptions', customerId]]);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include(`updating the e-mail address of the Stripe customer ${customerId} failed`);
    const after = (await stored(account)).billing;
    expect(after).to.deep.include({ retryAt: null, subscription: some() }).and.not.have.property('isEmailOutdated');

    asked = [];
    await syncWith([some()]).sync(account.id);
    expect(asked).to.deep.equal([['subscriptions', customerId]]);
  });

  it('keeps an address to be reported if it changes during the request', async () => {
    const outdated = { isEmailOutdated: true, retryAt: clock.date() };
    const account = await customer(outdated);
    let others = 0;
    const sync = syncWith([some()], {
      async subscriptions() {
        if (others++ > 0) return [some()];
        const now = await stored(account);
        const changed = { ...now, email: 'new@example.com', version: now.version + 1 };
        expect(await parts.accounts.save(changed, [], now)).to.equal(true);
        return [some()];
      },
    });
    await sync.sync(account.id);
    expect(asked.filter(([name]) => name === 'setEmail').map(([, , email]) => email)).to.deep.equal([
      account.email,
      'new@example.com',
    ]);
    expect((await stored(account)).billing).to.not.have.property('isEmailOutdated');
  });

  describe('of all that are due', () => {
    const overdue = () => ({ syncedAt: later(-DAY_MS) });

    it('asks about customers without news for a day, and no others', async () => {
      const [due, , retried] = [
        await customer(overdue()),
        await customer({ syncedAt: later(1 - DAY_MS) }),
        await customer({ retryAt: clock.date() }),
        await customer({ ...overdue(), retryAt: later(1) }),
      ];
      expect(await syncWith([]).settleDue()).to.equal(2);
      expect(asked.map(([, id]) => id)).to.have.members([due, retried].map(({ billing }) => billing!.customerId));
      expect(await syncWith([]).settleDue(), 'once').to.equal(0);
    });

    it('asks about at most four hundred in a run', async () => {
      const due: typeof parts.accounts.due = async (...args) => (asked.push(args), []);
      const sync = createBillingSync({
        ...parts,
        accounts: { ...parts.accounts, due },
        payments: createNoPayments(),
        onProblem: () => undefined,
      });
      expect(await sync.settleDue()).to.equal(0);
      expect(asked).to.deep.equal([['billing', clock.date(), 400]]);
    });

    it('asks about eight concurrently, and expects the events of its findings', async () => {
      const accounts = [];
      for (let count = 0; count < 20; count++) accounts.push(await customer(overdue()));
      let [started, running, most] = [0, 0, 0];
      let release = (): void => undefined;
      const eightRun = new Promise<void>((resolve) => (release = resolve));
      const sync = syncWith([], {
        async subscriptions(customerId) {
          most = Math.max(most, ++running);
          // A ninth request would start before the first eight are answered.
          if (++started === 8) void backgroundSettled().then(release);
          await waitAtMost(5 * SECOND_MS, eightRun);
          running -= 1;
          return [some({ id: `sub_of_${customerId}` })];
        },
      });
      expect(await sync.settleDue()).to.equal(20);
      expect(most).to.equal(8);
      const [first] = accounts;
      expect(await expected(first!)).to.deep.equal([
        [expectationId(`sub_of_${first!.billing!.customerId}`), clock.date(), later(5 * MINUTE_MS)],
      ]);
    });

    it('skips an account that is deleted meanwhile', async () => {
      const account = await customer(overdue());
      const sync = syncWith([], {
        async subscriptions() {
          const now = await stored(account);
          await parts.accounts.save({ ...now, deleting: true, version: now.version + 1 }, [], now);
          throw new AppError('not_found');
        },
      });
      expect(await sync.settleDue()).to.equal(1);
      expect((await stored(account)).billing?.retryAt).to.equal(null);
    });

    for (const [what, error, isConfigured, retryMs, outcome] of [
      ['an error', new Error('broken'), true, 10 * MINUTE_MS, 'rejected'],
      ['a provider that does not answer', new PaymentsAwayError('away'), true, 10 * MINUTE_MS, 2],
      ['no provider', new AppError('billing_unavailable'), false, DAY_MS, 2],
    ] as const)
      it(`asks again after ${what}, continues with the others, and ends expired plans`, async () => {
        const ended = some({ endsAt: clock.date() });
        const [failing, other] = [await customer({ ...overdue(), subscription: ended }), await customer(overdue())];
        const sync = syncWith([], {
          isConfigured,
          subscriptions: (id) =>
            id === failing.billing!.customerId ? Promise.reject(error) : Promise.resolve([some()]),
        });
        const settled = await sync.settleDue().catch((thrown: unknown) => (thrown === error ? 'rejected' : thrown));
        expect(settled).to.equal(outcome);
        expect((await stored(failing)).billing).to.deep.include({
          retryAt: later(retryMs),
          subscription: ended,
          syncedAt: later(-DAY_MS),
        });
        expect((await stored(failing)).tier).to.equal('free');
        expect((await stored(other)).billing?.subscription).to.deep.equal(some());
      });
  });
});
