// Contract of SiteIconStore.
import { expect } from 'chai';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';
import { foundIcon, missingIcon } from './site-icon-records.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const later = (ms: number): Date => new Date(AT.getTime() + ms);

export const siteIconStoreContract = contract<RecordsUnderTest>('SiteIconStore', (under) => {
  it('returns what was stored, in every process', async () => {
    const { siteIconStore } = under.stores;
    const found = foundIcon('found.example');
    const blocked = { id: 'blocked.example', version: 1, state: 'blocked', checkedAt: AT, usedAt: AT } as const;
    for (const record of [found, missingIcon('missing.example', 1), blocked])
      expect(await siteIconStore.put(record)).to.equal(true);
    const beside = (await under.beside()).siteIconStore;
    expect(await beside.get('found.example')).to.deep.equal(found);
    expect(await beside.get('missing.example')).to.deep.equal(missingIcon('missing.example', 1));
    expect(await beside.get('blocked.example')).to.deep.equal(blocked);
    expect(await beside.get('unknown.example')).to.equal(undefined);
  });

  it('replaces only the version before, so that one of two writers wins', async () => {
    const { siteIconStore } = under.stores;
    await siteIconStore.put(missingIcon('a.example', 1));
    expect(await siteIconStore.put(missingIcon('a.example', 1))).to.equal(false);
    const puts = await Promise.all([1, 2, 3, 4].map(() => siteIconStore.put(foundIcon('a.example', 2))));
    expect(puts.filter(Boolean)).to.have.length(1);
    expect((await siteIconStore.get('a.example'))?.state).to.equal('found');
    expect(await siteIconStore.put(missingIcon('a.example', 3))).to.equal(true);
    expect(await siteIconStore.get('a.example')).to.deep.equal(missingIcon('a.example', 3));
  });

  it('lists hosts by a part of their name, and removes them', async () => {
    const { siteIconStore } = under.stores;
    for (const id of ['b.example', 'a.example', 'a.test']) await siteIconStore.put(missingIcon(id, 1));
    expect(await siteIconStore.hosts('')).to.deep.equal(['a.example', 'a.test', 'b.example']);
    expect(await siteIconStore.hosts('example')).to.deep.equal(['a.example', 'b.example']);
    await siteIconStore.remove(['a.example', 'none.example']);
    expect(await siteIconStore.hosts('')).to.deep.equal(['a.test', 'b.example']);
  });

  it('orders due and least used hosts, and omits blocked ones', async () => {
    const { siteIconStore } = under.stores;
    const put = (id: string, due: number, used: number) =>
      siteIconStore.put({ ...missingIcon(id, 1), state: 'missing', dueAt: later(due), usedAt: later(used) });
    await put('first.example', 1, 3);
    await put('second.example', 2, 1);
    await put('third.example', 3, 2);
    await siteIconStore.put({ id: 'blocked.example', version: 1, state: 'blocked', checkedAt: AT, usedAt: AT });
    expect(await siteIconStore.due(later(2), 10)).to.deep.equal(['first.example', 'second.example']);
    expect(await siteIconStore.due(later(3), 1)).to.deep.equal(['first.example']);
    expect(await siteIconStore.leastUsed(2)).to.deep.equal(['second.example', 'third.example']);
    expect(await siteIconStore.leastUsed(10)).to.have.length(3);
  });

  it('bounds the bytes of all records from above, by less than half', async () => {
    const { siteIconStore } = under.stores;
    expect(await siteIconStore.size()).to.deep.equal({ hosts: 0, bytes: 0 });
    const lengths = [1000, 5000, 70_000, 900_000];
    for (const [at, length] of lengths.entries())
      await siteIconStore.put(foundIcon(`h${at}.example`, 1, 'x'.repeat(length)));
    const { hosts, bytes } = await siteIconStore.size();
    const sum = lengths.reduce((total, length) => total + length, 0);
    expect(hosts).to.equal(4);
    expect(bytes).to.be.within(sum, sum * 1.5);
  });
});
