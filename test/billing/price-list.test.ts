// Price list with a payment provider that responds slowly.
import { expect } from 'chai';
import type { Price } from '../../src/billing/payments.js';
import { createPriceList } from '../../src/billing/price-list.js';
import { READ_LIMIT_MS } from '../../src/platform/http/read-limit.js';
import { HOUR_MS, MINUTE_MS } from '../support/clock.js';
import { stoppedTimers } from '../support/stopped-timers.js';

const HALF_MINUTE_MS = MINUTE_MS / 2;

describe('the price list', () => {
  it('is empty in time while the provider hangs, and complete once it has answered', async () => {
    const timers = stoppedTimers();
    const price: Price = { plan: 'pro', interval: 'month', amount: 2900, currency: 'usd' };
    let asked = 0;
    const payments = { prices: () => ((asked += 1), timers.resolved(20_000, [price])) };
    const list = createPriceList({ payments, now: timers.now, onError: () => undefined, timers });

    let answer: readonly Price[] | undefined;
    void list().then((prices) => (answer = prices));
    await timers.advance(READ_LIMIT_MS / 2);
    expect(answer).to.equal(undefined);
    await timers.advance(READ_LIMIT_MS / 4);
    expect(answer).to.deep.equal([]);

    await timers.advance(20_000);
    expect(await list()).to.deep.equal([price]);
    expect(asked).to.equal(1);
  });

  const PRICE: Price = { plan: 'pro', interval: 'month', amount: 2900, currency: 'usd' };
  const DEARER: Price = { ...PRICE, amount: 3900 };
  /** Creates a price list. For each request, the payment provider immediately returns the next item of `answers`. */
  function listOf(answers: (readonly Price[] | Error)[]) {
    const timers = stoppedTimers();
    const errors: unknown[] = [];
    let asked = 0;
    const prices = async () => {
      const answer = answers[asked++];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
      return answer;
    };
    const list = createPriceList({
      payments: { prices },
      now: timers.now,
      onError: (error) => errors.push(error),
      timers,
    });
    return { list, timers, errors, asked: () => asked };
  }

  it('is requested once an hour, and old prices are served immediately', async () => {
    const { list, timers, asked } = listOf([[PRICE], [DEARER]]);
    expect(await Promise.all([list(), list()])).to.deep.equal([[PRICE], [PRICE]]);
    await timers.advance(HOUR_MS - 1);
    expect([await list(), asked()]).to.deep.equal([[PRICE], 1]);
    await timers.advance(1);
    expect([await list(), asked()]).to.deep.equal([[PRICE], 2]);
    await timers.advance(0);
    expect([await list(), asked()]).to.deep.equal([[DEARER], 2]);
    await timers.advance(HOUR_MS - 1);
    await list();
    expect(asked()).to.equal(2);
  });

  it('is the last known one while the provider fails, with a retry after half a minute', async () => {
    const broken = new Error('broken');
    const { list, timers, asked, errors } = listOf([broken, [PRICE], broken, [DEARER]]);
    expect([await list(), await list(), asked(), errors]).to.deep.equal([[], [], 1, [broken]]);
    await timers.advance(HALF_MINUTE_MS - 1);
    expect([await list(), asked()]).to.deep.equal([[], 1]);
    await timers.advance(1);
    expect([await list(), asked()]).to.deep.equal([[PRICE], 2]);
    await timers.advance(HOUR_MS);
    for (const [waitMs, known, times] of [
      [0, PRICE, 3],
      [HALF_MINUTE_MS - 1, PRICE, 3],
      [1, PRICE, 4],
      [0, DEARER, 4],
    ] as const) {
      await timers.advance(waitMs);
      expect(await list()).to.deep.equal([known]);
      await timers.advance(0);
      expect(asked()).to.equal(times);
    }
    expect(errors).to.have.length(2);
  });

  it('is awaited for at most half a second before there is one', async () => {
    const timers = stoppedTimers();
    const payments = { prices: () => timers.resolved(500, [PRICE]) };
    const list = createPriceList({ payments, now: timers.now, onError: () => expect.fail(), timers });
    let answer: readonly Price[] | undefined;
    void list().then((prices) => (answer = prices));
    await timers.advance(499);
    expect(answer).to.equal(undefined);
    await timers.advance(1);
    expect(answer).to.not.equal(undefined);
    const never = createPriceList({
      payments: { prices: () => new Promise(() => undefined) },
      now: timers.now,
      onError: () => expect.fail(),
      timers,
    });
    let none: readonly Price[] | undefined;
    void never().then((prices) => (none = prices));
    await timers.advance(499);
    expect(none).to.equal(undefined);
    await timers.advance(1);
    expect(none).to.deep.equal([]);
  });
});
