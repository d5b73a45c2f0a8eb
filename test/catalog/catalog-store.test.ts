// `CatalogStore` on SQLite and MongoDB: its contract, and tests of each store.
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { embeddedCatalog } from '../../src/catalog/stores.embedded.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { mongoCatalogRows } from '../../src/catalog/catalog-rows.mongodb.js';
import { mongoTables } from '../../src/platform/stores/mongodb/tables.js';
import type { Slug } from '../../src/catalog/entry.js';
import type { AppError } from '../../src/platform/errors.js';
import { createCatalogStore } from '../../src/catalog/catalog-store.records.js';
import { beginImport, each, publishEntries } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { openMongoCatalog, type MongoCatalog } from '../support/mongo-catalog.js';
import { withPatience } from '../support/mongo-stores.js';
import { queryPlans } from '../support/query-plans.js';
import { describeWithServers, shared } from '../support/servers.js';
import { temporaryDatabase } from '../support/temporary.js';
import { catalogStoreContract } from './catalog-store.contract.js';

function openEmbedded() {
  const { db, path, close } = temporaryDatabase();
  const others: ReturnType<typeof openDatabase>[] = [];
  const catalogOf = (opened: typeof db) => embeddedCatalog(opened, Date.now);
  return {
    db,
    path,
    store: catalogOf(db),
    beside: () => {
      others.push(openDatabase(path));
      return catalogOf(others.at(-1)!);
    },
    close: () => {
      for (const other of others) other.close();
      close();
    },
  };
}

catalogStoreContract('embedded', openEmbedded);

describe('a catalog in SQLite', () => {
  let under: ReturnType<typeof openEmbedded>;
  beforeEach(() => {
    under = openEmbedded();
  });
  afterEach(() => under.close());

  it('only uses keys to read', async () => {
    const plans = await queryPlans(under.db, async (noted) => {
      const catalog = embeddedCatalog(noted, Date.now);
      await catalog.find('github' as Slug);
      await catalog.state();
    });
    const details = plans
      .flatMap((plan) => plan.details)
      .filter((detail) => !/^(SCAN json_each|LIST SUBQUERY)/.test(detail));
    expect(details).to.have.length.above(4);
    for (const detail of details)
      expect(detail).to.match(/^SEARCH catalog(Rows|State) USING (COVERING )?(INDEX|PRIMARY KEY)/);
  });

  const failRemovals = (kind: string): string =>
    `CREATE TRIGGER broken BEFORE DELETE ON catalogRows WHEN old.id GLOB '${kind}/*'
     BEGIN SELECT RAISE(ABORT, 'disk trouble'); END`;

  it('releases the import lock when an import cannot begin', async () => {
    const { db, store } = under;
    const crashed = await beginImport(store);
    await crashed.putSource(sourceOf('package:test'));
    await crashed.putCandidates('package:test', [candidateOf('a')]);
    await crashed.close();
    db.exec(failRemovals('candidate'));
    expect(await store.beginImport().catch((error: unknown) => String(error))).to.include('disk trouble');
    db.exec('DROP TRIGGER broken');
    await (await beginImport(store)).close();
  });

  it('is published even when the sweep of old rows fails', async () => {
    for (let round = 0; round < 3; round += 1) {
      const session = await beginImport(under.store);
      if (round === 2) under.db.exec(failRemovals('entry'));
      const state = await session.publish({ entries: each([entryOf('a')]), redirects: [] }, new Date());
      expect(state).to.deep.include({ generation: round + 1, entries: 1 });
      await session.close();
    }
  });
});

describeWithServers('a catalog in MongoDB', ['mongod'], () => {
  withPatience();
  const open = async () => openMongoCatalog((await shared.mongo()).uri());

  catalogStoreContract('MongoDB', open);

  describe('and its documents', () => {
    let under: MongoCatalog;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    it('finds a slug with two reads, and the state with one', async () => {
      await publishEntries(under.store, [entryOf('github')], { redirects: { gh: 'github' } });
      const client = new MongoClient((await shared.mongo()).uri(), { monitorCommands: true });
      const db = client.db(under.db.databaseName);
      const store = createCatalogStore({
        table: mongoTables({ db, client }),
        rows: mongoCatalogRows(db),
        now: Date.now,
      });
      const commands: string[] = [];
      const counted = async (read: () => Promise<unknown>) => {
        commands.length = 0;
        await read();
        return [...commands];
      };
      await store.find('github' as Slug);
      client.on('commandStarted', ({ commandName }) => void commands.push(commandName));
      expect(await counted(() => store.state())).to.deep.equal(['find']);
      for (const slug of ['github', 'gh', 'nobody'])
        expect(await counted(() => store.find(slug as Slug)), slug).to.deep.equal(['find', 'find']);
      await client.close();
    });

    it('rejects a record that exceeds the maximum document size', async () => {
      const session = await beginImport(under.store);
      const long = 'x'.repeat(16_500_000);
      for (const [put, id] of [
        [() => session.putDrawings([{ etag: '0123456789abcdef', svg: long }]), 'drawing/0123456789abcdef'],
        [
          () => session.putCandidates('package:test', [candidateOf('a', { aliases: [long] })]),
          'candidate/1/package:test/a',
        ],
      ] as const) {
        const error = (await put().catch((reason: unknown) => reason)) as AppError;
        expect(error.code).to.equal('payload_too_large');
        expect(error.message).to.match(new RegExp(`^${id} has 165\\d{5} bytes\\. MongoDB stores at most 16000000\\.$`));
      }
      await session.close();
    });

    it('keeps a drawing that several batches have at the same time', async () => {
      const session = await beginImport(under.store);
      const assets = Array.from({ length: 50 }, (_, at) => ({ etag: `etag${at}`, svg: '<svg/>' }));
      await Promise.all([1, 2, 3, 4].map(() => session.putDrawings(assets)));
      expect(await under.db.collection('catalogRows').countDocuments()).to.equal(50);
      await session.close();
    });
  });
});
