// Contract tests of the port `PaymentEvents`: duplicates, claims, retries, restarts.
import { expect } from 'chai';
import { isExpectation } from '../../src/billing/payment-event.js';
import { MAX_POSTPONE_MS, type PaymentEvent, type PaymentEvents } from '../../src/billing/payment-event-store.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const CLAIM = { limit: 100, claimMs: 30 * SECOND_MS };

export const paymentEventsContract = contract<RecordsUnderTest>('PaymentEvents', (under) => {
  let events: PaymentEvents;
  beforeEach(() => {
    events = under.stores.paymentEvents;
  });
  const event = (id: string, customerId: string | null = 'cus_1'): PaymentEvent => ({
    id,
    type: 'customer.subscription.updated',
    customerId,
    createdAt: later(-SECOND_MS),
  });
  const claimed = async (at: Date, from = events) => (await from.claim(at, CLAIM)).map(({ id }) => id).sort();

  it('stores an event once, for any number of receivers and after a restart', async () => {
    const { paymentEvents: beside } = await under.beside();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? events : beside).add(event('evt_1'), AT)),
    );
    expect(outcomes.filter((outcome) => outcome === 'stored')).to.have.length(1);
    await events.finish('evt_1', AT);
    expect(await (await under.beside()).paymentEvents.add(event('evt_1'), AT)).to.equal('duplicate');
    expect(await beside.latest({ limit: 10 })).to.deep.equal([
      { ...event('evt_1'), receivedAt: AT, dueAt: null, tries: 0, finishedAt: AT, error: null, version: 2 },
    ]);
  });

  it('gives an event to one claim at a time, and again if it was not finished', async () => {
    const { paymentEvents: beside } = await under.beside();
    for (let index = 0; index < 30; index++) await events.add(event(`evt_${index}`), AT);
    const both = await Promise.all([claimed(AT), claimed(AT, beside)]);
    expect(both.flat().sort()).to.deep.equal([...new Set(both.flat())].sort());
    const all = [...both.flat(), ...(await claimed(AT))];
    expect(all).to.have.length(30);
    expect(await claimed(later(CLAIM.claimMs - 1))).to.deep.equal([]);
    expect(await claimed(later(CLAIM.claimMs), beside)).to.have.length(30);
  });

  it('returns the longest due first, at most the requested number', async () => {
    for (const [id, ms] of [
      ['evt_b', 2],
      ['evt_a', 1],
      ['evt_c', 3],
    ] as const)
      await events.add(event(id), later(ms));
    const some = await events.claim(later(10), { ...CLAIM, limit: 2 });
    expect(some.map(({ id }) => id).sort()).to.deep.equal(['evt_a', 'evt_b']);
  });

  it('returns no finished events and no events without a customer', async () => {
    await events.add(event('evt_1'), AT);
    await events.add(event('evt_2', null), AT);
    await events.finish('evt_1', AT);
    expect(await claimed(later(DAY_MS))).to.deep.equal([]);
    expect(await events.unfinished()).to.equal(0);
  });

  it('postpones failed events with the reason', async () => {
    await events.add(event('evt_1'), AT);
    await events.postpone('evt_1', { dueAt: later(MINUTE_MS), error: 'Stripe is away' });
    expect(await claimed(later(MINUTE_MS - 1))).to.deep.equal([]);
    const [again] = await events.claim(later(MINUTE_MS), CLAIM);
    expect(again).to.deep.include({ id: 'evt_1', tries: 1, error: 'Stripe is away' });
    expect(await events.unfinished()).to.equal(1);
    await events.finish('evt_1', AT);
    await events.postpone('evt_1', { dueAt: AT, error: 'too late' });
    expect(await claimed(later(DAY_MS))).to.deep.equal([]);
    expect((await events.latest({ limit: 1 }))[0]).to.deep.include({ error: null, finishedAt: AT });
  });

  it('treats events postponed by a clock ahead as due', async () => {
    await events.add(event('evt_1'), later(365 * DAY_MS));
    expect(await claimed(later(365 * DAY_MS - MAX_POSTPONE_MS))).to.deep.equal([]);
    expect(await claimed(AT)).to.deep.equal(['evt_1']);
  });

  it('stores once that an event of a subscription is missing, and gives it when it is due', async () => {
    const missing = { subscriptionId: 'sub_1', customerId: 'cus_1', foundAt: AT, dueAt: later(MINUTE_MS) };
    const { paymentEvents: beside } = await under.beside();
    await Promise.all([events.expectEvent(missing), beside.expectEvent(missing), events.expectEvent(missing)]);
    expect(await claimed(later(MINUTE_MS - 1))).to.deep.equal([]);
    const due = await events.claim(later(MINUTE_MS), CLAIM);
    expect(due.map(isExpectation)).to.deep.equal([true]);
    expect(due[0]).to.deep.include({ customerId: 'cus_1', receivedAt: AT });
    await events.finish(due[0]!.id, later(MINUTE_MS), 'none has arrived');
    await beside.expectEvent(missing);
    expect(await claimed(later(DAY_MS))).to.deep.equal([]);
    expect(await beside.latest({ limit: 5 })).to.deep.equal([
      { ...due[0], dueAt: null, finishedAt: later(MINUTE_MS), error: 'none has arrived', version: 3 },
    ]);
  });

  it('replays an event that was finished', async () => {
    await events.add(event('evt_1'), AT);
    await events.finish('evt_1', AT);
    expect(await events.replay('evt_1', later(5))).to.equal(true);
    expect((await events.latest({ limit: 1 }))[0]).to.deep.include({ dueAt: later(5), finishedAt: null });
    expect([await events.unfinished(), await events.prune(later(DAY_MS))]).to.deep.equal([1, 0]);
    expect(await claimed(later(5))).to.deep.equal(['evt_1']);
    expect(await events.replay('evt_none', AT)).to.equal(false);
  });

  it('lists the latest first, optionally of one customer', async () => {
    for (let index = 0; index < 5; index++)
      await events.add(event(`evt_${index}`, index % 2 === 0 ? 'cus_even' : 'cus_odd'), later(index));
    const ids = async (page: Parameters<PaymentEvents['latest']>[0]) => (await events.latest(page)).map(({ id }) => id);
    expect(await ids({ limit: 3 })).to.deep.equal(['evt_4', 'evt_3', 'evt_2']);
    expect(await ids({ limit: 10, customerId: 'cus_odd' })).to.deep.equal(['evt_3', 'evt_1']);
    for (const id of ['evt_b', 'evt_c', 'evt_a']) await events.add(event(id), later(10));
    expect(await ids({ limit: 2 }), 'received at the same time').to.deep.equal(['evt_c', 'evt_b']);
  });

  it('deletes old finished events', async () => {
    for (const id of ['evt_old', 'evt_open', 'evt_new'])
      await events.add(event(id), id === 'evt_new' ? AT : later(-DAY_MS));
    for (const id of ['evt_old', 'evt_new']) await events.finish(id, AT);
    expect(await events.prune(AT)).to.equal(1);
    expect((await events.latest({ limit: 10 })).map(({ id }) => id)).to.deep.equal(['evt_new', 'evt_open']);
  });
});
