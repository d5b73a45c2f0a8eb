// Deliveries: when the next try is due, and what a response means.
import { expect } from 'chai';
import {
  isDue,
  MAX_DELAY_MS,
  newDelivery,
  replayed,
  RETRY_DELAYS_MS,
  tried,
  type Delivery,
} from '../../src/webhooks/delivery.js';
import { HOUR_MS } from '../../src/platform/time.js';

const AT_MS = Date.UTC(2026, 4, 1, 12);
const fresh = (): Delivery =>
  newDelivery({ id: 'Acc0unt00001Endp0int0001' }, { id: 'evt_1', kind: 'webhook.test', atMs: AT_MS, data: {} });
const response = (httpStatus: number | null, waitMs?: number) => ({
  ...{ at: new Date(AT_MS), httpStatus, durationMs: 100, response: '', retryAfterMs: waitMs },
});
const waitOf = (delivery: Delivery): number => delivery.dueAt!.getTime() - AT_MS - 100;

describe('a webhook delivery', () => {
  it('is tried ten times, with the documented delays and up to 10 % jitter', () => {
    for (const [random, factor] of [
      [0, 1],
      [1, 1.1],
    ] as const) {
      let delivery = fresh();
      const waits: number[] = [];
      for (; delivery.status === 'pending'; delivery = tried(delivery, response(500), random))
        if (delivery.tries > 0) waits.push(waitOf(delivery));
      expect(waits).to.deep.equal(RETRY_DELAYS_MS.map((delayMs) => Math.round(delayMs * factor)));
      expect(delivery).to.deep.include({ status: 'failed', tries: 10, dueAt: null });
    }
    expect(RETRY_DELAYS_MS.map((delayMs) => delayMs / HOUR_MS).slice(3)).to.deep.equal([2, 5, 10, 14, 20, 24]);
  });

  it('is delivered by any 2xx, fails at once by 410, and is repeated otherwise', () => {
    for (const status of [200, 201, 204, 299])
      expect(tried(fresh(), response(status), 0)).to.deep.include({ status: 'delivered', dueAt: null });
    for (const status of [null, 100, 301, 400, 404, 429, 500, 503])
      expect(tried(fresh(), response(status), 0).status, String(status)).to.equal('pending');
    expect(tried(fresh(), response(410), 0)).to.deep.include({ status: 'failed', dueAt: null });
  });

  it('waits as long as Retry-After says, but never less than its schedule and never more than about a day', () => {
    expect(waitOf(tried(fresh(), response(429, HOUR_MS), 0))).to.equal(HOUR_MS);
    expect(waitOf(tried(fresh(), response(503, 1), 0))).to.equal(5000);
    expect(waitOf(tried(fresh(), response(503, 1000 * HOUR_MS), 0))).to.equal(MAX_DELAY_MS);
  });

  it('begins anew after a replay, with the same event', () => {
    const failed = tried(fresh(), response(410), 0);
    const again = replayed(failed, new Date(AT_MS + 5));
    expect(again).to.deep.include({ status: 'pending', tries: 0, dueAt: new Date(AT_MS + 5), eventId: failed.eventId });
  });

  it('is due at its time, and if its time is later than any that can be planned', () => {
    expect(isDue(fresh(), AT_MS - 1)).to.equal(false);
    expect(isDue(fresh(), AT_MS)).to.equal(true);
    expect(isDue(fresh(), AT_MS - MAX_DELAY_MS - 1)).to.equal(true);
    expect(isDue({ dueAt: null }, AT_MS)).to.equal(false);
  });
});
