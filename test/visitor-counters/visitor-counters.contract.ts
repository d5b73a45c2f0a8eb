// Contract of the port `VisitorCounters`: counts, distinct visitors, days, reset and seed, several processes, restarts.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { utcDay } from '../../src/platform/utc-day.js';
import type { CounterName } from '../../src/visitor-counters/counter.js';
import type { VisitorCounters } from '../../src/visitor-counters/visitor-counters.js';
import { DAY_MS, HOUR_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';

interface VisitorCountersUnderTest {
  readonly counters: VisitorCounters;
  /** Counters of another process with the same stores: a concurrent command, or a restarted service. */
  readonly beside: VisitorCounters;
  /** Makes both processes store their counts and apply the changes of the other process. */
  readonly settle: () => void | Promise<void>;
  /** Opens the counters again after a restart. Only stored data remains. */
  readonly restarted: () => VisitorCounters | Promise<VisitorCounters>;
}

export const visitor = (index: number): string =>
  createHash('sha256').update(`visitor ${index}`).digest('hex').slice(0, 32);

const HOME = 'home' as CounterName;
const OTHER = 'other' as CounterName;
const ZERO = { total: 0, today: 0, uniqueToday: 0 };

export const visitorCountersContract = contract<VisitorCountersUnderTest>('VisitorCounters', (under) => {
  const hits = (count: number, counters = under.counters, from = 0) =>
    Promise.all(Array.from({ length: count }, (_, index) => counters.hit(HOME, visitor(from + index))));

  it('counts visits and distinct visitors of each counter, and reads without counting', async () => {
    const { counters } = under;
    expect(await counters.read(HOME)).to.deep.equal(ZERO);
    expect(await counters.hit(HOME, visitor(1))).to.deep.equal({ total: 1, today: 1, uniqueToday: 1 });
    expect(await counters.hit(HOME, visitor(1))).to.deep.equal({ total: 2, today: 2, uniqueToday: 1 });
    expect(await counters.hit(HOME, visitor(2))).to.deep.equal({ total: 3, today: 3, uniqueToday: 2 });
    expect(await counters.read(HOME)).to.deep.equal({ total: 3, today: 3, uniqueToday: 2 });
    expect(await counters.read(OTHER)).to.deep.equal(ZERO);
  });

  it('gives each of many concurrent visits a different number', async () => {
    const counts = await hits(1200);
    const oneToAll = Array.from({ length: 1200 }, (_, index) => index + 1);
    expect(counts.map(({ total }) => total).sort((one, other) => one - other)).to.deep.equal(oneToAll);
    expect(counts.map(({ today }) => today).sort((one, other) => one - other)).to.deep.equal(oneToAll);
  });

  it('estimates many distinct visitors within 8 %, including returning ones', async () => {
    for (const from of [0, 2500, 5000, 7500]) await hits(2500, under.counters, from);
    await hits(2500);
    const { total, uniqueToday } = await under.counters.read(HOME);
    expect(total).to.equal(12_500);
    expect(uniqueToday).to.be.within(9200, 10_800);
  });

  it('starts each UTC day at zero, and continues the total', async () => {
    under.clock.advance(11 * HOUR_MS);
    await hits(3);
    under.clock.advance(HOUR_MS);
    expect(await under.counters.read(HOME)).to.deep.equal({ total: 3, today: 0, uniqueToday: 0 });
    expect(await under.counters.hit(HOME, visitor(1))).to.deep.equal({ total: 4, today: 1, uniqueToday: 1 });
    under.clock.advance(3 * DAY_MS);
    expect(await under.counters.hit(HOME, visitor(2))).to.deep.equal({ total: 5, today: 1, uniqueToday: 1 });
  });

  it('loses nothing if a clock that is set back shows the previous day', async () => {
    under.clock.advance(12 * HOUR_MS);
    await hits(3);
    under.clock.advance(-1);
    expect(await under.counters.hit(HOME, visitor(3))).to.deep.equal({ total: 4, today: 4, uniqueToday: 4 });
    under.clock.advance(1);
    expect(await under.counters.hit(HOME, visitor(3))).to.deep.equal({ total: 5, today: 5, uniqueToday: 4 });
  });

  it('starts again if a clock that was days ahead is corrected', async () => {
    under.clock.advance(2 * DAY_MS);
    await hits(3);
    await under.settle();
    under.clock.advance(-2 * DAY_MS);
    expect(await under.counters.read(HOME)).to.deep.equal({ total: 3, today: 0, uniqueToday: 0 });
    expect(await under.counters.hit(HOME, visitor(1))).to.deep.equal({ total: 4, today: 1, uniqueToday: 1 });
    await under.settle();
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 4, today: 1, uniqueToday: 1 });
  });

  it("keeps today's counts that are not stored yet when it is seeded", async () => {
    await hits(5);
    await under.counters.seed(HOME, 1000);
    expect(await under.counters.read(HOME)).to.deep.equal({ total: 1000, today: 5, uniqueToday: 5 });
    await under.settle();
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 1000, today: 5, uniqueToday: 5 });
  });

  it('keeps all counts over a restart', async () => {
    await hits(40);
    await under.settle();
    const counters = await under.restarted();
    expect(await counters.read(HOME)).to.deep.equal({ total: 40, today: 40, uniqueToday: 40 });
    expect(await counters.hit(HOME, visitor(7))).to.deep.equal({ total: 41, today: 41, uniqueToday: 40 });
    expect(await counters.hit(HOME, visitor(40))).to.deep.equal({ total: 42, today: 42, uniqueToday: 41 });
  });

  it('writes visits of before midnight after it', async () => {
    under.clock.advance(12 * HOUR_MS - 1);
    await hits(3);
    under.clock.advance(1);
    await under.counters.hit(HOME, visitor(9));
    await under.settle();
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 4, today: 1, uniqueToday: 1 });
  });

  it('restarts when another process resets it, even after a restart', async () => {
    await hits(5);
    await under.settle();
    await under.beside.reset(HOME);
    expect(await under.beside.read(HOME)).to.deep.equal(ZERO);
    await under.settle();
    expect(await under.counters.read(HOME)).to.deep.equal(ZERO);
    expect(await under.counters.hit(HOME, visitor(1))).to.deep.equal({ total: 1, today: 1, uniqueToday: 1 });
    await under.settle();
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 1, today: 1, uniqueToday: 1 });
  });

  it('can be reset and seeded before its first write', async () => {
    await hits(5);
    await under.beside.reset(HOME);
    await under.settle();
    expect(await under.counters.read(HOME)).to.deep.equal(ZERO);
    await under.beside.seed(OTHER, 70);
    await under.settle();
    expect(await under.counters.hit(OTHER, visitor(1))).to.deep.equal({ total: 71, today: 1, uniqueToday: 1 });
  });

  it("continues from a total that another process sets, and keeps today's counts", async () => {
    await hits(5);
    await under.settle();
    await under.beside.seed(HOME, 1000);
    await under.settle();
    expect(await under.counters.read(HOME)).to.deep.equal({ total: 1000, today: 5, uniqueToday: 5 });
    expect(await under.counters.hit(HOME, visitor(1))).to.deep.equal({ total: 1001, today: 6, uniqueToday: 5 });
    await under.settle();
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 1001, today: 6, uniqueToday: 5 });
  });

  it('forgets the visitors of earlier days, and keeps their counts', async () => {
    await hits(5);
    await under.settle();
    expect(await under.counters.forgetVisitors(utcDay(under.clock.now()))).to.equal(0);
    under.clock.advance(DAY_MS);
    expect(await under.counters.forgetVisitors(utcDay(under.clock.now()))).to.equal(1);
    expect(await under.counters.forgetVisitors(utcDay(under.clock.now()))).to.equal(0);
    expect(await (await under.restarted()).read(HOME)).to.deep.equal({ total: 5, today: 0, uniqueToday: 0 });
  });
});
