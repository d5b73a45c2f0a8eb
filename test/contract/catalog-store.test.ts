// The CatalogStore contract on SQLite and MongoDB, and what is particular to each.
import { expect } from 'chai';
import { MongoClient, type Document } from 'mongodb';
import { embeddedCatalog } from '../../src/compose/embedded-stores.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { CATALOG_STEP } from '../../src/adapters/embedded/catalog-schema.js';
import { mongoCatalogRows } from '../../src/adapters/mongodb/catalog-rows.js';
import { MIGRATIONS } from '../../src/adapters/mongodb/migrations.js';
import { mongoTables } from '../../src/adapters/mongodb/tables.js';
import type { Slug } from '../../src/domain/catalog/entry.js';
import type { AppError } from '../../src/errors.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';
import { createCatalogStore } from '../../src/stores/catalog/catalog-store.js';
import { all, beginImport, each, publishEntries } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { openMongoCatalog, type MongoCatalog } from '../support/mongo-catalog.js';
import { withPatience } from '../support/mongo-stores.js';
import { queryPlans } from '../support/query-plans.js';
import { describeWithServers, shared } from '../support/servers.js';
import { temporaryDatabase } from '../support/temporary.js';
import { catalogStoreContract } from './catalog-store.contract.js';

const SVG = '<svg>github</svg>';
const SOURCE = sourceOf('package:@icons/test');
const CANDIDATE = candidateOf('github');
const ETAG = CANDIDATE.variants[0]!.etag;

/** Expects generation 3 of one entry and its former name, which is withdrawn. */
async function expectMigrated(store: CatalogStore): Promise<void> {
  expect(await store.state()).to.deep.equal({ generation: 7, entries: 0, publishedAt: '2026-03-01T12:00:00.000Z' });
  expect(await store.withdrawals()).to.deep.equal([
    { slug: 'gh', reason: 'asked by its owner', withdrawnAt: '2026-03-01T13:00:00.000Z', entry: entryOf('github') },
  ]);
  expect((await store.find('github' as Slug)).kind).to.equal('withdrawn');
  await store.restore('gh' as Slug);
  expect(await store.find('github' as Slug)).to.deep.equal({ kind: 'entry', entry: entryOf('github') });
  expect(await store.find('gh' as Slug)).to.deep.equal({ kind: 'moved', to: 'github' });
  expect(await store.sources()).to.deep.equal([SOURCE]);
  const session = await beginImport(store);
  expect(await all(session.candidates(SOURCE.id))).to.deep.equal([CANDIDATE]);
  await session.publish({ entries: each([entryOf('github')]), redirects: [] }, new Date());
  await session.close();
  expect(await store.drawing(ETAG)).to.equal(SVG);
}

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

  it('is taken over from the tables before', async () => {
    const { db, store } = under;
    db.exec(`
      DROP TABLE catalogState; DROP TABLE catalogRows;
      CREATE TABLE catalog_state (id, version, content, previous, entries, published_at);
      INSERT INTO catalog_state VALUES (1, 7, 3, 2, 1, '2026-03-01T12:00:00.000Z');
      CREATE TABLE catalog_entry (generation, slug, revision, updated_at, body);
      CREATE TABLE catalog_redirect (generation, slug, target);
      INSERT INTO catalog_redirect VALUES (3, 'gh', 'github');
      CREATE TABLE catalog_withdrawal (slug, reason, withdrawn_at);
      INSERT INTO catalog_withdrawal VALUES ('gh', 'asked by its owner', '2026-03-01T13:00:00.000Z');
      CREATE TABLE catalog_source (generation, id, given, body);
      CREATE TABLE catalog_candidate (given, source, key, body);
      CREATE TABLE catalog_asset (id, etag, svg);
      CREATE TABLE catalog_asset_use (etag, given, source);`);
    const insert = (table: string, ...values: readonly (string | number)[]) =>
      db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
    insert('catalog_entry', 3, 'github', '', '', JSON.stringify(entryOf('github')));
    insert('catalog_source', 3, SOURCE.id, 1, JSON.stringify(SOURCE));
    insert('catalog_candidate', 1, SOURCE.id, CANDIDATE.key, JSON.stringify(CANDIDATE));
    insert('catalog_asset', 1, ETAG, SVG);
    insert('catalog_asset_use', ETAG, 1, SOURCE.id);
    db.exec(CATALOG_STEP);
    await expectMigrated(store);
  });

  it('is read by its keys alone', async () => {
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

    it('is taken over from the collections before', async () => {
      const { db, store } = under;
      const insert = (name: string, ...documents: readonly Document[]) =>
        db.collection(name).insertMany([...documents]);
      const withdrawn = { slug: 'gh', reason: 'asked by its owner', withdrawnAt: '2026-03-01T13:00:00.000Z' };
      const id = 'catalog';
      await db.collection<Document & { readonly _id: string }>('catalog_state').insertOne({
        ...{ _id: id, version: 7, content: 3, previous: 2, lastImport: 3, swept: true, entries: 1, withdrawn: 1 },
        ...{ publishedAt: '2026-03-01T12:00:00.000Z', import: null, writeId: 'x' },
        withdrawals: [{ ...withdrawn, hides: 'github' }],
      });
      await insert(
        'catalog_slugs',
        { _id: { generation: 3, slug: 'github' }, body: JSON.stringify(entryOf('github')) },
        { _id: { generation: 3, slug: 'gh' }, target: 'github' },
      );
      await insert('catalog_sources', {
        _id: { generation: 3, id: SOURCE.id },
        given: 1,
        body: JSON.stringify(SOURCE),
      });
      const candidate = { given: 1, source: SOURCE.id, key: CANDIDATE.key };
      await insert('catalog_candidates', { _id: candidate, etags: [ETAG], body: JSON.stringify(CANDIDATE) });
      await insert('catalog_assets', { _id: ETAG, svg: SVG, generation: 1 });
      const step = MIGRATIONS.find((one) => one.id === 'catalog-rows-1')!;
      for (let round = 0; round < 2; round++) await step.apply(db);
      await expectMigrated(store);
    });

    it('looks a slug up with two reads, and the state with one', async () => {
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

    it('rejects what is larger than a document may be', async () => {
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
        expect(error.message).to.match(new RegExp(`^${id} has 165\\d{5} bytes; MongoDB keeps at most 16000000\\.$`));
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
