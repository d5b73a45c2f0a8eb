// Imports into MongoDB: the process is killed or paused, or the database is unavailable.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { mongoCatalogRows } from '../../src/catalog/catalog-rows.mongodb.js';
import type { Slug } from '../../src/catalog/entry.js';
import { AppError } from '../../src/platform/errors.js';
import type { CatalogStore, ImportSession } from '../../src/catalog/catalog-store.js';
import type { Tables } from '../../src/platform/stores/tables.js';
import { createCatalogStore } from '../../src/catalog/catalog-store.records.js';
import { sweepCatalog } from '../../src/catalog/catalog-sweep.records.js';
import type { StateRecord } from '../../src/catalog/catalog-state.records.js';
import { eventually } from '../support/auth.js';
import { all, beginImport, each } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { openMongoCatalog, type MongoCatalog } from '../support/mongo-catalog.js';
import { withPatience } from '../support/mongo-stores.js';
import { describeWithServers, shared, startMongo } from '../support/servers.js';

const FIXTURE = fileURLToPath(new URL('mongodb-catalog-fixture.js', import.meta.url));
const LOCK_MS = 60_000;
/** Lifetime of the import lock in tests that wait until the lock is renewed or expires, ms. */
const SHORT_LOCK_MS = 6000;
const NOON = new Date('2026-03-01T12:00:00.000Z');

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : String(error));
const outcomeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', codeOf);

async function put(session: ImportSession, names: readonly string[]): Promise<void> {
  await session.putSource(sourceOf('package:test'));
  await session.putDrawings(names.map((name) => ({ etag: entryOf(name).variants[0].etag, svg: `<svg>${name}</svg>` })));
  await session.putCandidates(
    'package:test',
    names.map((name) => candidateOf(name)),
  );
}

const publish = (session: ImportSession, names: readonly string[]) =>
  session.publish({ entries: each(names.map((name) => entryOf(name))), redirects: [] }, NOON);

async function imported(store: CatalogStore, names: readonly string[]): Promise<void> {
  const session = await beginImport(store);
  await put(session, names);
  await publish(session, names);
  await session.close();
}

const slugsOf = async (store: CatalogStore): Promise<string[]> => (await all(store.entries())).map(({ slug }) => slug);

describeWithServers('an import into MongoDB', ['mongod'], () => {
  withPatience();
  let uri: string;
  let under: MongoCatalog;
  let store: CatalogStore;
  /**
   * Time by which the clock of `store` is ahead, ms. If it is long enough, `store` regards the locks of other processes
   * as expired.
   */
  let aheadMs: number;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    uri = (await shared.mongo()).uri();
    aheadMs = 0;
    under = await openMongoCatalog(uri, { lockMs: LOCK_MS, now: () => Date.now() + aheadMs });
    ({ store } = under);
    await imported(store, ['old']);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await under.close();
  });

  /**
   * Starts an import in another process. Resolves when all rows are stored and only the step that makes them visible is
   * missing.
   */
  async function importing(lockMs = LOCK_MS): Promise<ChildProcess> {
    const child = fork(FIXTURE, [uri, String(lockMs)]);
    children.push(child);
    expect((await once(child, 'message'))[0]).to.equal('written');
    return child;
  }

  const expiresMs = async (): Promise<number> =>
    (await under.db.collection<StateRecord>('catalogState').findOne())?.import?.expiresAt.getTime() ?? 0;
  const hasLapsed = () => eventually(async () => (await expiresMs()) < Date.now(), 'end of the right');
  const count = (kind: string): Promise<number> =>
    under.db.collection('catalogRows').countDocuments({ _id: { $gt: `${kind}/`, $lt: `${kind}0` } as object });
  async function expectOnly(counts: { readonly entry: number; readonly candidate: number; readonly drawing: number }) {
    const found = { entry: await count('entry'), candidate: await count('candidate'), drawing: await count('drawing') };
    expect(found).to.deep.equal(counts);
  }

  it('changes nothing if it is killed, and the next one removes its rows after its lock has expired', async () => {
    const child = await importing();
    const killed = once(child, 'exit');
    child.kill('SIGKILL');
    await killed;
    expect(await store.beginImport(), 'the right has not lapsed').to.equal(undefined);
    expect(await slugsOf(store)).to.deep.equal(['old']);
    expect(await count('candidate')).to.equal(1501);
    aheadMs = LOCK_MS;
    await imported(store, ['new']);
    expect(await slugsOf(store)).to.deep.equal(['new']);
    await expectOnly({ entry: 2, candidate: 2, drawing: 2 });
    expect((await store.sources()).map(({ id }) => id)).to.deep.equal(['package:test']);
  });

  it('keeps its right for as long as its process lives', async () => {
    const child = await importing(SHORT_LOCK_MS);
    const firstMs = await expiresMs();
    await eventually(async () => (await expiresMs()) > firstMs, 'renewal');
    aheadMs = firstMs - Date.now();
    expect(await store.beginImport()).to.equal(undefined);
    child.send('publish');
    expect((await once(child, 'message'))[0]).to.equal('published');
    expect(await slugsOf(store)).to.have.length(1500);
  });

  it('cannot publish after a pause longer than its lock', async () => {
    const child = await importing(SHORT_LOCK_MS);
    child.kill('SIGSTOP');
    await hasLapsed();
    child.send('publish');
    child.kill('SIGCONT');
    expect((await once(child, 'message'))[0]).to.equal('unavailable');
    expect(await slugsOf(store)).to.deep.equal(['old']);
  });

  it('cannot publish after a pause during which another one was published', async () => {
    const child = await importing(SHORT_LOCK_MS);
    child.kill('SIGSTOP');
    await hasLapsed();
    await imported(store, ['new']);
    child.send('publish');
    child.kill('SIGCONT');
    expect((await once(child, 'message'))[0]).to.equal('unavailable');
    expect(await slugsOf(store)).to.deep.equal(['new']);
    await expectOnly({ entry: 2, candidate: 2, drawing: 2 });
  });

  it('cannot publish after it has unknowingly lost its lock, and harms no other', async () => {
    // Creates a process whose clock stands still. It therefore never renews its lock, which expires for all other
    // processes.
    const lockMs = 100 * LOCK_MS;
    const stuckMs = Date.now() + LOCK_MS - lockMs;
    const stuck = await under.beside({ now: () => stuckMs, lockMs });
    const late = await beginImport(stuck);
    aheadMs = LOCK_MS;
    const session = await beginImport(store);
    await put(session, ['new']);
    await put(late, ['late']);
    expect(await outcomeOf(publish(late, ['late']))).to.equal('unavailable');
    await late.close();
    expect(await store.beginImport(), 'closing gave no right away').to.equal(undefined);
    // Simulates an import that has lost its lock and still deletes old rows.
    await sweepCatalog(mongoCatalogRows(under.db), { kept: [1], below: 3, assertHeld: () => undefined });
    await publish(session, ['new']);
    await session.close();
    const found = await store.find('new' as Slug);
    expect(found.kind).to.equal('entry');
    expect(await store.drawing(entryOf('new').variants[0].etag)).to.equal('<svg>new</svg>');
    await expectOnly({ entry: 2, candidate: 2, drawing: 2 });
  });
});

describeWithServers('a publication without an answer', ['mongod'], () => {
  for (const [title, isMade] of [
    ['is found when it was made', true],
    ['is repeated when it was not', false],
  ] as const) {
    it(title, async () => {
      const { db, table, store, close } = await openMongoCatalog((await shared.mongo()).uri());
      let isFaulty = false;
      let calls = 0;
      const faultyTable = ((definition) => {
        const states = table(definition);
        const putAll: typeof states.putAll = async (records) => {
          calls += 1;
          if (!isFaulty) return states.putAll(records);
          isFaulty = false;
          if (isMade) await states.putAll(records);
          throw new AppError('unavailable', 'no answer');
        };
        return { ...states, putAll };
      }) as Tables;
      const faulty = createCatalogStore({ table: faultyTable, rows: mongoCatalogRows(db), now: Date.now });
      const session = await beginImport(faulty);
      await put(session, ['new']);
      [isFaulty, calls] = [true, 0];
      expect(await publish(session, ['new'])).to.deep.include({ generation: 1, entries: 1 });
      // The first call makes the import visible. If it had no effect, a second call repeats it. The last call records
      // that old rows are deleted.
      expect(calls).to.equal(isMade ? 2 : 3);
      expect(await store.state()).to.deep.include({ generation: 1, entries: 1 });
      await session.close();
      await close();
    });
  }
});

describeWithServers('a catalog in MongoDB while the server is away', ['mongod'], () => {
  it('rejects what requests wait for while it is paused', async () => {
    const servers = await startMongo();
    const { store, close } = await openMongoCatalog(servers.uri());
    await imported(store, ['old']);
    servers.nodes[0]!.pause();
    const outcomes = await Promise.all(
      [store.state(), store.find('old' as Slug), store.drawing('0123456789abcdef')].map(outcomeOf),
    );
    servers.nodes[0]!.resume();
    expect(outcomes).to.deep.equal(['unavailable', 'unavailable', 'unavailable']);
    await close();
    await servers.stop();
  });

  it('rejects with unavailable, and recovers by itself', async () => {
    const servers = await startMongo();
    const { store, close } = await openMongoCatalog(servers.uri());
    await imported(store, ['old']);
    const session = await beginImport(store);
    await servers.nodes[0]!.kill();
    const outcomes = await Promise.all(
      [
        store.state(),
        store.find('old' as Slug),
        store.drawing('0123456789abcdef'),
        slugsOf(store),
        store.sources(),
        store.withdrawals(),
        store.withdraw('old' as Slug, 'x', NOON),
        store.restore('old' as Slug),
        store.beginImport(),
        put(session, ['new']),
        publish(session, ['new']),
      ].map(outcomeOf),
    );
    expect(outcomes).to.deep.equal(outcomes.map(() => 'unavailable'));
    await session.close();
    await servers.nodes[0]!.restart();
    await eventually(async () => (await outcomeOf(store.state())) === 'done', 'recovery');
    expect(await slugsOf(store)).to.deep.equal(['old']);
    await close();
    await servers.stop();
  });
});
