// Account stores on a MongoDB that pauses, is killed, loses responses or changes its primary.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openMongo } from '../../../src/platform/stores/mongodb/connection.js';
import type { Account } from '../../../src/accounts/account.js';
import { auditEvents } from '../../../src/accounts/audit-event.js';
import { NO_RESPONSES } from '../../../src/metering/day-responses.js';
import type { UtcDay } from '../../../src/platform/utc-day.js';
import { AppError } from '../../../src/platform/errors.js';
import type { AccountStore } from '../../../src/accounts/account-store.js';
import { memoryAdmissionRecords, type MemoryAdmissionRecords } from '../../support/admission-records.js';
import { someAccount } from '../../support/accounts.js';
import { eventually } from '../../support/auth.js';
import { mongoAccountStores, type MongoAccountStores } from '../../support/mongo-stores.js';
import { describeWithServers, startMongo, type MongoServers } from '../../support/servers.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

const BY = { kind: 'system', address: null } as const;
const DAY = '2026-05-01' as UtcDay;
/** Number of saves, one at a time, before each fault and after it. */
const SAVES = 20;
/**
 * Time after which the driver has repeated a lost write, ms. It exceeds the 450 ms after which the driver repeats a
 * write.
 */
const SENT_AGAIN_MS = 500;
/** Field of a request. The driver may repeat only requests with this field. */
const RETRYABLE = 'txnNumber';

const nextOf = (account: Account, changes: Partial<Account> = {}): Account => ({
  ...account,
  unlocks: account.unlocks + 1,
  ...changes,
  version: account.version + 1,
});
const eventOf = (account: Account) =>
  auditEvents([{ type: 'user_updated', detail: { version: account.version } }], { account, by: BY, at: new Date() });

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';

async function expectUnavailable(work: () => Promise<unknown>, what: string): Promise<void> {
  const outcome: unknown = await work().then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(outcome, what).to.be.instanceOf(AppError).with.property('code', 'unavailable');
}

/** Repeats `work` until it succeeds. All earlier attempts must reject with `unavailable`. */
const recovered = (work: () => Promise<unknown>) =>
  eventually(
    () =>
      work().then(
        () => true,
        (error: unknown) => {
          expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
          return false;
        },
      ),
    'recovery',
  );

/**
 * Saves new versions of an account one after the other. If the outcome of a save is unknown, reads the account before
 * the next save.
 */
function startSaving(store: AccountStore, start: Account) {
  const acknowledged: number[] = [];
  let isOver = false;
  const ended = saveUntil({ store, start, acknowledged }, () => isOver);
  ended.catch(() => undefined);
  return {
    /** Resolves when `SAVES` more saves are acknowledged. */
    async moreSaved(): Promise<void> {
      const enough = acknowledged.length + SAVES;
      await Promise.race([ended, eventually(() => acknowledged.length >= enough, 'acknowledged saves')]);
    },
    newest: () => acknowledged.at(-1) ?? start.version,
    /** Stops saving. Returns the acknowledged versions. */
    async stop(): Promise<readonly number[]> {
      isOver = true;
      await ended;
      return acknowledged;
    },
  };
}

/**
 * Reads the account repeatedly, like another process. Fails if a read returns a version older than the newest
 * acknowledged version.
 */
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
    /**
     * Waits until there were more than `SAVES` reads, and then stops reading. Rejects if a read has failed the check.
     */
    async stop(): Promise<void> {
      await Promise.race([ended, eventually(() => reads > SAVES, 'reads')]);
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

describeWithServers('MongoDB that fails', ['mongod'], () => {
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
      claim: () => stores.jobSlots.claim({ job: 'prune', slotMs: 0 }, 1000),
      'reset request': () =>
        stores.resetRequests.add({ id: String(performance.now()), identity: 'a', by: BY, requestedAt: new Date() }),
      'usage write': () => stores.ledger.write([{ accountId: account.id, day: DAY, rev: 1, used: { svg: 1 } }]),
      'usage range': () => stores.history(async () => []).range(account.id, { from: DAY, to: DAY }),
      'responses add': () =>
        stores.responses.add({ id: 'a', day: DAY, accounts: [{ accountId: account.id, ...NO_RESPONSES }] }),
      'responses range': () => stores.responses.range(account.id, { from: DAY, to: DAY }),
      source: () => stores.source.read(account.id),
      check: () => stores.mongo.check(),
    });

    it('rejects every call while it is paused, and continues afterwards', async () => {
      server.nodes[0]!.pause();
      try {
        for (let round = 0; round < 3; round++)
          await Promise.all(Object.entries(calls()).map(([name, call]) => expectUnavailable(call, `${name} ${round}`)));
      } finally {
        server.nodes[0]!.resume();
      }
      expect(records.marks.size, 'of outcomes that are not known').to.be.at.most(4);
      for (const [name, call] of Object.entries(calls())) if (name !== 'audit append') await recovered(call);
      const saved = (await store.find(account.id))!;
      expect(saved.version).to.be.oneOf([1, 2]);
    });

    it('rejects every call while it is dead, and continues after a restart', async () => {
      await server.nodes[0]!.kill();
      for (let round = 0; round < 3; round++)
        await Promise.all(Object.entries(calls()).map(([name, call]) => expectUnavailable(call, `${name} ${round}`)));
      await server.nodes[0]!.restart();
      await recovered(() => store.save(nextOf(account)));
    });

    it('opens late, when the server answers late', async () => {
      server.nodes[0]!.pause();
      const opening = openMongo(server.uri(), { readyLimitMs: 60_000 });
      await sleep(2000);
      server.nodes[0]!.resume();
      await (await opening).close();
    });

    it('keeps acknowledged writes over kills in the middle of writes', async () => {
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
    /** Stores with a connection that bypasses the proxy. */
    let direct: MongoAccountStores;
    let beside: AccountStore;
    before(async () => {
      server = await startMongo();
      proxy = await startTcpProxy(server.nodes[0]!.port);
    });
    after(async () => {
      await proxy.close();
      await server.stop();
    });
    beforeEach(async () => {
      const uri = server.uri();
      stores = await mongoAccountStores(
        `mongodb://127.0.0.1:${proxy.port}${new URL(uri).pathname}?directConnection=true`,
      );
      direct = await mongoAccountStores(uri);
      records = memoryAdmissionRecords();
      store = stores.accounts(records);
      beside = direct.accounts(memoryAdmissionRecords());
    });
    afterEach(async () => {
      await reconnected();
      await direct.close({ drop: false });
      await stores.close();
    });

    async function reconnected(): Promise<void> {
      proxy.open();
      await recovered(() => stores.mongo.check());
    }
    async function inserted(): Promise<Account> {
      const { account } = someAccount();
      await recovered(() => store.insert(account));
      return account;
    }
    /**
     * Runs `trial` with a new account. Runs it again if it rejects with `unavailable`: a write must resolve within a
     * second, and on a busy machine the test's own steps can take longer.
     */
    const resolved = (trial: (account: Account) => Promise<void>) =>
      eventually(async () => {
        const account = await inserted();
        try {
          await trial(account);
          return true;
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          return false;
        } finally {
          await reconnected();
        }
      }, 'known outcome');
    /**
     * Returns the write, which the test awaits later. Without the empty handler, an early rejection would end the
     * process.
     */
    function begun<Outcome>(write: Promise<Outcome>): Promise<Outcome> {
      write.catch(() => undefined);
      return write;
    }
    const isStored = ({ id, version }: Account) =>
      eventually(async () => (await beside.find(id))?.version === version, 'written account');
    const eventsOf = ({ id }: Account) => stores.audit.read(id, { limit: 10 });

    it('resolves a write with a lost response, and one with a cut connection', async () => {
      for (const ending of ['open', 'cut'] as const)
        await resolved(async (account) => {
          const next = nextOf(account, { tier: 'pro' });
          const fresh = someAccount().account;
          proxy.dropAnswers();
          const writing = begun(Promise.all([store.save(next, eventOf(next)), store.insert(fresh)]));
          await isStored(next);
          if (ending === 'cut') proxy.cut();
          proxy.open();
          expect(await writing).to.deep.equal([true, 'inserted']);
          expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'pro' });
          expect([records.marks.has(account.id), records.marks.has(fresh.id)]).to.deep.equal([false, false]);
          expect(records.records.get(account.id)).to.include({ tier: 'pro', version: 2 });
          expect(await eventsOf(account)).to.have.length(1);
        });
    });

    it('resolves a write on a hanging connection over another one', () =>
      resolved(async (account) => {
        const next = nextOf(account, { tier: 'pro' });
        const fresh = someAccount().account;
        proxy.hangAfter(RETRYABLE, 2);
        const writing = Promise.all([store.save(next, eventOf(next)), store.insert(fresh, eventOf(fresh))]);
        expect(await writing).to.deep.equal([true, 'inserted']);
        expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'pro' });
        expect(await eventsOf(account)).to.have.length(1);
        expect(await eventsOf(fresh)).to.have.length(1);
        expect([records.marks.has(account.id), records.marks.has(fresh.id)]).to.deep.equal([false, false]);
      }));

    it('writes once if a late write was also repeated', () =>
      resolved(async (account) => {
        const next = nextOf(account, { tier: 'pro' });
        proxy.hold();
        const saving = begun(store.save(next, eventOf(next)));
        await sleep(SENT_AGAIN_MS);
        proxy.open();
        expect(await saving).to.equal(true);
        expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'pro', unlocks: next.unlocks });
        expect(await eventsOf(account)).to.have.length(1);
      }));

    it('resolves a write that lost a race against another one', () =>
      resolved(async (account) => {
        proxy.dropAnswers();
        let last = nextOf(account, { tier: 'pro' });
        const saving = begun(store.save(last));
        await isStored(last);
        // Saves later versions before the response to the first save arrives.
        for (let count = 0; count < 3; count++) {
          last = nextOf(last);
          expect(await beside.save(last)).to.equal(true);
        }
        proxy.open();
        expect(await saving).to.equal(true);
      }));

    it('rejects a write that never arrived if another one was first', () =>
      resolved(async (account) => {
        proxy.hold();
        const saving = begun(store.save(nextOf(account, { tier: 'pro' })));
        expect(await beside.save(nextOf(account, { tier: 'enterprise' }))).to.equal(true);
        proxy.open();
        expect(await saving).to.equal(false);
        expect((await store.find(account.id))!).to.deep.include({ version: 2, tier: 'enterprise' });
        expect(records.marks.has(account.id)).to.equal(false);
      }));

    it('rejects a write with an unknown outcome, and keeps the mark', async () => {
      const account = await inserted();
      proxy.dropAnswers();
      await expectUnavailable(() => store.save(nextOf(account, { tier: 'pro' })), 'save');
      expect(records.marks.has(account.id)).to.equal(true);
      expect(records.calls.slice(-1)).to.deep.equal(['begin']);
      await reconnected();
      expect((await store.find(account.id))!.version, 'written once').to.equal(2);
    });

    it('is correct on a slow network, or rejects', async () => {
      const { id } = await inserted();
      for (const delayMs of [50, 150, 300, 700]) {
        proxy.delayAnswers(delayMs);
        const start = await store.find(id).catch(() => undefined);
        if (start) {
          const next = nextOf(start);
          await store.save(next, eventOf(next)).then(
            (isSaved) => expect(isSaved).to.equal(true),
            (error: unknown) => expect(error).to.have.property('code', 'unavailable'),
          );
        }
        await reconnected();
      }
      const account = (await store.find(id))!;
      expect(await eventsOf(account)).to.have.length(account.version - 1);
    });
  });

  describe('three members', () => {
    let servers: MongoServers;
    before(async () => {
      servers = await startMongo({ members: 3 });
    });
    after(() => servers.stop());

    it('continues after a step-down and a killed primary: no write is lost or doubled, no read is outdated', async () => {
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

/**
 * Expects that every acknowledged version is stored once, with its event. Versions that were not acknowledged may be
 * stored.
 */
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

async function stepDown(servers: MongoServers): Promise<() => Promise<void>> {
  await servers.stepDown();
  return () => Promise.resolve();
}

async function killPrimary(servers: MongoServers): Promise<() => Promise<void>> {
  const node = await servers.primary();
  await node.kill();
  return () => node.restart();
}
