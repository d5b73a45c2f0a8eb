// Contract tests of the port `CatalogStore`.
import { expect } from 'chai';
import { entryDigest } from '../../src/catalog/import/build-entry.js';
import type { Entry, Slug } from '../../src/catalog/entry.js';
import type { Candidate } from '../../src/catalog/import/candidate.js';
import type { CatalogSource, CatalogStore } from '../../src/catalog/catalog-store.js';
import { all, beginImport, each } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { contract } from '../platform/stores/contract.js';

interface CatalogStoreUnderTest {
  readonly store: CatalogStore;
  /** Opens the same catalog on another connection, like another process does. */
  readonly beside: () => CatalogStore | Promise<CatalogStore>;
}

const NOON = new Date('2026-03-01T12:00:00.000Z');
const slug = (text: string): Slug => text as Slug;

/** Imports entries of one source, each with a drawing, and makes them visible. */
async function publish(
  store: CatalogStore,
  entries: readonly Entry[],
  redirects: Readonly<Record<string, string>> = {},
): Promise<void> {
  const session = await beginImport(store);
  const source = sourceOf('package:test');
  await session.putSource(source);
  await session.putDrawings(entries.map(({ slug: key, variants: [{ etag }] }) => ({ etag, svg: `<svg>${key}</svg>` })));
  await session.putCandidates(
    source.id,
    entries.map(({ slug: key, variants }) => candidateOf(key, { variants })),
  );
  const pairs = Object.entries(redirects) as [Slug, Slug][];
  await session.publish({ entries: each(entries), redirects: pairs }, NOON);
  await session.close();
}

const slugsOf = async (store: CatalogStore): Promise<string[]> =>
  (await all(store.entries())).map((entry) => entry.slug);

const many = (count: number, facts: Partial<Entry> = {}): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ ...entryOf(`n${String(index).padStart(4, '0')}`), ...facts }));

export const catalogStoreContract = contract<CatalogStoreUnderTest>('CatalogStore', (under) => {
  let store: CatalogStore;
  beforeEach(() => {
    ({ store } = under);
  });
  const kindOf = async (name: string, from = store): Promise<string> => (await from.find(slug(name))).kind;
  const generation = async (from = store): Promise<number> => (await from.state())?.generation ?? 0;
  describe('before the first publication', () => {
    it('is empty, and has no state', async () => {
      expect(await store.state()).to.equal(undefined);
      expect(await store.find(slug('github'))).to.deep.equal({ kind: 'missing' });
      expect(await store.drawing('0123456789abcdef')).to.equal(undefined);
      expect(await slugsOf(store)).to.deep.equal([]);
      expect(await store.sources()).to.deep.equal([]);
      expect(await store.redirects()).to.deep.equal([]);
    });
  });

  describe('a publication', () => {
    it('returns all that was imported', async () => {
      const entry = entryOf('github');
      await publish(store, [entry], { gh: 'github' });
      expect(await store.find(slug('github'))).to.deep.equal({ kind: 'entry', entry });
      expect(await store.find(slug('gh'))).to.deep.equal({ kind: 'moved', to: 'github' });
      expect(await store.drawing(entry.variants[0].etag)).to.equal('<svg>github</svg>');
      expect(await store.state()).to.deep.include({ entries: 1, publishedAt: '2026-03-01T12:00:00.000Z' });
      expect((await store.sources()).map(({ id }) => id)).to.deep.equal(['package:test']);
      expect(await store.redirects()).to.deep.equal([['gh', 'github']]);
    });

    it('replaces the one before it, and raises the generation', async () => {
      await publish(store, [entryOf('old'), entryOf('both')], { former: 'old' });
      const before = await generation();
      await publish(store, [entryOf('both'), entryOf('new')]);
      expect(await slugsOf(store)).to.deep.equal(['both', 'new']);
      expect(await kindOf('old')).to.equal('missing');
      expect(await kindOf('former')).to.equal('missing');
      expect(await generation()).to.be.greaterThan(before);
    });

    it('is visible to another connection', async () => {
      const other = await under.beside();
      await publish(store, [entryOf('github')]);
      expect(await kindOf('github', other)).to.equal('entry');
      expect(await other.state()).to.deep.equal(await store.state());
    });

    it('lists by slug, many of them', async () => {
      const entries = many(1203);
      await publish(store, entries.toReversed());
      expect(await slugsOf(store)).to.deep.equal(entries.map((entry) => entry.slug));
    });

    it('can be rolled back to the previous one and forward again, and the next one follows either', async () => {
      const rollBack = async (): Promise<boolean> => {
        const session = await beginImport(store);
        const isDone = await session.rollBack(NOON);
        await session.close();
        return isDone;
      };
      expect(await rollBack()).to.equal(false);
      await publish(store, [entryOf('old')], { former: 'old' });
      expect(await rollBack()).to.equal(false);
      await publish(store, [entryOf('new'), entryOf('newer')]);
      const { generation = 0 } = (await store.state()) ?? {};
      expect(await rollBack()).to.equal(true);
      expect(await slugsOf(store)).to.deep.equal(['old']);
      expect(await store.redirects()).to.deep.equal([['former', 'old']]);
      expect(await store.drawing(entryOf('old').variants[0].etag)).to.equal('<svg>old</svg>');
      expect(await store.state()).to.include({ entries: 1, publishedAt: NOON.toISOString() });
      expect((await store.state())?.generation).to.be.greaterThan(generation);
      expect(await rollBack()).to.equal(true);
      expect(await slugsOf(store)).to.deep.equal(['new', 'newer']);
      await rollBack();
      await publish(store, [entryOf('newest')]);
      expect(await slugsOf(store)).to.deep.equal(['newest']);
      expect(await rollBack()).to.equal(true);
      expect(await slugsOf(store)).to.deep.equal(['old']);
    });

    it('keeps the drawings of the previous one, and drops older ones', async () => {
      const [first, second, third] = [entryOf('a', '1'), entryOf('a', '2'), entryOf('a', '3')];
      await publish(store, [first]);
      await publish(store, [second]);
      expect(await store.drawing(first.variants[0].etag)).to.equal('<svg>a</svg>');
      await publish(store, [third]);
      expect(await store.drawing(first.variants[0].etag)).to.equal(undefined);
      expect(await store.drawing(second.variants[0].etag)).to.equal('<svg>a</svg>');
      expect(await store.drawing(third.variants[0].etag)).to.equal('<svg>a</svg>');
    });
  });

  describe('an import', () => {
    it('is invisible until it is published', async () => {
      await publish(store, [entryOf('old')]);
      const state = await store.state();
      const session = await beginImport(store);
      await session.putSource(sourceOf('package:test'));
      await session.putCandidates('package:test', [candidateOf('new')]);
      const looked: string[][] = [];
      const entries = each([entryOf('new'), entryOf('newer')], async () => void looked.push(await slugsOf(store)));
      expect(await store.state()).to.deep.equal(state);
      await session.publish({ entries, redirects: [] }, NOON);
      await session.close();
      expect(looked).to.deep.equal([['old'], ['old']]);
      expect(await slugsOf(store)).to.deep.equal(['new', 'newer']);
    });

    it('changes nothing if it is closed without publishing, including its sources', async () => {
      await publish(store, [entryOf('old')]);
      const before = { state: await store.state(), sources: await store.sources() };
      const session = await beginImport(store);
      await session.putSource({ ...sourceOf('package:test'), version: '2.0.0' });
      await session.putCandidates('package:test', [candidateOf('new')]);
      await session.close();
      expect({ state: await store.state(), sources: await store.sources() }).to.deep.equal(before);
      const next = await beginImport(store);
      expect((await all(next.candidates('package:test'))).map(({ key }) => key)).to.deep.equal(['old']);
      await next.close();
    });

    it('fails as a whole when its entries cannot be read', async () => {
      await publish(store, [entryOf('old')]);
      const session = await beginImport(store);
      async function* broken(): AsyncIterable<Entry> {
        yield entryOf('new');
        await Promise.resolve();
        throw new Error('a source broke');
      }
      let message = '';
      await session
        .publish({ entries: broken(), redirects: [] }, NOON)
        .catch((error: unknown) => (message = String(error)));
      await session.close();
      expect(message).to.include('a source broke');
      expect(await slugsOf(store)).to.deep.equal(['old']);
      await publish(store, [entryOf('new')]);
      expect(await slugsOf(store)).to.deep.equal(['new']);
    });

    it('excludes others, over all connections', async () => {
      const other = await under.beside();
      const session = await beginImport(store);
      expect(await store.beginImport()).to.equal(undefined);
      expect(await other.beginImport()).to.equal(undefined);
      await session.close();
      await session.close();
      const next = await beginImport(other);
      expect(await store.beginImport()).to.equal(undefined);
      await next.close();
    });

    it('keeps other sources, and replaces its own', async () => {
      const put = async (sources: readonly (readonly [CatalogSource, readonly Candidate[]])[]) => {
        const session = await beginImport(store);
        for (const [source, candidates] of sources) {
          await session.putSource(source);
          await session.putCandidates(source.id, candidates);
        }
        const seen: string[] = [];
        for (const { id, version } of await session.sources()) {
          for (const { key } of await all(session.candidates(id))) seen.push(`${id}@${version}/${key}`);
        }
        await session.publish({ entries: each([entryOf('x')]), redirects: [] }, NOON);
        await session.close();
        return seen;
      };
      await put([
        [sourceOf('a'), [candidateOf('2'), candidateOf('1')]],
        [sourceOf('b'), [candidateOf('1')]],
      ]);
      const seen = await put([[{ ...sourceOf('b'), version: '2.0.0' }, [candidateOf('3')]]]);
      expect(seen).to.deep.equal(['a@1.0.0/1', 'a@1.0.0/2', 'b@2.0.0/3']);
    });

    it('removes a source, visible when it is published', async () => {
      await publish(store, [entryOf('one')]);
      const given = await beginImport(store);
      expect(await given.dropSource('package:nobody')).to.equal(false);
      expect(await given.dropSource('package:test')).to.equal(true);
      expect(await given.sources()).to.deep.equal([]);
      expect(await store.sources()).to.have.length(1);
      await given.publish({ entries: each([]), redirects: [] }, NOON);
      await given.close();
      expect(await store.sources()).to.deep.equal([]);
      expect(await slugsOf(store)).to.deep.equal([]);
    });

    it('reads the revisions of the published catalog', async () => {
      await publish(store, [entryOf('a'), entryOf('b')]);
      const session = await beginImport(store);
      const revisions = await all(session.revisions());
      await session.close();
      expect(revisions).to.deep.equal(
        ['a', 'b'].map((name) => ({
          slug: name,
          digest: entryDigest(entryOf(name)),
          updatedAt: entryOf(name).updatedAt,
        })),
      );
    });
  });

  describe('a reader', () => {
    it('gets one generation, even while another is published', async () => {
      await publish(store, many(700, { title: 'one' }));
      const titles: string[] = [];
      for await (const { title } of store.entries()) {
        titles.push(title);
        if (titles.length === 10) await publish(store, many(700, { title: 'two' }));
      }
      expect(titles).to.have.length(700);
      expect(new Set(titles)).to.deep.equal(new Set(['one']));
    });

    it('gets an error when its generation is gone, rather than a part', async () => {
      const entries = many(700);
      await publish(store, entries);
      let code: unknown;
      let count = 0;
      try {
        for await (const { slug: name } of store.entries()) {
          count += 1;
          expect(name).to.equal(entries[count - 1]?.slug);
          if (count === 10) for (let round = 0; round < 2; round += 1) await publish(store, entries);
        }
      } catch (error) {
        code = (error as { code?: unknown }).code;
      }
      expect(code).to.equal('unavailable');
    });
  });

  describe('a withdrawal', () => {
    beforeEach(() => publish(store, [entryOf('kept'), entryOf('bad')], { evil: 'bad' }));

    it('takes effect immediately for all connections, with its reason', async () => {
      const other = await under.beside();
      const before = await generation(other);
      expect(await store.withdraw(slug('bad'), 'asked by its owner', NOON)).to.equal(true);
      expect(await other.find(slug('bad'))).to.deep.equal({
        kind: 'withdrawn',
        slug: 'bad',
        reason: 'asked by its owner',
      });
      expect(await other.find(slug('evil'))).to.deep.equal({ kind: 'moved', to: 'bad' });
      expect(await slugsOf(other)).to.deep.equal(['kept']);
      expect(await other.state()).to.deep.include({ entries: 1 });
      expect(await generation(other)).to.be.greaterThan(before);
      expect(await store.withdrawals()).to.deep.equal([
        { slug: 'bad', reason: 'asked by its owner', withdrawnAt: NOON.toISOString(), entry: entryOf('bad') },
      ]);
    });

    it('has its first date, and its last reason', async () => {
      const later = new Date(NOON.getTime() + 1000);
      await store.withdraw(slug('bad'), 'asked by its owner', NOON);
      expect(await store.withdraw(slug('bad'), 'trademark', later)).to.equal(true);
      expect(await store.withdrawals()).to.deep.equal([
        { slug: 'bad', reason: 'trademark', withdrawnAt: NOON.toISOString(), entry: entryOf('bad') },
      ]);
      expect(await store.state()).to.deep.include({ entries: 1 });
    });

    it('outlasts the next import', async () => {
      await store.withdraw(slug('bad'), 'asked by its owner', NOON);
      await publish(store, [entryOf('kept'), entryOf('bad')]);
      expect(await kindOf('bad')).to.equal('withdrawn');
    });

    it('survives a renaming: as a redirect, and without an entry', async () => {
      await store.withdraw(slug('bad'), 'asked by its owner', NOON);
      await publish(store, [entryOf('kept'), entryOf('renamed')], { bad: 'renamed' });
      expect(await kindOf('bad')).to.equal('withdrawn');
      await publish(store, [entryOf('kept')]);
      expect(await kindOf('bad')).to.equal('withdrawn');
      expect(await store.withdrawals()).to.have.nested.property('[0].entry', null);
      expect(await store.state()).to.deep.include({ entries: 1 });
    });

    it('follows the entry to its new slug', async () => {
      await store.withdraw(slug('bad'), 'asked by its owner', NOON);
      await publish(store, [entryOf('kept'), entryOf('renamed')], { bad: 'renamed' });
      expect(await store.find(slug('renamed'))).to.deep.equal({
        kind: 'withdrawn',
        slug: 'renamed',
        reason: 'asked by its owner',
      });
      expect(await store.withdrawals()).to.have.nested.property('[0].entry.slug', 'renamed');
      expect(await slugsOf(store)).to.deep.equal(['kept']);
      expect(await store.state()).to.deep.include({ entries: 1 });
      expect(await store.restore(slug('renamed'))).to.equal(true);
      expect(await kindOf('renamed')).to.equal('entry');
      expect(await store.find(slug('bad'))).to.deep.equal({ kind: 'moved', to: 'renamed' });
    });

    it('can be restored, once', async () => {
      await store.withdraw(slug('bad'), 'by mistake', NOON);
      const before = await generation();
      expect(await store.restore(slug('bad'))).to.equal(true);
      expect(await store.restore(slug('bad'))).to.equal(false);
      expect(await kindOf('bad')).to.equal('entry');
      expect(await generation()).to.be.greaterThan(before);
    });

    it('is kept together with concurrent ones', async () => {
      const slugs = ['a', 'b', 'c', 'd', 'e'];
      await publish(
        store,
        [...slugs, 'kept'].map((name) => entryOf(name)),
      );
      const before = await generation();
      const stores = await Promise.all(slugs.map(async () => under.beside()));
      await Promise.all(slugs.map((name, at) => stores[at]!.withdraw(slug(name), `for ${name}`, NOON)));
      expect((await store.withdrawals()).map((one) => one.slug)).to.deep.equal(slugs);
      expect(await store.state()).to.deep.include({ entries: 1, generation: before + slugs.length });
    });

    it('is kept when it is made while an import is published', async () => {
      const session = await beginImport(store);
      async function* entries(): AsyncIterable<Entry> {
        yield entryOf('kept');
        expect(await store.withdraw(slug('bad'), 'asked by its owner', NOON)).to.equal(true);
        yield entryOf('renamed');
      }
      const redirects = [[slug('bad'), slug('renamed')]] as const;
      expect(await session.publish({ entries: entries(), redirects }, NOON)).to.deep.include({ entries: 1 });
      await session.close();
      expect(await kindOf('renamed')).to.equal('withdrawn');
      expect(await store.state()).to.deep.include({ entries: 1 });
    });

    it('replaces withdrawals if a publication brings others', async () => {
      await store.withdraw(slug('bad'), 'asked by its owner', NOON);
      const withdrawn = { slug: slug('kept'), reason: 'trademark', withdrawnAt: NOON.toISOString() };
      const session = await beginImport(store);
      const entries = [entryOf('kept'), entryOf('bad')];
      await session.publish({ entries: each(entries), redirects: [], withdrawals: [withdrawn] }, NOON);
      await session.close();
      expect(await store.withdrawals()).to.deep.equal([{ ...withdrawn, entry: entryOf('kept') }]);
      expect(await slugsOf(store)).to.deep.equal(['bad']);
      expect(await store.state()).to.deep.include({ entries: 1 });
    });

    it('is rejected if there is no such entry', async () => {
      expect(await store.withdraw(slug('nobody'), 'x', NOON)).to.equal(false);
      expect(await store.withdraw(slug('evil'), 'x', NOON)).to.equal(false);
      expect(await store.withdrawals()).to.deep.equal([]);
    });
  });
});
