// MongoDB that pauses, dies, loses answers and changes its primary, under the stores of accounts.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openMongo } from '../../src/adapters/mongodb/connection.js';
import type { Account } from '../../src/domain/account/account.js';
import { auditEvents } from '../../src/domain/account/audit-event.js';
import { NO_RESPONSES } from '../../src/domain/metering/day-responses.js';
import type { UtcDay } from '../../src/domain/metering/utc-day.js';
import { AppError } from '../../src/errors.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import { memoryAdmissionRecords, type MemoryAdmissionRecords } from '../support/admission-records.js';
import { someAccount } from '../support/accounts.js';
import { mongoAccountStores, type MongoAccountStores } from '../support/mongo-stores.js';
import { describeWithServers, startMongo, type MongoServers } from '../support/servers.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const BY = { kind: 'system', address: null } as const;
const DAY = '2026-05-01' as UtcDay;
/** The promise is one second; the rest is the test machine's. */
const ANSWER_LIMIT_MS = 1150;
const RECOVERY_LIMIT_MS = 5000;
/** Of one account, one after the other, before and after each fault. */
const SAVES = 20;

const nextOf = (account: Account, changes: Partial<Account> = {}): Account => ({
  ...account,
  unlocks: account.unlocks + 1,
  ...changes,
  version: account.version + 1,
});
const eventOf = (account: Account) =>
  auditEvents([{ type: 'user_updated', detail: { version: account.version } }], { account, by: BY, at: new Date() });

/** Rejects with `unavailable`, in time. */
async function expectUnavailable(work: () => Promise<unknown>, what: string): Promise<void> {
  const startMs = performance.now();
  const outcome: unknown = await work().then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(outcome, what).to.be.instanceOf(AppError).with.property('code', 'unavailable');
  expect(performance.now() - startMs, what).to.be.below(ANSWER_LIMIT_MS);
}

/** Milliseconds until `work` succeeds. */
async function recoveryOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const isDone = await work().then(
      () => true,
      (error: unknown) => {
        expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
        return false;
      },
    );
    if (isDone) return performance.now() - startMs;
    expect(performance.now() - startMs, 'recovery').to.be.below(RECOVERY_LIMIT_MS);
    await sleep(20);
  }
}

/** Saves the next version over and over, as an actor does: after one that is not known to be saved, it reads again. */
function startSaving(store: AccountStore, start: Account) {
  const acknowledged: number[] = [];
  let isOver = false;
  const ended = saveUntil({ store, start, acknowledged }, () => isOver);
  return {
    /** Resolves when some more saves were acknowledged. */
    async moreSaved(): Promise<void> {
      const enough = acknowledged.length + SAVES;
      await recoveryOf(() =>
        acknowledged.length >= enough ? Promise.resolve() : Promise.reject(new AppError('unavailable')),
      );
    },
    /** The newest acknowledged version. */
    newest: () => acknowledged.at(-1) ?? start.version,
    /** The acknowledged versions. */
    async stop(): Promise<readonly number[]> {
      isOver = true;
      await ended;
      return acknowledged;
    },
  };
}

/** Another process reads over and over, and never an account that is older than what was acknowledged before. */
function startReading({ source }: MongoAccountStores, { id }: Account, newest: () => number) {
  let isOver = false;
  let reads = 0;
  async function readUntil(): Promise<void> {
    while (!isOver) {
      const acknowledged = newest();
      const record = await source.read(id).catch(() => undefined);
      if (record) {
        expect(record.version).to.be.at.least(acknowledged);
        reads += 1;
      } else await sleep(5);
    }
  }
  const ended = readUntil();
  ended.catch(() => undefined);
  return {
    /** After some reads, however slow the machine is. */
    async stop(): Promise<void> {
      const enough = () => (reads > SAVES ? Promise.resolve() : Promise.reject(new AppError('unavailable')));
      await Promise.race([ended, recoveryOf(enough)]);
      isOver = true;
      await ended;
    },
  };
}

interface Saving {
  readonly store: AccountStore;
  readonly start: Account;
  readonly acknowledged: number[];
}

async function saveUntil({ store, start, acknowledged }: Saving, isOver: () => boolean): Promise<void> {
  let account = start;
  while (!isOver()) {
    try {
      const next = nextOf(account);
      if (await store.save(next, eventOf(next))) {
        acknowledged.push(next.version);
        account = next;
        continue;
      }
    } catch (error) {
      expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
    }
    account = (await store.find(start.id).catch(() => undefined)) ?? account;
    await sleep(5);
  }
}

describeWithServers('MongoDB that fails', ['mongod'], function () {
  this.timeout(60_000);

  describe('its only server', () => {
    let server: MongoServers;
    let stores: MongoAccountStores;
    let records: MemoryAdmissionRecords;
    let store: AccountStore;
    let account: Account;
    before(async () => {
      server = await startMongo();
    });
    after(() => server.stop());
    beforeEach(async () => {
      stores = await mongoAccountStores(server.uri());
      records = memoryAdmissionRecords();
      store = stores.accounts(records);
      ({ account } = someAccount());
      await store.insert(account);
    });
    afterEach(() => stores.close());

    const calls = (): Record<string, () => Promise<unknown>> => ({
      find: () => store.find(account.id),
      save: () => store.save(nextOf(account), eventOf(nextOf(account))),
      'save of another tier': () => store.save(nextOf(account, { tier: 'pro' })),
      insert: () => store.insert(someAccount().account),
      passwordOf: () => store.passwordOf('ada@example.com'),
      list: () => store.list({ limit: 10 }),
      due: () => store.due('mail', new Date(), 10),
      'audit read': () => stores.audit.read(account.id, { limit: 10 }),
      'audit append': () => stores.audit.append(eventOf(account)),
      claim: () => stores.jobSlots(Date.now).claim({ job: 'prune', slotMs: 0 }, 1000),
      'reset request': () =>
        stores
          .resetRequests(Date.now)
          .add({ id: String(performance.now()), identity: 'a', by: BY, requestedAt: new Date() }),
      'usage write': () => stores.ledger.write([{ accountId: account.id, day: DAY, rev: 1, used: { svg: 1 } }]),
      'usage range': () => stores.history(async () => []).range(account.id, { from: DAY, to: DAY }),
      'responses add': () =>
        stores.responses.add({ id: 'a', day: DAY, accounts: [{ accountId: account.id, ...NO_RESPONSES }] }),
      'responses range': () => stores.responses.range(account.id, { from: DAY, to: DAY }),
      source: () => stores.source.read(account.id),
      check: () => stores.mongo.check(),
    });

    it('rejects every call within a second while it is paused, and goes on after', async () => {
      server.nodes[0]!.pause();
      try {
        for (let round = 0; round < 3; round++)
          await Promise.all(Object.entries(calls()).map(([name, call]) => expectUnavailable(call, `${name} ${round}`)));
      } finally {
        server.nodes[0]!.resume();
      }
      for (const [name, call] of Object.entries(calls()))
        if (name !== 'audit append') expect(await recoveryOf(call), name).to.be.below(RECOVERY_LIMIT_MS);
      const saved = (await store.find(account.id))!;
      expect(saved.version).to.be.oneOf([1, 2]);
      expect(records.marks.size, 'of outcomes that were not known').to.be.at.most(4);
    });

    it('rejects every call within a second while it is dead, and goes on after a restart', async () => {
      await server.nodes[0]!.kill();
      for (let round = 0; round < 3; round++)
        await Promise.all(Object.entries(calls()).map(([name, call]) => expectUnavailable(call, `${name} ${round}`)));
      await server.nodes[0]!.restart();
      expect(await recoveryOf(() => store.save(nextOf(account)))).to.be.below(RECOVERY_LIMIT_MS);
    });

    it('opens late, when the server answers late', async () => {
      server.nodes[0]!.pause();
      const opening = openMongo(server.uri());
      await sleep(2000);
      server.nodes[0]!.resume();
      await (await opening).close();
    });

    it('keeps what it acknowledged over kills in the middle of writes', async () => {
      for (let round = 0; round < 3; round++) {
        const saving = startSaving(store, (await store.find(account.id))!);
        await saving.moreSaved();
        await server.nodes[0]!.kill();
        await server.nodes[0]!.restart();
        await saving.moreSaved();
        const acknowledged = await saving.stop();
        await expectWhole(stores, (await store.find(account.id))!, acknowledged);
      }
    });
  });

  describe('a connection that loses answers', () => {
    let server: MongoServers;
    let proxy: TcpProxy;
    let stores: MongoAccountStores;
    let records: MemoryAdmissionRecords;
    let store: AccountStore;
    let account: Account;
    before(async () => {
      server = await startMongo();
      proxy = await startTcpProxy(server.nodes[0]!.port);
    });
    after(async () => {
      await proxy.close();
      await server.stop();
    });
    beforeEach(async () => {
      const path = new URL(server.uri()).pathname;
      stores = await mongoAccountStores(`mongodb://127.0.0.1:${proxy.port}${path}?directConnection=true`);
      records = memoryAdmissionRecords();
      store = stores.accounts(records);
      ({ account } = someAccount());
      await store.insert(account);
    });
    afterEach(async () => {
      proxy.open();
      await recoveryOf(() => stores.mongo.check());
      await stores.close();
    });

    it('resolves a write whose answer is lost, and one that is cut off', async () => {
      for (const ending of ['open', 'cut'] as const) {
        const next = nextOf((await store.find(account.id))!, { tier: ending === 'open' ? 'pro' : 'enterprise' });
        proxy.dropAnswers();
        const saving = store.save(next, eventOf(next));
        const fresh = someAccount().account;
        const inserting = store.insert(fresh);
        await sleep(150);
        if (ending === 'cut') proxy.cut();
        proxy.open();
        expect(await saving).to.equal(true);
        expect(await inserting).to.equal('inserted');
        expect((await store.find(account.id))!).to.deep.include({ version: next.version, tier: next.tier });
        expect(records.marks.size).to.equal(0);
        expect(records.records.get(account.id)).to.include({ tier: next.tier, version: next.version });
        expect(await stores.audit.read(account.id, { limit: 10 })).to.have.length(next.version - 1);
      }
    });

    it('resolves a write whose connection hangs, over another one', async () => {
      const next = nextOf(account, { tier: 'pro' });
      const fresh = someAccount().account;
      proxy.dropAnswers();
      const saving = store.save(next, eventOf(next));
      const inserting = store.insert(fresh, eventOf(fresh));
      await sleep(150);
      proxy.open({ lost: 'hang' });
      expect(await saving).to.equal(true);
      expect(await inserting).to.equal('inserted');
      expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'pro' });
      expect(await stores.audit.read(account.id, { limit: 10 })).to.have.length(1);
      expect(await stores.audit.read(fresh.id, { limit: 10 })).to.have.length(1);
      expect(records.marks.size).to.equal(0);
    });

    it('writes once what arrives late and was sent again meanwhile', async () => {
      const next = nextOf(account, { tier: 'pro' });
      proxy.hold();
      const saving = store.save(next, eventOf(next));
      await sleep(600);
      proxy.open();
      expect(await saving).to.equal(true);
      expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'pro', unlocks: next.unlocks });
      expect(await stores.audit.read(account.id, { limit: 10 })).to.have.length(1);
    });

    it('resolves a write that was lost against another one', async () => {
      const read = (await store.find(account.id))!;
      proxy.dropAnswers();
      const next = nextOf(read, { tier: 'pro' });
      const saving = store.save(next);
      await sleep(100);
      // By now it is written, and others build upon it.
      await throughServer(server, stores, async (beside) => {
        for (let version = 2; version < 5; version++) {
          const later = nextOf((await beside.find(account.id))!);
          expect(later.version).to.equal(version + 1);
          expect(await beside.save(later)).to.equal(true);
        }
      });
      proxy.open();
      expect(await saving).to.equal(true);
    });

    it('rejects a write that never arrived, when another one was first', async () => {
      const read = (await store.find(account.id))!;
      proxy.hold();
      const saving = store.save(nextOf(read, { tier: 'pro' }));
      await sleep(100);
      await throughServer(server, stores, async (beside) => {
        expect(await beside.save(nextOf(read, { tier: 'enterprise' }))).to.equal(true);
      });
      proxy.open();
      expect(await saving).to.equal(false);
      expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'enterprise' });
      expect(records.marks.size).to.equal(0);
    });

    it('rejects a write whose outcome cannot be known, and leaves the mark', async () => {
      proxy.dropAnswers();
      await expectUnavailable(() => store.save(nextOf(account, { tier: 'pro' })), 'save');
      expect(records.marks.has(account.id)).to.equal(true);
      expect(records.calls.slice(-1)).to.deep.equal(['begin']);
      proxy.open();
      await recoveryOf(() => stores.mongo.check());
      expect((await store.find(account.id))!.version, 'written once').to.equal(2);
    });

    it('is right while the network is slow, or rejects in time', async () => {
      for (const delayMs of [50, 150, 300, 700]) {
        proxy.delayAnswers(delayMs);
        const startMs = performance.now();
        const start = await store.find(account.id).catch(() => undefined);
        if (start) {
          const next = nextOf(start);
          await store.save(next, eventOf(next)).then(
            (isSaved) => expect(isSaved).to.equal(true),
            (error: unknown) => expect(error).to.have.property('code', 'unavailable'),
          );
        }
        expect(performance.now() - startMs, `${delayMs} ms`).to.be.below(2 * ANSWER_LIMIT_MS);
        proxy.open();
        await recoveryOf(() => stores.mongo.check());
      }
      const { version } = (await store.find(account.id))!;
      expect(await stores.audit.read(account.id, { limit: 10 })).to.have.length(version - 1);
    });
  });

  describe('three members', () => {
    let servers: MongoServers;
    before(async () => {
      servers = await startMongo({ members: 3 });
    });
    after(() => servers.stop());

    it('goes on within five seconds of a step-down and of a killed primary; no write is lost or doubled, no read is old', async () => {
      const uri = servers.uri();
      const stores = await mongoAccountStores(uri);
      const beside = await mongoAccountStores(uri);
      const store = stores.accounts(memoryAdmissionRecords());
      const { account } = someAccount();
      await store.insert(account);
      for (const disturb of [stepDown, killPrimary]) {
        const saving = startSaving(store, (await store.find(account.id))!);
        await saving.moreSaved();
        const reading = startReading(beside, account, saving.newest);
        const restore = await disturb(servers);
        await saving.moreSaved();
        const acknowledged = await saving.stop();
        await reading.stop();
        await expectWhole(stores, (await store.find(account.id))!, acknowledged);
        await restore();
      }
      await beside.close({ drop: false });
      await stores.close();
    });
  });
});

/** Every acknowledged version is there once, with its event; versions without acknowledgement may be there, too. */
async function expectWhole(stores: MongoAccountStores, stored: Account, acknowledged: readonly number[]) {
  expect(new Set(acknowledged).size).to.equal(acknowledged.length);
  expect(stored.version).to.be.at.least(acknowledged.at(-1) ?? 0);
  expect(stored.unlocks).to.equal(stored.version - 1);
  const versions: unknown[] = [];
  for (let before: string | undefined; ;) {
    const page = await stores.audit.read(stored.id, { limit: 500, ...(before !== undefined && { before }) });
    versions.push(...page.map(({ detail }) => detail?.version));
    before = page.at(-1)?.id;
    if (page.length < 500) break;
  }
  expect(versions.sort((one, other) => Number(one) - Number(other))).to.deep.equal(
    Array.from({ length: stored.version - 1 }, (_, index) => index + 2),
  );
}

/** A store on another connection, past the proxy. */
async function throughServer(
  server: MongoServers,
  { mongo }: MongoAccountStores,
  work: (store: AccountStore) => Promise<void>,
): Promise<void> {
  const uri = new URL(server.uri());
  uri.pathname = mongo.db.databaseName;
  const beside = await mongoAccountStores(uri.href);
  try {
    await work(beside.accounts(memoryAdmissionRecords()));
  } finally {
    await beside.close({ drop: false });
  }
}

async function primaryOf(servers: MongoServers): Promise<number> {
  const client = await MongoClient.connect(servers.uri());
  try {
    const { primary } = await client.db('admin').command({ hello: 1 });
    return Number(String(primary).split(':')[1]);
  } finally {
    await client.close();
  }
}

async function stepDown(servers: MongoServers): Promise<() => Promise<void>> {
  const port = await primaryOf(servers);
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.db('admin').command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 2 });
  await client.close();
  return () => Promise.resolve();
}

async function killPrimary(servers: MongoServers): Promise<() => Promise<void>> {
  const port = await primaryOf(servers);
  const node = servers.nodes.find((each) => each.port === port)!;
  await node.kill();
  return () => node.restart();
}
