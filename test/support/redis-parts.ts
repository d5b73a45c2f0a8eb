// The Redis adapters of a test, with accounts in SQLite and a ledger in memory.
import { createEmbeddedAccountStore } from '../../src/adapters/embedded/accounts/account-store.js';
import { createAdmissionRecords, type AdmissionRecords } from '../../src/adapters/redis/admission-records.js';
import { openRedis, type RedisConnection } from '../../src/adapters/redis/connection.js';
import type { AccountSource, AdmissionRecord, DayUsage, UsageLedger } from '../../src/adapters/redis/durable-stores.js';
import { createRedisQuotaAdmissions, type RedisQuotaAdmissions } from '../../src/adapters/redis/quota-admissions.js';
import type { Account, AccountId } from '../../src/domain/account/account.js';
import { publishableKeyRule } from '../../src/domain/account/publishable-key.js';
import type { Plans } from '../../src/domain/metering/plan.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import { temporaryDatabase } from './temporary.js';

export interface MemoryLedger extends UsageLedger {
  readonly touched: Map<string, Date>;
}

function memoryLedger(): MemoryLedger {
  const days = new Map<string, DayUsage>();
  const touched = new Map<string, Date>();
  return {
    touched,
    read: async (id, day) => days.get(`${id}:${day}`),
    async write(readings) {
      for (const { accountId, day, rev, used } of readings)
        if ((days.get(`${accountId}:${day}`)?.rev ?? 0) < rev) days.set(`${accountId}:${day}`, { rev, used });
    },
    async touch(keys) {
      for (const { keyHash, lastUsedAt } of keys) touched.set(keyHash, lastUsedAt);
    },
  };
}

export const admissionRecordOf = ({ key, tier, suspended, publishableKeys, version }: Account): AdmissionRecord => ({
  keyHash: key?.hash ?? null,
  tier,
  suspended,
  publishableKeys: publishableKeys.map(publishableKeyRule),
  version,
});

export interface DurableStores {
  readonly accounts: AccountStore;
  readonly source: AccountSource;
  readonly ledger: MemoryLedger;
  readonly close: () => void;
}

export function temporaryDurableStores(): DurableStores {
  const { db, close } = temporaryDatabase();
  const accounts = createEmbeddedAccountStore(db);
  return {
    accounts,
    ledger: memoryLedger(),
    source: {
      async read(id) {
        const account = await accounts.find(id);
        return account && !account.deleting ? admissionRecordOf(account) : undefined;
      },
    },
    close,
  };
}

/** Every insert and save is announced to the admissions, before and after. */
function publishedAccounts(accounts: AccountStore, records: AdmissionRecords): AccountStore {
  async function change<Result>(
    account: Account,
    write: () => Promise<Result>,
    isWritten: (result: Result) => boolean,
  ) {
    const token = await records.begin(account.id);
    const result = await write();
    if (isWritten(result)) await records.publish(account.id, token, admissionRecordOf(account));
    else await records.abandon(account.id, token);
    return result;
  }
  return {
    ...accounts,
    insert: (account, events) =>
      change(
        account,
        () => accounts.insert(account, events),
        (result) => result === 'inserted',
      ),
    save: (account, events) => change(account, () => accounts.save(account, events), Boolean),
    async remove(id: AccountId) {
      const token = await records.begin(id);
      await accounts.remove(id);
      await records.publish(id, token, null);
    },
  };
}

export interface RedisProcess {
  readonly redis: RedisConnection;
  readonly records: AdmissionRecords;
  readonly accounts: AccountStore;
  readonly admissions: RedisQuotaAdmissions;
  readonly close: () => Promise<void>;
}

/** As one process of the service has them. */
export async function openRedisProcess(
  url: string,
  stores: DurableStores,
  { plans, now, flushIntervalMs }: { plans: Plans; now?: () => number; flushIntervalMs?: number },
): Promise<RedisProcess> {
  const redis = await openRedis(url);
  const records = createAdmissionRecords(redis);
  const admissions = createRedisQuotaAdmissions({
    redis,
    accounts: stores.source,
    ledger: stores.ledger,
    plans,
    now,
    flushIntervalMs,
  });
  return {
    redis,
    records,
    accounts: publishedAccounts(stores.accounts, records),
    admissions,
    async close() {
      await admissions.close().catch(() => undefined);
      await redis.close();
    },
  };
}
