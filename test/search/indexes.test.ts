// Search and brand indexes: they are rebuilt for each version of the catalog, while requests are served.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Entry } from '../../src/catalog/entry.js';
import type { CatalogState } from '../../src/catalog/catalog-store.js';
import { openCatalogIndex } from '../../src/search/indexes.js';
import { createSearch } from '../../src/search/search.js';
import { eventually } from '../support/auth.js';
import { someEntry } from '../support/entries.js';
import { pageOf } from '../support/indexes.js';
import { createTurns } from '../../src/platform/concurrency/time-slices.js';

/** Catalog in memory. The test replaces its entries. */
function memoryCatalog(entries: readonly Entry[]) {
  let current = { generation: 1, entries };
  let broken = false;
  return {
    publish(next: readonly Entry[]) {
      current = { generation: current.generation + 1, entries: next };
    },
    breakDown: (now: boolean): void => void (broken = now),
    async state(): Promise<CatalogState> {
      if (broken) throw new Error('store is down');
      return { generation: current.generation, entries: current.entries.length, publishedAt: '2026-01-01T00:00:00Z' };
    },
    async *entries(): AsyncIterable<Entry> {
      yield* current.entries;
    },
  };
}

const NO_FACTS = { hosts: {}, everywhere: [], hosting: [] };
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => someEntry(`entry-${at}`, { title: `Entry ${at.toString(36)} of many` }));

describe('catalog index', () => {
  function open(catalog: ReturnType<typeof memoryCatalog>) {
    const errors: unknown[] = [];
    return {
      index: openCatalogIndex({ catalog, brandFacts: NO_FACTS, kinds: [], onError: (error) => errors.push(error) }),
      errors,
    };
  }

  it('is built once for all concurrent callers', async () => {
    const { index } = open(memoryCatalog(many(10)));
    expect(index.peek()).to.equal(undefined);
    const [one, other] = await Promise.all([index.current(), index.current()]);
    expect(one).to.equal(other);
    expect(one).to.have.property('generation', 1);
    expect(pageOf(one.search, { variant: 'default' }).total).to.equal(10);
    await index.close();
  });

  it('omits brands that packages have dropped', async () => {
    const { index } = open(memoryCatalog([someEntry('acme'), { ...someEntry('bolt'), retired: true }]));
    const { search } = await index.current();
    expect(pageOf(search, { variant: 'default' }).total).to.equal(1);
    expect(search.named('bolt')).to.deep.equal([]);
    await index.close();
  });

  it('returns the old generation until the new one is ready', async () => {
    const catalog = memoryCatalog(many(10));
    const { index } = open(catalog);
    const old = await index.current();
    catalog.publish([someEntry('new')]);
    expect(index.peek()).to.equal(old);
    const fresh = await eventually(() => [index.peek()].find((now) => now !== old), 'new index');
    expect(fresh).to.have.property('generation', 2);
    expect(pageOf(fresh.search, { q: 'new' }).total).to.equal(1);
    await index.close();
  });

  it('keeps the old index when a rebuild fails, reports it, and tries again', async () => {
    const catalog = memoryCatalog(many(3));
    const { index, errors } = open(catalog);
    await index.current();
    catalog.breakDown(true);
    await eventually(() => index.peek() && errors.length > 0, 'report');
    expect(index.peek()).to.have.property('generation', 1);
    catalog.breakDown(false);
    catalog.publish(many(4));
    await eventually(() => index.peek()?.generation === 2, 'new index');
    await index.close();
  });

  it('rejects while there is no first index, and recovers', async () => {
    const catalog = memoryCatalog(many(3));
    catalog.breakDown(true);
    const { index } = open(catalog);
    expect(await index.current().catch(String)).to.contain('store is down');
    catalog.breakDown(false);
    expect(await index.current()).to.have.property('generation', 1);
    await index.close();
  });

  it('lets other work run while it is built', async () => {
    const { index } = open(memoryCatalog(many(20_000)));
    let turns = 0;
    let building = true;
    const turn = () => {
      turns++;
      if (building) void setImmediate().then(turn);
    };
    turn();
    await index.current();
    building = false;
    expect(turns).to.be.above(10);
    await index.close();
  });

  it('stops building when it is closed', async () => {
    const { index } = open(memoryCatalog(many(20_000)));
    const outcome = index.current().then(
      () => 'built',
      () => 'stopped',
    );
    await index.close();
    expect(await outcome).to.equal('stopped');
  });

  it('has searches whose outcomes are cached until the catalog changes', async () => {
    const catalog = memoryCatalog([someEntry('old')]);
    const { index } = open(catalog);
    const search = createSearch({ index, turns: createTurns(), cacheBytes: 2 ** 24 });
    const first = await search.search({ q: 'old', limit: 5 }, '');
    expect(await search.search({ q: ' old', limit: 5 }, '')).to.equal(first);
    expect(await search.search({ q: 'old', limit: 6 }, '')).to.not.equal(first);
    catalog.publish([someEntry('older')]);
    await eventually(() => index.peek()?.generation === 2, 'new index');
    const later = await search.search({ q: 'old', limit: 5 }, '');
    expect(later).to.have.nested.property('page.results[0].slug', 'older');
    await index.close();
  });
});
