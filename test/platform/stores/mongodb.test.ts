// Contract tests of accounts on MongoDB, and tests of guarantees that only the MongoDB adapters give.
import { mock } from 'node:test';
import { expect } from 'chai';
import { ALL_DAYS } from '../../../src/platform/day-range.js';
import { MongoAddressError, openMongo } from '../../../src/platform/stores/mongodb/connection.js';
import { timeLimits } from '../../../src/platform/stores/mongodb/driver-error.js';
import { migrate, OtherSchemaError, type Migration } from '../../../src/platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../../../src/platform/stores/mongodb/migrations.js';
import type { Account, AccountId } from '../../../src/accounts/account.js';
import { newPublishableKey, publishableKeyRule, type PublishableKey } from '../../../src/accounts/publishable-key.js';
import { auditEvents, type AuditEvent } from '../../../src/accounts/audit-event.js';
import { regenerateKey } from '../../../src/accounts/changes/credentials.js';
import { beginDeletion } from '../../../src/accounts/changes/lifecycle.js';
import type { Bucket } from '../../../src/accounts/plan.js';
import { utcDay } from '../../../src/platform/utc-day.js';
import { AppError } from '../../../src/platform/errors.js';
import { memoryAdmissionRecords, type MemoryAdmissionRecords } from '../../support/admission-records.js';
import { someAccount } from '../../support/accounts.js';
import { eventually } from '../../support/auth.js';
import { DAY_MS, MINUTE_MS, type Clock } from '../../support/clock.js';
import { mongoAccountStores, withPatience, type MongoAccountStores } from '../../support/mongo-stores.js';
import { describeWithServers, shared } from '../../support/servers.js';
import { RECORD_CONTRACTS } from './record-contracts.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12, 0, 0, 123));
const DAY = utcDay(AT.getTime());
const BY = { kind: 'system', address: null } as const;

const nextOf = (account: Account, changes: Partial<Account> = {}): Account => ({
  ...account,
  ...changes,
  version: account.version + 1,
});
const eventOf = (account: Account): AuditEvent[] =>
  auditEvents([{ type: 'user_updated' }], { account, by: BY, at: AT });

describeWithServers('MongoDB', ['mongod'], () => {
  withPatience();

  for (const suite of RECORD_CONTRACTS)
    suite('MongoDB', async ({ now }: Clock) => {
      const uri = (await shared.mongo()).uri();
      const stores = await mongoAccountStores(uri);
      const others: MongoAccountStores[] = [];
      const documents = stores.mongo.db.collection<{ readonly _id: string; readonly tries: unknown }>('paymentEvents');
      return {
        stores: stores.records(now),
        async beside() {
          others.push(await mongoAccountStores(uri));
          return others.at(-1)!.records(now);
        },
        table: stores.table,
        async damage(_id: string, field: string) {
          await documents.updateOne({ _id }, { $set: { [field]: 'many' } });
        },
        async close() {
          for (const other of others) await other.close({ drop: false });
          await stores.close();
        },
      };
    });

  describe('stores of one process', () => {
    let stores: MongoAccountStores;
    beforeEach(async () => {
      stores = await mongoAccountStores((await shared.mongo()).uri());
    });
    afterEach(() => stores.close());

    describe('accounts and what admissions read', () => {
      let records: MemoryAdmissionRecords;
      let store: ReturnType<MongoAccountStores['accounts']>;
      beforeEach(() => {
        records = memoryAdmissionRecords();
        store = stores.accounts(records);
      });

      const inserted = async (account = someAccount({ at: AT }).account): Promise<Account> => {
        expect(await store.insert(account)).to.equal('inserted');
        records.calls.length = 0;
        return account;
      };
      const SETTINGS = { name: 'Website', origins: [], dailyLimit: 5 };
      const recordOf = ({ key, tier, suspended, publishableKeys, version }: Account) => ({
        publishableKeys: publishableKeys.map(publishableKeyRule),
        keyHash: key?.hash ?? null,
        tier,
        tierEndsAt: null,
        suspended,
        version,
        ownBrands: '',
      });

      it('announce a new key, another tier, suspension and deletion before and after, and nothing else', async () => {
        let account = await inserted();
        for (const change of [
          (): Account => regenerateKey(account, undefined, AT).account,
          (): Account => ({ ...account, tier: 'pro' }),
          (): Account => ({ ...account, suspended: true }),
          (): Account => ({ ...account, publishableKeys: [newPublishableKey(account.id, SETTINGS, AT)] }),
          (): Account => ({
            ...account,
            publishableKeys: account.publishableKeys.map((key) => ({ ...key, origins: ['example.com'] })),
          }),
          (): Account => ({ ...account, publishableKeys: [] }),
        ]) {
          let before = account;
          account = nextOf(change());
          expect(await store.save(account, eventOf(account), before)).to.equal(true);
          expect(records.calls.splice(0)).to.deep.equal(['begin', 'publish']);
          expect(records.records.get(account.id)).to.deep.equal(recordOf(account));
          before = account;
          account = nextOf(account, { unlocks: account.unlocks + 1 });
          expect(await store.save(account, eventOf(account), before)).to.equal(true);
          expect(records.calls).to.deep.equal([]);
          expect(await stores.source.read(account.id)).to.deep.equal(recordOf(account));
        }
        await store.remove(account.id);
        expect(records.calls, 'it is not being deleted').to.deep.equal([]);
        expect(await store.find(account.id)).to.deep.equal(account);
        const before = account;
        account = nextOf(beginDeletion(account, undefined, AT).account);
        expect(await store.save(account, [], before)).to.equal(true);
        expect(records.calls.splice(0)).to.deep.equal(['begin', 'publish']);
        expect(records.records.get(account.id)).to.equal(null);
        expect(await stores.source.read(account.id)).to.equal(undefined);
        await store.remove(account.id);
        expect(records.calls.splice(0)).to.deep.equal(['begin', 'publish']);
        expect(records.records.get(account.id)).to.equal(null);
        await store.remove(account.id);
        expect(records.calls).to.deep.equal([]);
      });

      it('announce a change of an account with an unknown previous state', async () => {
        const account = await inserted();
        expect(await store.save(nextOf(account))).to.equal(true);
        expect(records.calls).to.deep.equal(['begin', 'publish']);
      });

      it('withdraw the announcement of a change that was not written', async () => {
        const account = await inserted();
        expect(await store.save({ ...nextOf(account), tier: 'pro', version: 7 })).to.equal(false);
        expect(records.calls.splice(0)).to.deep.equal(['begin', 'abandon']);
        expect(await store.insert(someAccount({ email: account.email }).account)).to.equal('email_taken');
        expect(records.calls).to.deep.equal(['begin', 'abandon']);
        expect(records.marks.size).to.equal(0);
      });

      it('write nothing while admissions cannot be informed', async () => {
        const account = await inserted();
        records.isAway = true;
        const error = await store.save(nextOf(account, { tier: 'pro' })).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
        expect(await store.find(account.id)).to.deep.equal(account);
        // The third argument is the account as stored. By comparison with it, the store detects that no field for
        // admissions has changed. The store can therefore save the account without access to the admission records.
        expect(await store.save(nextOf(account), [], account)).to.equal(true);
      });

      it('keeps the last use of a publishable key, also when another is changed', async () => {
        const fresh = someAccount({ at: AT }).account;
        const [used, other] = ['used', 'other'].map((name) =>
          newPublishableKey(fresh.id, { ...SETTINGS, name }, AT),
        ) as [PublishableKey, PublishableKey];
        const account = await inserted({ ...fresh, publishableKeys: [used, other] });
        const { keyHash } = publishableKeyRule(used);
        const touch = (ms: number) =>
          stores.ledger.touch([{ accountId: account.id, keyHash, lastUsedAt: new Date(AT.getTime() + ms) }]);
        const lastUses = async () =>
          (await store.find(account.id))!.publishableKeys.map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? null);
        await touch(2000);
        await touch(1000);
        expect(await lastUses()).to.deep.equal([AT.getTime() + 2000, null]);
        const stored = (await store.find(account.id))!;
        records.calls.length = 0;
        expect(await store.save(nextOf(stored), [], stored)).to.equal(true);
        expect(records.calls, 'admissions do not read it').to.deep.equal([]);
        expect(await lastUses()).to.deep.equal([AT.getTime() + 2000, null]);
        expect(await store.save(nextOf(nextOf(stored), { publishableKeys: [stored.publishableKeys[1]!] }))).to.equal(
          true,
        );
        await touch(9000);
        expect(await lastUses()).to.deep.equal([null]);
      });

      it('keeps the last use of a key over saves, and drops it with the key', async () => {
        const { account } = someAccount({ at: AT });
        await inserted(account);
        const use = (ms: number, keyHash = account.key!.hash) =>
          stores.ledger.touch([{ accountId: account.id, keyHash, lastUsedAt: new Date(AT.getTime() + ms) }]);
        const lastUse = async () => (await store.find(account.id))!.key?.lastUsedAt?.getTime();
        await use(2000);
        expect(await store.save(nextOf(account, { tier: 'pro' }))).to.equal(true);
        expect(await lastUse()).to.equal(AT.getTime() + 2000);
        await use(1000);
        await use(3000, 'f'.repeat(64));
        expect(await lastUse(), 'neither an older one nor of another key').to.equal(AT.getTime() + 2000);
        await use(60 * MINUTE_MS);
        await use(4000);
        expect(await lastUse(), 'not one of a clock that was ahead').to.equal(AT.getTime() + 4000);
        await store.save(nextOf(regenerateKey((await store.find(account.id))!, undefined, AT).account));
        expect(await lastUse()).to.equal(undefined);
        expect((await store.find(account.id))!.version).to.equal(3);
      });

      const documents = () =>
        stores.mongo.db.collection<{ readonly _id: string; readonly events: readonly object[] }>('accounts');
      const carriedBy = async ({ id }: Account) => (await documents().findOne({ _id: id }))?.events.length;
      const written = (): Promise<number> => stores.mongo.db.collection('audit').countDocuments();

      it('move events to the audit log automatically, and read each once meanwhile', async () => {
        let account = await inserted();
        for (let index = 0; index < 5; index++) {
          account = nextOf(account);
          await store.save(account, eventOf(account));
          expect(await stores.audit.read(account.id, { limit: 10 })).to.have.length(index + 1);
        }
        const before = await stores.audit.read(account.id, { limit: 10 });
        await eventually(async () => (await carriedBy(account)) === 0, 'moved events');
        expect(await written()).to.equal(5);
        expect(await stores.audit.read(account.id, { limit: 10 })).to.deep.equal(before);
        const pages = [await stores.audit.read(account.id, { limit: 2 })];
        pages.push(await stores.audit.read(account.id, { limit: 9, before: pages[0]!.at(-1)!.id }));
        expect(pages.flat()).to.deep.equal(before);
        expect(stores.failures).to.deep.equal([]);
      });

      it('move events of a dead process: with the next change, before a removal, or when they are too old', async () => {
        const left = (at: Date) => ({ id: '0'.repeat(22), at, type: 'user_updated', by: BY });
        const leave = ({ id }: Account, at = AT) => documents().updateOne({ _id: id }, { $push: { events: left(at) } });
        const changed = await inserted();
        await leave(changed);
        await store.save(nextOf(changed), eventOf(nextOf(changed)));
        await eventually(async () => (await carriedBy(changed)) === 0, 'moved events');
        expect(await stores.audit.read(changed.id, { limit: 10 })).to.have.length(2);
        const removed = nextOf(beginDeletion(await inserted(), undefined, AT).account);
        await store.save(removed);
        await leave(removed);
        await store.remove(removed.id);
        expect(await stores.audit.read(removed.id, { limit: 10 })).to.have.length(1);
        const quiet = await inserted();
        await leave(quiet, new Date(AT.getTime() - 1));
        await leave(quiet);
        await stores.audit.prune(AT);
        expect(await carriedBy(quiet)).to.equal(1);
      });

      it('find due work and accounts by indexes only', async () => {
        const plans = [
          { emailIdentity: 'a' },
          { $or: [{ tidyAt: { $lte: AT } }, { tidyAt: { $gt: AT } }] },
          { $or: [{ mailAt: { $lte: AT } }, { mailAt: { $gt: AT } }] },
          { deleting: true },
          { 'events.at': { $lt: AT } },
        ].map(async (filter) =>
          JSON.stringify(await stores.mongo.db.collection('accounts').find(filter).explain('queryPlanner')),
        );
        for (const plan of await Promise.all(plans)) expect(plan).to.include('IXSCAN').and.not.include('COLLSCAN');
      });
    });

    describe('usage', () => {
      const id = 'someaccount0' as AccountId;
      const reading = (rev: number, used: Partial<Record<Bucket, number>>) => ({ accountId: id, day: DAY, rev, used });

      it('keeps the newest reading of each day, in any order of writes', async () => {
        expect(await stores.ledger.read(id, DAY)).to.equal(undefined);
        await stores.ledger.write([reading(1, { svg: 1 })]);
        await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            stores.ledger.write([reading(41 - index, { svg: 41 - index, png: 3 })]),
          ),
        );
        await stores.ledger.write([
          reading(7, { svg: 7 }),
          { ...reading(1, { webp: 2 }), accountId: 'other' as AccountId },
        ]);
        expect(await stores.ledger.read(id, DAY)).to.deep.equal({ rev: 41, used: { svg: 41, png: 3 } });
        expect(await stores.ledger.read('other' as AccountId, DAY)).to.deep.equal({ rev: 1, used: { webp: 2 } });
      });

      it('shows written days and live counters as one history, and prunes old days', async () => {
        const dayOf = (offset: number) => utcDay(AT.getTime() + offset * DAY_MS);
        for (const offset of [-2, -1, 0])
          await stores.ledger.write([{ ...reading(1, { svg: 5, catalog: 1 }), day: dayOf(offset) }]);
        const history = stores.history(async () => [{ day: dayOf(0), used: { svg: 9 } }]);
        const shown = async () => (await history.range(id, ALL_DAYS)).map(({ day, used }) => [day, used]);
        expect(await shown()).to.deep.equal([
          ['2026-04-29', { catalog: 1, svg: 5 }],
          ['2026-04-30', { catalog: 1, svg: 5 }],
          ['2026-05-01', { catalog: 1, svg: 9 }],
        ]);
        expect(await history.prune(dayOf(0))).to.equal(2);
        expect(await history.prune(dayOf(0))).to.equal(0);
        expect(await shown()).to.deep.equal([['2026-05-01', { catalog: 1, svg: 9 }]]);
      });
    });
  });

  describe('migrations', () => {
    const empty = async () => openMongo((await shared.mongo()).uri());

    it('are each applied once, by one of many processes', async () => {
      const mongo = await empty();
      const ran: string[] = [];
      const steps: Migration[] = ['a-1', 'a-2', 'b-1'].map((id) => ({
        id,
        async apply() {
          ran.push(id);
          await new Promise((resolve) => setTimeout(resolve, 20));
        },
      }));
      await Promise.all(Array.from({ length: 8 }, () => migrate(mongo.db, steps)));
      expect(ran).to.deep.equal(['a-1', 'a-2', 'b-1']);
      await migrate(mongo.db, [...steps, { id: 'b-2', apply: async () => void ran.push('b-2') }]);
      expect(ran).to.deep.equal(['a-1', 'a-2', 'b-1', 'b-2']);
      const error = await migrate(mongo.db, steps).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(OtherSchemaError);
      const part: Migration = { id: 'c-1', replaces: [...ran, 'missing'], apply: async () => void ran.push('c-1') };
      expect(String(await migrate(mongo.db, [part]).catch((reason: unknown) => reason))).to.include('before c-1');
      await migrate(mongo.db, [{ id: 'c-1', replaces: [...ran], apply: async () => void ran.push('c-1') }]);
      expect(ran.at(-1)).to.equal('c-1');
      await mongo.db.dropDatabase();
      await mongo.close();
    });

    it('keep their lock for the duration of a step, by renewing it', async () => {
      const mongo = await empty();
      const leases = mongo.db.collection<{ readonly _id: string; readonly until: Date }>('migrations');
      const until = async () => (await leases.findOne({ _id: 'lease' }))?.until.getTime() ?? 0;
      const slow: Migration = {
        id: 'a-1',
        async apply() {
          for (let round = 0; round < 2; round++) {
            const before = await until();
            // This time is shorter than the lifetime of the lock.
            mock.timers.tick(14_999);
            await eventually(async () => (await until()) > before, 'later end of the lock');
          }
        },
      };
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        await migrate(mongo.db, [slow]);
      } finally {
        mock.timers.reset();
      }
      await mongo.db.dropDatabase();
      await mongo.close();
    });

    it('are repeated after a failure, and may be repeated at any time', async () => {
      const mongo = await empty();
      const failing: Migration = { id: 'a-1', apply: () => Promise.reject(new Error('interrupted')) };
      expect(String(await migrate(mongo.db, [failing]).catch((reason: unknown) => reason))).to.include('interrupted');
      for (const step of MIGRATIONS) {
        await step.apply(mongo.db);
        await step.apply(mongo.db);
      }
      await migrate(mongo.db, MIGRATIONS);
      await mongo.db.dropDatabase();
      await mongo.close();
    });
  });

  it('never repeat the URL, which may contain a password', async () => {
    for (const uri of ['mongodb://u:geheim@', 'redis://u:geheim@h', '']) {
      const error = await openMongo(uri).catch((reason: unknown) => reason);
      expect(error, uri).to.be.instanceOf(MongoAddressError);
      expect(String((error as Error).stack)).to.not.include('geheim');
      expect((error as Error).cause).to.equal(undefined);
    }
    const patient = timeLimits.requestMs;
    timeLimits.requestMs = 100;
    const error = await openMongo('mongodb://u:geheim@127.0.0.1:1/?replicaSet=rs0', { readyLimitMs: 0 })
      .catch((reason: unknown) => reason)
      .finally(() => (timeLimits.requestMs = patient));
    expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).to.not.include('geheim');
  });
});
