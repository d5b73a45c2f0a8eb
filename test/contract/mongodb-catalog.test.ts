// The CatalogStore contract on MongoDB, and what is particular to MongoDB.
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createMongoCatalogStore } from '../../src/adapters/mongodb/catalog/catalog-store.js';
import { CATALOG_MIGRATIONS } from '../../src/adapters/mongodb/catalog/migrations.js';
import type { Entry, Slug } from '../../src/domain/catalog/entry.js';
import type { AppError } from '../../src/errors.js';
import { publishEntries } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { openMongoCatalog, type MongoCatalog } from '../support/mongo-catalog.js';
import { describeWithServers, shared } from '../support/servers.js';
import { catalogStoreContract } from './catalog-store.contract.js';

const NOON = new Date('2026-03-01T12:00:00.000Z');

describeWithServers('CatalogStore on MongoDB', ['mongod'], () => {
  const open = async () => openMongoCatalog((await shared.mongo()).uri());

  catalogStoreContract('mongodb', open);

  describe('mongodb catalog store', () => {
    let under: MongoCatalog;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    it('migrates twice without harm', async () => {
      for (const step of CATALOG_MIGRATIONS) await step.apply(under.db);
      const indexes = await under.db.collection('catalog_candidates').indexes();
      expect(indexes.map(({ key }) => key)).to.deep.equal([{ _id: 1 }, { etags: 1 }]);
    });

    it('looks a slug up with two reads, and the state with one', async () => {
      await publishEntries(under.store, [entryOf('github')], { redirects: { gh: 'github' } });
      const client = new MongoClient((await shared.mongo()).uri(), { monitorCommands: true });
      const store = createMongoCatalogStore(client.db(under.db.databaseName), Date.now);
      const commands: string[] = [];
      const counted = async (read: () => Promise<unknown>) => {
        commands.length = 0;
        await read();
        return [...commands];
      };
      await store.state();
      client.on('commandStarted', ({ commandName }) => void commands.push(commandName));
      expect(await counted(() => store.state())).to.deep.equal(['find']);
      for (const slug of ['github', 'gh', 'nobody'])
        expect(await counted(() => store.find(slug as Slug)), slug).to.deep.equal(['find', 'find']);
      await client.close();
    });

    it('rejects what is larger than a document may be', async () => {
      const session = (await under.store.beginImport())!;
      const long = 'x'.repeat(16_500_000);
      const rejections = await Promise.allSettled([
        session.putDrawings([{ etag: '0123456789abcdef', svg: long }]),
        session.putCandidates('package:test', [candidateOf('a', { aliases: [long] })]),
        publishEntries(under.beside(), []).catch(() => undefined),
      ]);
      const errors = rejections.flatMap((each) => (each.status === 'rejected' ? [each.reason as AppError] : []));
      expect(errors.map(({ code }) => code)).to.deep.equal(['payload_too_large', 'payload_too_large']);
      expect(errors[0]?.message).to.equal(
        'The drawing 0123456789abcdef has 16500000 bytes; MongoDB keeps at most 16000000.',
      );
      await session.close();
    });

    it('keeps every withdrawal of many at once', async () => {
      const slugs = ['a', 'b', 'c', 'd', 'e'];
      await publishEntries(
        under.store,
        [...slugs, 'kept'].map((slug) => entryOf(slug)),
      );
      const stores = slugs.map(() => under.beside());
      await Promise.all(slugs.map((slug, at) => stores[at]!.withdraw(slug as Slug, `for ${slug}`, NOON)));
      expect((await under.store.withdrawals()).map(({ slug }) => slug)).to.deep.equal(slugs);
      expect(await under.store.state()).to.deep.include({ entries: 1, generation: 6 });
    });

    it('keeps a withdrawal that is made while an import is published', async () => {
      await publishEntries(under.store, [entryOf('bad'), entryOf('kept')]);
      const session = (await under.store.beginImport())!;
      async function* entries(): AsyncIterable<Entry> {
        yield entryOf('kept');
        expect(await under.store.withdraw('bad' as Slug, 'asked by its owner', NOON)).to.equal(true);
        yield entryOf('renamed');
      }
      const redirects = [['bad', 'renamed']] as unknown as readonly [Slug, Slug][];
      expect(await session.publish({ entries: entries(), redirects }, NOON)).to.deep.include({ entries: 1 });
      await session.close();
      expect((await under.store.find('renamed' as Slug)).kind).to.equal('withdrawn');
      expect(await under.store.state()).to.deep.include({ entries: 1 });
    });

    it('puts a drawing that several batches have at the same time', async () => {
      const session = (await under.store.beginImport())!;
      const drawings = Array.from({ length: 50 }, (_, at) => ({ etag: `etag${at}`, svg: '<svg/>' }));
      await session.putSource(sourceOf('package:test'));
      await Promise.all([1, 2, 3, 4].map(() => session.putDrawings(drawings)));
      expect(await under.db.collection('catalog_assets').countDocuments()).to.equal(50);
      await session.close();
    });
  });
});
