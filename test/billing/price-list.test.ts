// Price list while the payment provider is slow.
import { expect } from 'chai';
import type { Price } from '../../src/billing/payments.js';
import { createPriceList } from '../../src/billing/price-list.js';
import { READ_LIMIT_MS } from '../../src/platform/http/read-limit.js';
import { stoppedTimers } from '../support/stopped-timers.js';

describe('the price list', () => {
  it('is empty within the time of an answer while the provider hangs, and whole when that has answered', async () => {
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
});
