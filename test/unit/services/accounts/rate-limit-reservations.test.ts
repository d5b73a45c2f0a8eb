// Budgets that are spent before a check: who waits for whom, and who is refused.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { RateLimit, RateLimits } from '../../../../src/ports/rate-limits.js';
import {
  createRateLimitReservations,
  type Reservation,
} from '../../../../src/services/accounts/rate-limit-reservations.js';
import { MINUTE_MS } from '../../../support/clock.js';

const OWNER: RateLimit = { key: 'owner', rules: [{ limit: 2, windowMs: 15 * MINUTE_MS }] };
const ADDRESS: RateLimit = { key: 'address', rules: [{ limit: 5, windowMs: 5 * MINUTE_MS }] };
const MAX_WAITING = 3;

/** As a store across the network would: it answers later, and about the moment in which it was asked. */
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

describe('held limits', () => {
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
    return outcome.ok ? outcome : expect.fail('refused');
  }

  it('lets those wait whom only checks under way refuse, and serves them in their order, one for each that is given back', async () => {
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

  it('refuses for good when what they waited for was spent', async () => {
    const [one, two] = [await take(), await take()];
    const waiting = [spend(), spend()];
    await sleep(10);
    await one.release([]);
    await two.release([]);
    expect(await Promise.all(waiting)).to.deep.equal(
      Array.from({ length: 2 }, () => ({ ok: false, retryAfterSeconds: 900, pending: false, keys: ['owner'] })),
    );
  });

  it('refuses beyond so many that wait, to come back in a moment', async () => {
    const [one] = [await take(), await take()];
    const waiting = Array.from({ length: MAX_WAITING }, () => spend());
    await sleep(10);
    expect(await spend()).to.include({ ok: false, retryAfterSeconds: 1, pending: true });
    await one.release([OWNER]);
    expect((await waiting[0])?.ok).to.equal(true);
  });

  it('waits for nobody when another budget is used up too, and does not take that for the owner’s fault', async () => {
    const [one, two] = [await take([ADDRESS]), await take([ADDRESS])];
    const full: RateLimit = { key: 'full', rules: [{ limit: 0, windowMs: 5 * MINUTE_MS }] };
    expect(await spend([full])).to.include({ ok: false, retryAfterSeconds: 300, pending: true });
    await one.release([]);
    await two.release([]);
    expect(await spend([full])).to.include({ ok: false, retryAfterSeconds: 900, pending: false });
  });

  it('asks again when the last check ended while it was being refused', async () => {
    const [one, two] = [await take(), await take()];
    const late = spend();
    await Promise.all([one.release([OWNER]), two.release([OWNER])]);
    expect((await late).ok).to.equal(true);
  });

  it('leaves nobody waiting when giving back fails', async () => {
    const [one, two] = [await take(), await take()];
    const waiting = spend();
    await sleep(10);
    limits.refund = () => Promise.reject(new Error('out of reach'));
    for (const hold of [one, two]) await hold.release([OWNER]).catch(() => undefined);
    expect((await waiting).ok).to.equal(false);
  });
});
