// Contract tests of the port `AuditLog`: writes and reads, concurrency, time, rejection.
import { expect } from 'chai';
import pLimit from 'p-limit';
import type { AccountId } from '../../src/accounts/account.js';
import { auditEvents, type AuditEvent, type AuditFact } from '../../src/accounts/audit-event.js';
import { randomBase62 } from '../../src/platform/text/base62.js';
import type { AuditLog } from '../../src/accounts/audit-log.js';
import { DAY_MS } from '../support/clock.js';
import { turnsDuring } from '../support/turns.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

/** Number of concurrent writes. More writes would exceed the time limit of the database. */
const AT_ONCE = 10;
const AT_MS = Date.UTC(2026, 4, 1, 12);

export const auditLogContract = contract<RecordsUnderTest>('AuditLog', (under) => {
  let account: { readonly id: AccountId; readonly version: number };
  beforeEach(async () => {
    account = { id: randomBase62(12) as AccountId, version: 1 };
  });
  function eventsAt(
    ms: number,
    version: number,
    facts: readonly AuditFact[] = [{ type: 'authn_login_fail' }],
  ): AuditEvent[] {
    return auditEvents(facts, {
      account: { ...account, version },
      by: { kind: 'customer', address: '192.0.2.0/24' },
      at: new Date(ms),
    });
  }
  async function pages(limit: number): Promise<AuditEvent[]> {
    const all: AuditEvent[] = [];
    for (let before: string | undefined; ;) {
      const page = await under.stores.audit.read(account.id, { ...(before !== undefined && { before }), limit });
      all.push(...page);
      if (page.length < limit) return all;
      before = page.at(-1)?.id;
    }
  }

  it('returns events as written, with and without detail', async () => {
    const facts: AuditFact[] = [
      { type: 'authn_token_created', detail: { token: 'API key', replaced: null, count: 3, wide: true } },
      { type: 'user_deleted' },
    ];
    const events = [
      ...eventsAt(AT_MS, 1, facts),
      ...auditEvents([{ type: 'user_created' }], {
        account: { ...account, version: 2 },
        by: { kind: 'operator', address: null },
        at: new Date(AT_MS),
      }),
    ];
    await under.stores.audit.append(events);
    expect(await under.stores.audit.read(account.id, { limit: 10 })).to.deep.equal([...events].reverse());
  });

  it('reads the newest first: by time, then version, then order of the facts', async () => {
    const told: AuditFact[] = [
      { type: 'user_created', detail: { n: 1 } },
      { type: 'user_updated', detail: { n: 2 } },
      { type: 'user_updated', detail: { n: 3 } },
    ];
    const inOrder = [
      ...eventsAt(AT_MS, 9, told),
      ...eventsAt(AT_MS, 10, told),
      ...eventsAt(AT_MS, 36, told),
      ...eventsAt(AT_MS + 1, 2, told),
      ...eventsAt(AT_MS + 36 ** 8, 1, told),
    ];
    for (const event of [...inOrder].sort(() => Math.random() - 0.5)) await under.stores.audit.append([event]);
    expect((await under.stores.audit.read(account.id, { limit: 100 })).map(({ id }) => id)).to.deep.equal(
      inOrder.map(({ id }) => id).reverse(),
    );
  });

  it('has a list for each topic, and one of all topics in order', async () => {
    const about = (ownBrand: string): AuditFact => ({ type: 'user_updated', detail: { ownBrand, change: 'changed' } });
    const mixed = Array.from({ length: 9 }, (_, at) =>
      eventsAt(AT_MS + at, at + 1, [at % 3 === 0 ? { type: 'authn_token_created' } : about(`b${at}`)]),
    ).flat();
    await under.stores.audit.append(mixed);
    const newest = [...mixed].reverse();
    const own = newest.filter(({ detail }) => detail?.ownBrand !== undefined);
    const others = newest.filter(({ detail }) => detail?.ownBrand === undefined);
    const read = (page: Omit<Parameters<AuditLog['read']>[1], 'limit'> = {}, limit = 100) =>
      under.stores.audit.read(account.id, { ...page, limit });
    expect(await read({ topic: 'own-brands' })).to.deep.equal(own);
    expect(await read({ topic: 'account' })).to.deep.equal(others);
    expect(await read()).to.deep.equal(newest);
    const before = newest[3]!.id;
    expect(await read({ before }, 3)).to.deep.equal(newest.slice(4, 7));
    expect(await read({ before, topic: 'account' })).to.deep.equal(others.filter(({ id }) => id < before));
    expect(await read({ before, topic: 'own-brands' }, 2)).to.deep.equal(
      own.filter(({ id }) => id < before).slice(0, 2),
    );
    expect(await pages(2)).to.deep.equal(newest);
  });

  it('pages without gaps or repetitions for any page size, even for events of the same moment', async () => {
    const events = Array.from({ length: 60 }, (_, index) => eventsAt(AT_MS + Math.floor(index / 20), index + 1)).flat();
    await under.stores.audit.append(events);
    for (const limit of [1, 7, 20, 60, 100])
      expect(await pages(limit), `pages of ${limit}`).to.deep.equal([...events].reverse());
  });

  it('keeps all of many events that are written concurrently', async () => {
    const events = Array.from({ length: 200 }, () => eventsAt(AT_MS, 1)).flat();
    await pLimit(AT_ONCE).map(events, (event) => under.stores.audit.append([event]));
    const read = await pages(50);
    expect(new Set(read.map(({ id }) => id))).to.deep.equal(new Set(events.map(({ id }) => id)));
    expect(read).to.have.length(200);
  });

  it('deletes events older than a moment, and returns their number', async () => {
    const events = Array.from({ length: 10 }, (_, index) => eventsAt(AT_MS + index * DAY_MS, index + 1)).flat();
    await under.stores.audit.append(events);
    expect(await under.stores.audit.prune(new Date(AT_MS + 4 * DAY_MS))).to.equal(4);
    expect(await under.stores.audit.prune(new Date(AT_MS + 4 * DAY_MS))).to.equal(0);
    expect(await pages(100)).to.deep.equal(events.slice(4).reverse());
  });

  it('deletes a large backlog in chunks, so that other work runs between', async () => {
    const backlog = Array.from({ length: 100 }, (_, chunk) =>
      Array.from({ length: 200 }, (_, index) => eventsAt(AT_MS + chunk, chunk * 200 + index + 1)).flat(),
    );
    for (const events of backlog) await under.stores.audit.append(events);
    const kept = eventsAt(AT_MS + DAY_MS, 1);
    await under.stores.audit.append(kept);
    const pruned = under.stores.audit.prune(new Date(AT_MS + DAY_MS));
    expect(await turnsDuring(pruned)).to.be.at.least(20);
    expect(await pruned).to.equal(20_000);
    expect(await pages(10)).to.deep.equal(kept);
  });

  it('never returns events of another account', async () => {
    await under.stores.audit.append(eventsAt(AT_MS, 1));
    expect(await under.stores.audit.read('nobody' as AccountId, { limit: 10 })).to.deep.equal([]);
  });

  it('rejects an event with an existing id, and the rest of its batch', async () => {
    const [event] = eventsAt(AT_MS, 1);
    await under.stores.audit.append([event!]);
    const forged = { ...event!, type: 'user_updated', detail: { forged: true } } as const;
    const outcome = await under.stores.audit.append([...eventsAt(AT_MS, 2), forged]).then(
      () => 'written',
      () => 'rejected',
    );
    expect(outcome).to.equal('rejected');
    expect(await under.stores.audit.read(account.id, { limit: 10 })).to.deep.equal([event]);
  });

  it('has no method to change an event', () => {
    expect(Object.keys(under.stores.audit).sort()).to.deep.equal(['append', 'prune', 'read']);
  });
});
