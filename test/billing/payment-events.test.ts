// Processing of payment events: completed events, times of retries, and reports to the operator.
import { mock } from 'node:test';
import { expect } from 'chai';
import { createNoPayments } from '../../src/billing/no-payments.js';
import { createPaymentEventProcessing } from '../../src/billing/payment-events.js';
import type { Payments } from '../../src/billing/payments.js';
import { MAX_POSTPONE_MS } from '../../src/billing/payment-event-store.js';
import { AppError, PaymentsAwayError } from '../../src/platform/errors.js';
import { backgroundSettled, openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { eventually } from '../support/auth.js';
import { clockAt, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '../support/clock.js';

describe('payment events', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let synced: string[];
  let errors: unknown[];
  let problems: string[];
  beforeEach(async () => {
    clock = clockAt(Date.UTC(2026, 4, 1, 12));
    parts = await openTestAccounts({ now: clock.now });
    [synced, errors, problems] = [[], [], []];
  });
  afterEach(() => parts.close());

  /**
   * Creates the processing of payment events. `outcomes`: customer id → result of `syncCustomer`. The result is true if
   * an account has this customer (the default), false if not, or an error to throw.
   */
  const processing = (outcomes: Readonly<Record<string, boolean | Error>> = {}, payments = createNoPayments()) =>
    createPaymentEventProcessing({
      paymentEvents: parts.paymentEvents,
      payments,
      now: clock.now,
      billing: {
        async syncCustomer(id) {
          synced.push(id);
          const outcome = outcomes[id] ?? true;
          if (outcome instanceof Error) throw outcome;
          return outcome;
        },
      },
      onError: (error) => void errors.push(error),
      onProblem: (text) => void problems.push(text),
    });
  const later = (ms: number) => new Date(clock.now() + ms);
  const add = (id: string, customerId: string) =>
    parts.paymentEvents.add({ id, type: 'invoice.paid', customerId, createdAt: clock.date() }, clock.date());
  const all = () => parts.paymentEvents.latest({ limit: 100 });
  const one = async (id: string) => (await all()).find((event) => event.id === id);

  it('are finished by one sync per customer', async () => {
    for (const [id, customerId] of [
      ['evt_1', 'cus_1'],
      ['evt_2', 'cus_2'],
      ['evt_3', 'cus_1'],
    ] as const)
      await add(id, customerId);
    expect(await processing().drain()).to.equal(3);
    expect(synced.sort()).to.deep.equal(['cus_1', 'cus_2']);
    for (const event of await all()) expect(event).to.deep.include({ finishedAt: clock.date(), error: null, tries: 0 });
    expect([errors, problems]).to.deep.equal([[], []]);
    expect(await processing().drain(), 'once').to.equal(0);
  });

  it('are all finished in batches of sixteen', async () => {
    for (let count = 0; count < 40; count++) await add(`evt_${count}`, `cus_${count}`);
    expect(await processing().drain()).to.equal(40);
    expect(new Set(synced).size).to.equal(40);
    expect(await parts.paymentEvents.unfinished()).to.equal(0);
  });

  it('are finished if no account has the customer, and each is reported to the operator', async () => {
    await add('evt_1', 'cus_1');
    await add('evt_2', 'cus_2');
    await add('evt_3', 'cus_1');
    expect(await processing({ cus_1: false }).drain()).to.equal(3);
    expect(problems.map((text) => text.slice(0, 66)).sort()).to.deep.equal(
      ['evt_1', 'evt_3'].map((id) => `the event ${id} (invoice.paid) belongs to the customer cus_1, but `),
    );
    expect(await one('evt_1')).to.deep.include({ finishedAt: clock.date(), error: 'no account has this customer' });
    expect(await one('evt_2')).to.deep.include({ finishedAt: clock.date(), error: null });
  });

  it('are retried after a failure, after ten seconds, then twice as long each time, up to ten minutes', async () => {
    await add('evt_1', 'cus_1');
    await add('evt_2', 'cus_2');
    const broken = new Error('broken', { cause: new Error('by something') });
    const failing = processing({ cus_1: broken });
    expect(await failing.drain()).to.equal(1);
    for (const seconds of [10, 20, 40, 80, 160, 320, 600, 600]) {
      expect(await one('evt_1')).to.deep.include({
        dueAt: later(seconds * SECOND_MS),
        finishedAt: null,
        error: 'broken by something',
      });
      clock.advance(seconds * SECOND_MS - 1);
      expect(await failing.drain()).to.equal(0);
      const before = errors.length;
      clock.advance(1);
      await failing.drain();
      expect(errors.slice(before)).to.deep.equal([broken]);
    }
    expect(MAX_POSTPONE_MS).to.equal(600 * SECOND_MS);
    expect(await one('evt_1')).to.include({ tries: 9 });
    expect(problems).to.deep.equal([]);
  });

  it('wait five seconds while the provider does not answer', async () => {
    for (let count = 0; count < 17; count++) await add(`evt_${count}`, `cus_${count}`);
    const away = processing(
      Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`cus_${at}`, new PaymentsAwayError('away')])),
    );
    expect(await away.drain()).to.equal(0);
    expect(synced, 'those of one claim').to.have.length(16);
    const due = (await all()).map(({ dueAt, tries }) => [dueAt, tries]);
    expect(due.filter(([, tries]) => tries === 1)).to.deep.equal(Array(16).fill([later(5 * SECOND_MS), 1]));
    expect(due.filter(([, tries]) => tries === 0)).to.deep.equal([[clock.date(), 0]]);
    clock.advance(5 * SECOND_MS);
    await away.drain();
    const [again] = (await all()).filter(({ tries }) => tries === 2);
    expect(again?.dueAt, 'not longer').to.deep.equal(later(5 * SECOND_MS));
    expect(await processing().drain()).to.equal(1);
  });

  it('keep three hundred characters of an error', async () => {
    await add('evt_1', 'cus_1');
    await add('evt_2', 'cus_2');
    const long = new AppError('conflict', 'x'.repeat(299), { cause: new Error('yz') });
    await processing({ cus_1: long, cus_2: new Error('plain') }).drain();
    expect(await one('evt_1')).to.include({ error: `${'x'.repeat(299)} ` });
    expect(await one('evt_2')).to.include({ error: 'plain' });
  });

  describe('that are missing', () => {
    const expectOne = async () => {
      const missing = { subscriptionId: 'sub_1', customerId: 'cus_1', foundAt: clock.date(), dueAt: later(1000) };
      await parts.paymentEvents.expectEvent(missing);
      clock.advance(1000);
    };
    const outcome = async () => {
      expect(await processing().drain()).to.equal(1);
      expect(synced, 'nothing to sync').to.deep.equal([]);
      return [(await one('expected_sub_1'))?.error, problems.length];
    };
    const arrived = async (customerId: string) => {
      await add('evt_1', customerId);
      await parts.paymentEvents.finish('evt_1', clock.date());
    };

    it('are reported to the operator once', async () => {
      await expectOne();
      expect(await outcome()).to.deep.equal(['no Stripe event has arrived', 1]);
      expect(problems[0]).to.include('Stripe has a subscription of the customer cus_1');
      clock.advance(DAY_MS);
      expect(await processing().drain()).to.equal(0);
    });

    it('are not missing if one of the customer has arrived, up to a day before', async () => {
      for (const [what, customerId, aheadMs, expected] of [
        ['a day before', 'cus_1', DAY_MS, [null, 0]],
        ['earlier', 'cus_1', DAY_MS + 1, ['no Stripe event has arrived', 1]],
        ['of another', 'cus_2', 0, ['no Stripe event has arrived', 1]],
      ] as const) {
        await parts.close();
        parts = await openTestAccounts({ now: clock.now });
        problems = [];
        await arrived(customerId);
        clock.advance(aheadMs);
        await expectOne();
        expect(await outcome(), what).to.deep.equal(expected);
      }
    });

    it('are not missing if one arrives afterwards', async () => {
      await expectOne();
      await arrived('cus_1');
      expect(await outcome()).to.deep.equal([null, 0]);
    });
  });

  it('are not expected after the end', async () => {
    await add('evt_1', 'cus_1');
    const ended = processing();
    await ended.close();
    expect(await ended.drain()).to.equal(0);
    expect(synced).to.deep.equal([]);
  });

  it('without a customer are finished without a sync if they are replayed', async () => {
    const event = { id: 'evt_1', type: 'price.created', customerId: null, createdAt: clock.date() };
    await parts.paymentEvents.add(event, clock.date());
    expect(await parts.paymentEvents.replay('evt_1', clock.date())).to.equal(true);
    expect(await processing().drain()).to.equal(1);
    expect([synced, problems]).to.deep.equal([[], []]);
    expect(await one('evt_1')).to.deep.include({ finishedAt: clock.date(), error: null });
  });

  describe('that are received', () => {
    /** Payment provider for tests: the payload becomes the id of the event, and the signature becomes the customer. */
    const reading = (isConfigured = true): Payments => ({
      ...createNoPayments(),
      isConfigured,
      readEvent: (payload, signature = '') => ({
        id: payload.toString(),
        type: 'invoice.paid',
        customerId: signature === '' ? null : signature,
        createdAt: clock.date(),
      }),
    });
    const receiving = () => processing({}, reading());
    const receive = (from: ReturnType<typeof processing>, id: string, customerId?: string) =>
      from.receive(Buffer.from(id), customerId);

    it('are stored before they are acknowledged, and processed automatically', async () => {
      const from = receiving();
      await receive(from, 'evt_1', 'cus_1');
      expect(await one('evt_1')).to.deep.include({ receivedAt: clock.date(), customerId: 'cus_1' });
      await eventually(() => synced.length === 1, 'the sync');
      await from.close();
      expect(await one('evt_1')).to.deep.include({ finishedAt: clock.date() });
    });

    it('are not processed if they are known, about no customer, or after the end', async () => {
      const from = receiving();
      await add('evt_1', 'cus_1');
      await receive(from, 'evt_1', 'cus_1');
      await receive(from, 'evt_2');
      await backgroundSettled();
      expect(synced).to.deep.equal([]);
      await from.close();
      await receive(from, 'evt_3', 'cus_3');
      await backgroundSettled();
      expect(synced).to.deep.equal([]);
      expect(await one('evt_3')).to.include({ finishedAt: null });
    });

    it('get our error response if they could not be stored', async () => {
      const broken = createPaymentEventProcessing({
        ...{ payments: reading(), now: clock.now, onProblem: () => undefined, onError: () => undefined },
        billing: { syncCustomer: async () => true },
        paymentEvents: { ...parts.paymentEvents, add: () => Promise.reject(new Error('full')) },
      });
      expect(await rejection(receive(broken, 'evt_1', 'cus_1'))).to.equal('internal_error');
    });

    it('are processed from the start if a provider is configured', async () => {
      await add('evt_1', 'cus_1');
      processing({}, reading(false)).start();
      await backgroundSettled();
      expect(synced).to.deep.equal([]);
      const from = receiving();
      from.start();
      await eventually(() => synced.length === 1, 'the sync');
      await from.close();
    });
  });

  describe('that nobody reports', () => {
    /** Waits without timers, because a test has replaced them. */
    async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
      const beganMs = performance.now();
      while (!(await isReached())) {
        if (performance.now() - beganMs > 10 * SECOND_MS) throw new Error('not reached in time');
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const configured = { ...createNoPayments(), isConfigured: true };
    const processingOf = (changes: Partial<Parameters<typeof createPaymentEventProcessing>[0]>) =>
      createPaymentEventProcessing({
        ...{ paymentEvents: parts.paymentEvents, payments: configured, now: clock.now },
        billing: { syncCustomer: async (id) => (synced.push(id), true) },
        onError: (error) => void errors.push(error),
        onProblem: (text) => void problems.push(text),
        ...changes,
      });

    it('are looked for every five seconds, also after a failure, until the end', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const broken = new Error('broken');
        let claims = 0;
        const claim: typeof parts.paymentEvents.claim = (...args) =>
          claims++ === 0 ? Promise.reject(broken) : parts.paymentEvents.claim(...args);
        const from = processingOf({ paymentEvents: { ...parts.paymentEvents, claim } });
        from.start();
        await backgroundSettled();
        expect([errors, claims]).to.deep.equal([[broken], 1]);
        for (const id of ['1', '2']) {
          await add(`evt_${id}`, `cus_${id}`);
          mock.timers.tick(5 * SECOND_MS - 1);
          await backgroundSettled();
          expect(synced, 'too early').to.not.include(`cus_${id}`);
          mock.timers.tick(1);
          await until(async () => (await one(`evt_${id}`))?.finishedAt !== null);
          await backgroundSettled();
        }
        expect(synced).to.deep.equal(['cus_1', 'cus_2']);
        await from.close();
        const before = claims;
        mock.timers.tick(MINUTE_MS);
        await backgroundSettled();
        expect(claims, 'after the end').to.equal(before);
      } finally {
        mock.timers.reset();
      }
    });

    it('are finished before the end if a sync for them is running', async () => {
      await add('evt_1', 'cus_1');
      let release: (isKnown: boolean) => void = () => undefined;
      const syncCustomer = (id: string) => (synced.push(id), new Promise<boolean>((resolve) => (release = resolve)));
      const from = processingOf({ billing: { syncCustomer } });
      from.start();
      await until(() => synced.length > 0);
      let isClosed = false;
      const closing = from.close().then(() => (isClosed = true));
      await backgroundSettled();
      expect(isClosed).to.equal(false);
      release(true);
      await closing;
      expect(await one('evt_1')).to.deep.include({ finishedAt: clock.date() });
    });
  });

  it('are processed once by concurrent drains', async () => {
    for (let count = 0; count < 20; count++) await add(`evt_${count}`, `cus_${count}`);
    const from = processing();
    const finished = await Promise.all([from.drain(), from.drain(), from.drain()]);
    expect(Math.max(...finished)).to.equal(20);
    expect(synced).to.have.length(20);
  });
});
