// Reservations of rate limits for password checks: the order of waiting checks, and rejections.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { RateLimit, RateLimits } from '../../src/accounts/rate-limits.js';
import { createRateLimitReservations, type Reservation } from '../../src/accounts/rate-limit-reservations.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';

const OWNER: RateLimit = { key: 'owner', rules: [{ limit: 2, windowMs: 15 * MINUTE_MS }] };
const ADDRESS: RateLimit = { key: 'address', rules: [{ limit: 5, windowMs: 5 * MINUTE_MS }] };
const MAX_WAITING = 3;

/** Simulates a rate limit store in the network: it counts immediately and responds later. */
function countedBudgets(): Pick<RateLimits, 'consume' | 'refund'> & { asked: number } {
  const spent = new Map<string, number>();
  const counted = {
    asked: 0,
    async consume(limits: readonly RateLimit[]) {
      counted.asked++;
      const keys = limits
        .filter(({ key, rules }) => (spent.get(key) ?? 0) >= (rules[0]?.limit ?? 0))
        .map(({ key }) => key);
      if (keys.length === 0) for (const { key } of limits) spent.set(key, (spent.get(key) ?? 0) + 1);
      await sleep(1);
      return keys.length === 0 ? ({ ok: true } as const) : ({ ok: false, retryAfterSeconds: 900, keys } as const);
    },
    async refund(limits: readonly RateLimit[]) {
      for (const { key } of limits) spent.set(key, (spent.get(key) ?? 0) - 1);
    },
  };
  return counted;
}

describe('rate limit reservations', () => {
  let limits: ReturnType<typeof countedBudgets>;
  let spend: (
    others?: readonly RateLimit[],
  ) => Promise<Reservation | { readonly ok: false; readonly retryAfterSeconds: number; readonly pending: boolean }>;
  beforeEach(() => {
    limits = countedBudgets();
    const held = createRateLimitReservations(limits, MAX_WAITING);
    spend = (others = []) => held.reserve({ owner: OWNER, others });
  });

  async function take(others?: readonly RateLimit[]): Promise<Reservation> {
    const outcome = await spend(others);
    return outcome.ok ? outcome : expect.fail('rejected');
  }

  it('queues requests rejected only by checks in progress, and wakes one in order for each refund', async () => {
    const [one, two] = [await take(), await take()];
    const served: string[] = [];
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const hold = await take();
      served.push(name);
      return hold;
    });
    await sleep(10);
    expect(served).to.deep.equal([]);
    const askedBefore = limits.asked;
    await one.release([OWNER]);
    await sleep(10);
    expect([served, limits.asked - askedBefore], 'only one of them tried again').to.deep.equal([['a'], 1]);
    await two.release([OWNER]);
    await sleep(10);
    expect(served).to.deep.equal(['a', 'b']);
    await (await waiting[0]!).release([OWNER]);
    await Promise.all(waiting);
    expect(served).to.deep.equal(['a', 'b', 'c']);
  });

  it('rejects waiting requests when the limit was consumed', async () => {
    const [one, two] = [await take(), await take()];
    const waiting = Array.from({ length: MAX_WAITING }, () => spend());
    await sleep(10);
    await one.release([]);
    await two.release([]);
    expect(await Promise.all(waiting)).to.deep.equal(
      waiting.map(() => ({ ok: false, retryAfterSeconds: 900, pending: false, keys: ['owner'] })),
    );
  });

  it("rejects beyond the queue's length, with a retry after one second", async () => {
    const [one] = [await take(), await take()];
    const waiting = Array.from({ length: MAX_WAITING }, () => spend());
    await sleep(10);
    expect(await spend()).to.include({ ok: false, retryAfterSeconds: 1, pending: true });
    await one.release([OWNER]);
    expect((await waiting[0])?.ok).to.equal(true);
  });

  it('rejects immediately when another limit is used up too, as pending for the owner', async () => {
    const [one, two] = [await take([ADDRESS]), await take([ADDRESS])];
    const full: RateLimit = { key: 'full', rules: [{ limit: 0, windowMs: 5 * MINUTE_MS }] };
    expect(await spend([full])).to.include({ ok: false, retryAfterSeconds: 300, pending: true });
    const long: RateLimit = { key: 'long', rules: [MINUTE_MS, DAY_MS].map((windowMs) => ({ limit: 0, windowMs })) };
    expect(await spend([full, long]), 'the wait of the store is shorter').to.include({ retryAfterSeconds: 900 });
    const short = { ...long, rules: [MINUTE_MS, 2 * MINUTE_MS].map((windowMs) => ({ limit: 0, windowMs })) };
    expect(await spend([short]), 'the longest of its windows').to.include({ retryAfterSeconds: 120 });
    await one.release([]);
    await two.release([]);
    expect(await spend([full])).to.include({ ok: false, retryAfterSeconds: 900, pending: false });
  });

  it('keeps the place of a request that is rejected again, even if the queue has filled up meanwhile', async () => {
    const [one, two] = [await take(), await take()];
    const served: string[] = [];
    const wait = async (name: string) => {
      const hold = await take();
      served.push(name);
      return hold;
    };
    const waiting = ['a', 'b', 'c'].map(wait);
    await sleep(10);
    // The store decides about `d` while `a` is woken. Therefore `d` takes the place of `a` in the queue.
    const last = wait('d');
    await one.release([]);
    await sleep(10);
    expect(served).to.deep.equal([]);
    await two.release([OWNER]);
    await sleep(10);
    expect(served).to.deep.equal(['a']);
    await Promise.all([...waiting, last].map(async (hold) => (await hold).release([OWNER])));
    expect(served).to.have.members(['a', 'b', 'c', 'd']);
  });

  it('queues later requests behind the requests that the last check has woken', async () => {
    const [one, two] = [await take(), await take()];
    const woken = [take(), take()];
    await sleep(10);
    await Promise.all([one.release([OWNER]), two.release([OWNER])]);
    const [next] = await Promise.all(woken);
    const late = spend();
    await sleep(10);
    await next!.release([OWNER]);
    expect((await late).ok).to.equal(true);
  });

  it('keeps the order of all requests that the last check has woken and that are rejected again', async () => {
    const [one, two] = [await take(), await take()];
    const served: string[] = [];
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const held = await take();
      served.push(name);
      await sleep(5);
      await held.release([OWNER]);
    });
    await sleep(10);
    await one.release([]);
    await sleep(10);
    await two.release([OWNER]);
    await Promise.all(waiting);
    expect(served).to.deep.equal(['a', 'b', 'c']);
  });

  it('retries when the last check ended while it was being rejected', async () => {
    const [one, two] = [await take(), await take()];
    const late = spend();
    await Promise.all([one.release([OWNER]), two.release([OWNER])]);
    expect((await late).ok).to.equal(true);
  });

  it('wakes all waiting requests when a refund fails', async () => {
    const [one, two] = [await take(), await take()];
    const waiting = spend();
    await sleep(10);
    limits.refund = () => Promise.reject(new Error('out of reach'));
    for (const hold of [one, two]) await hold.release([OWNER]).catch(() => undefined);
    expect((await waiting).ok).to.equal(false);
  });
});
