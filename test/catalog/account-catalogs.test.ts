// Catalogs of accounts: round trips to the store, cached texts of own brands, the memory limit, and wrong keys.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import type { Slug } from '../../src/catalog/entry.js';
import { createAccountCatalogs, OwnBrandsChangedError } from '../../src/catalog/account-catalogs.js';
import { createOwnBrandPages } from '../../src/own-brands/own-index.js';
import { createTurns } from '../../src/platform/concurrency/time-slices.js';
import { pageTexts, someBrand } from '../support/own-brands.js';

const ONE = 'one' as AccountId;
const brands = (count: number) => Array.from({ length: count }, (_, at) => someBrand(`b${at}`));
const idsOf = (texts: ReadonlyMap<string, string>): string => [...texts.keys()].join(' ');

describe('catalogs of accounts', () => {
  const open = (stored: ReadonlyMap<string, string>, bounds = { pageBytes: 6e6, drawingChars: 1e6 }) => {
    const reads: (readonly string[])[] = [];
    const catalogs = createAccountCatalogs({
      catalog: {
        find: async () => ({ kind: 'missing' }),
        peek: () => undefined,
        drawing: () => '',
      },
      ownBrands: createOwnBrandPages({
        async get(_, ids) {
          reads.push(ids);
          return new Map(ids.flatMap((id) => (stored.has(id) ? [[id, stored.get(id) ?? '']] : [])));
        },
      }),
      turns: createTurns(),
      bounds,
    });
    return { catalogs, reads };
  };

  it('are loaded in one round trip, for any number of pages and requests', async () => {
    const texts = pageTexts(brands(700));
    const { catalogs, reads } = open(texts);
    const loaded = await Promise.all(Array.from({ length: 5 }, () => catalogs.forPages(ONE, idsOf(texts))));
    expect(reads).to.deep.equal([[...texts.keys()]]);
    expect(reads[0]?.length).to.be.above(4);
    expect(new Set(loaded).size).to.equal(1);
    expect(loaded[0]?.own?.slugs()).to.have.length(700);
    await catalogs.forPages(ONE, idsOf(texts));
    expect(reads).to.have.length(1);
  });

  it('read only the pages that a change has replaced, and keep the brands of the others', async () => {
    const texts = new Map(pageTexts(brands(700)));
    const { catalogs, reads } = open(texts);
    const before = await catalogs.forPages(ONE, idsOf(texts));
    const ids = [...texts.keys()];
    texts.set('new', texts.get(ids[0] ?? '') ?? '');
    const after = await catalogs.forPages(ONE, ['new', ...ids.slice(1)].join(' '));
    expect(reads[1]).to.deep.equal(['new']);
    const kept = before.own?.slugs().filter((slug) => before.own?.lookup(slug) === after.own?.lookup(slug)) ?? [];
    expect(kept.length).to.be.within(500, 699);
  });

  it('are read again when a page is missing', async () => {
    const { catalogs } = open(new Map());
    const error: unknown = await catalogs.forPages(ONE, 'gone').catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(OwnBrandsChangedError);
  });

  it('are evicted beyond the limit, least recently used first', async () => {
    const accounts = Array.from({ length: 12 }, (_, at) => ({
      id: `account${at}` as AccountId,
      texts: pageTexts(brands(10), `${at}-`),
    }));
    const stored = new Map(accounts.flatMap(({ texts }) => [...texts]));
    const each = 1000 + [...accounts[0]!.texts.values()].join('').length;
    const { catalogs, reads } = open(stored, { pageBytes: 6 * (each * 10 + 500), drawingChars: 1000 });
    for (const { id, texts } of accounts) await catalogs.forPages(id, idsOf(texts));
    expect(reads).to.have.length(12);
    for (const { id, texts } of accounts.slice(2)) await catalogs.forPages(id, idsOf(texts));
    expect(reads, 'the last ten are in memory').to.have.length(12);
    for (const { id, texts } of accounts.slice(0, 2)) await catalogs.forPages(id, idsOf(texts));
    expect(reads, 'the first two are not').to.have.length(14);
  });

  it('are the public catalog for a key that was not admitted', async () => {
    const texts = new Map([...pageTexts(brands(3)), ...pageTexts(brands(3), 'new')]);
    const { catalogs, reads } = open(texts);
    const right = { accountId: ONE, keyHash: 'right' };
    expect(catalogs.cached(right)).to.equal(catalogs.shared);
    await catalogs.forAdmittedKey(right, 'p0');
    expect(catalogs.cached(right).own?.slugs()).to.deep.equal(['b0', 'b1', 'b2']);
    expect(catalogs.cached({ accountId: ONE, keyHash: 'wrong' })).to.equal(catalogs.shared);
    await catalogs.forPages(ONE, 'new0');
    expect(catalogs.cached(right).ownBrandPageIds, 'after a change, too').to.equal('new0');
    expect(reads).to.have.length(2);
  });

  it('build each of their indexes once, in slices of some fifty brands', async () => {
    const texts = pageTexts(brands(1000));
    const turns = createTurns();
    const runs: number[] = [];
    const { catalogs } = (() => {
      const counted = {
        ...turns,
        run: <Result>(caller: string, steps: Generator<undefined, Result>): Promise<Result> => {
          const at = runs.push(0) - 1;
          const watched = (function* (): Generator<undefined, Result> {
            for (;;) {
              const step = steps.next();
              runs[at]! += 1;
              if (step.done) return step.value;
              yield;
            }
          })();
          return turns.run(caller, watched);
        },
      };
      return {
        catalogs: createAccountCatalogs({
          catalog: { find: async () => ({ kind: 'missing' }), peek: () => undefined, drawing: () => '' },
          ownBrands: createOwnBrandPages({ get: async () => texts }),
          turns: counted,
          bounds: { pageBytes: 6e6, drawingChars: 1e6 },
        }),
      };
    })();
    const catalog = await catalogs.forPages(ONE, idsOf(texts));
    const own = catalog.own!;
    const asked = await Promise.all(Array.from({ length: 4 }, () => own.search()));
    expect(new Set(asked).size).to.equal(1);
    await Promise.all([
      own.owner('a.corp'),
      own.owner('b.corp'),
      catalog.find('none' as Slug),
      catalog.find('b' as Slug),
    ]);
    expect(runs, 'the pages, and three indexes').to.have.length(4);
    expect(Math.min(...runs.slice(1)), 'slices').to.be.at.least(1000 / 50);
  });
});
