// Contract of the port `Tables`: conditions, order, compare-and-set, damaged records. The tests use payment events as
// records.
import { expect } from 'chai';
import { paymentEventSchema, type StoredPaymentEvent } from '../../../src/billing/payment-event.js';
import type { Query, Table } from '../../../src/platform/stores/tables.js';
import { contract } from './contract.js';
import type { RecordsUnderTest } from './records.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12, 0, 0, 123));
const later = (ms: number): Date => new Date(AT.getTime() + ms);

export const tablesContract = contract<RecordsUnderTest>('tables of records', (under) => {
  let events: Table<StoredPaymentEvent>;
  beforeEach(() => {
    events = under.table({ name: 'paymentEvents', schema: paymentEventSchema });
  });
  const event = (id: string, fields: Partial<StoredPaymentEvent> = {}): StoredPaymentEvent => ({
    id,
    type: 'customer "Ünï" \u{1F511}',
    customerId: null,
    createdAt: AT,
    receivedAt: AT,
    dueAt: null,
    tries: 0,
    finishedAt: null,
    error: null,
    version: 1,
    ...fields,
  });
  const nextOf = (stored: StoredPaymentEvent, fields: Partial<StoredPaymentEvent> = {}): StoredPaymentEvent => ({
    ...stored,
    ...fields,
    version: stored.version + 1,
  });
  /** Returns the ids that match the query, sorted by id if the query has no order. */
  const ids = async (query: Query): Promise<readonly string[]> => {
    const found = await events.ids(query);
    expect((await events.find(query)).map(({ id }) => id)).to.have.members([...found]);
    return query.sort ? found : found.toSorted();
  };

  it('return records as they were written', async () => {
    const full = event('a', { customerId: 'cus_1', dueAt: later(1), finishedAt: later(2), error: 'away', tries: 3 });
    expect(await events.insert([full, event('b')])).to.equal('inserted');
    expect(await events.get('a')).to.deep.equal(full);
    expect(await events.get('b')).to.deep.equal(event('b'));
    expect(await events.get('c')).to.equal(undefined);
  });

  it('find by every kind of condition, in order, up to a limit', async () => {
    await events.insert([
      event('a', { customerId: 'cus_1', dueAt: later(1), receivedAt: later(3) }),
      event('b', { customerId: 'cus_1', dueAt: later(5000), receivedAt: later(2) }),
      event('c', { customerId: 'cus_2', receivedAt: later(1) }),
    ]);
    expect(await ids({})).to.deep.equal(['a', 'b', 'c']);
    expect(await ids({ where: { customerId: 'cus_1' } })).to.deep.equal(['a', 'b']);
    expect(await ids({ where: { id: { in: ['c', 'a', 'd'] } } })).to.deep.equal(['a', 'c']);
    expect(await ids({ where: { dueAt: null } })).to.deep.equal(['c']);
    expect(await ids({ where: { dueAt: { ne: null } } })).to.deep.equal(['a', 'b']);
    expect(await ids({ where: { receivedAt: later(2) } })).to.deep.equal(['b']);
    expect(await ids({ where: { receivedAt: { gt: later(1), lt: later(3) } } })).to.deep.equal(['b']);
    expect(await ids({ where: { receivedAt: { gte: later(1), lte: later(2) } } })).to.deep.equal(['b', 'c']);
    expect(await ids({ where: { dueAt: { by: AT, farAhead: later(4999) } } })).to.deep.equal(['b']);
    expect(await ids({ where: { dueAt: { by: later(1), farAhead: later(5000) } } })).to.deep.equal(['a']);
    expect(await ids({ where: { customerId: 'cus_1', dueAt: later(1) } })).to.deep.equal(['a']);
    expect(await ids({ sort: { receivedAt: 'descending' }, limit: 2 })).to.deep.equal(['a', 'b']);
    expect(await ids({ sort: { customerId: 'descending', receivedAt: 'ascending' } })).to.deep.equal(['c', 'b', 'a']);
    expect(await events.count({})).to.equal(3);
    expect(await events.count({}, 2)).to.equal(2);
    expect(await events.count({ dueAt: { ne: null } })).to.equal(2);
  });

  it('insert all or none', async () => {
    await events.insert([event('a')]);
    expect(await events.insert([event('b'), event('a', { tries: 7 })])).to.deep.equal({ taken: 'id' });
    expect(await ids({})).to.deep.equal(['a']);
    expect(await events.get('a')).to.deep.equal(event('a'));
  });

  it('replace a record from its own version only', async () => {
    await events.insert([event('a', { dueAt: AT })]);
    expect(await events.replace(event('a', { version: 3 }))).to.equal('stale');
    expect(await events.replace(event('b', { version: 2 }))).to.equal('stale');
    const next = nextOf(event('a'), { error: 'away' });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => events.replace(next)));
    expect(outcomes.filter((outcome) => outcome === 'replaced')).to.have.length(1);
    expect(await events.get('a'), 'the time it was due has gone').to.deep.equal(next);
  });

  it('write each record separately', async () => {
    expect(await events.putAll([])).to.equal(true);
    expect(await events.putAll([event('a'), event('b')])).to.equal(true);
    expect(await events.putAll([nextOf(event('a'), { tries: 1 }), event('b', { tries: 1 }), event('c')])).to.equal(
      false,
    );
    const tries = (await events.find({ sort: { id: 'ascending' } })).map((stored) => [stored.id, stored.tries]);
    expect(tries).to.deep.equal([
      ['a', 1],
      ['b', 0],
      ['c', 0],
    ]);
  });

  it('remove any number of matching records', async () => {
    const many = Array.from({ length: 1203 }, (_, at) => event(`e${at}`, { receivedAt: later(at) }));
    for (let from = 0; from < many.length; from += 200) await events.insert(many.slice(from, from + 200));
    expect(await events.remove({ receivedAt: { lt: later(1200) } })).to.equal(1200);
    expect(await events.remove({ id: 'e1201' })).to.equal(1);
    expect(await events.remove({ id: 'e1201' })).to.equal(0);
    expect(await ids({})).to.deep.equal(['e1200', 'e1202']);
  });

  it('name the fields of a damaged record', async () => {
    await events.insert([event('a')]);
    await under.damage('a', 'tries');
    const error = await events.get('a').catch((reason: unknown) => reason);
    expect(String(error)).to.match(/the record a of paymentEvents cannot be read: tries$/);
  });
});
