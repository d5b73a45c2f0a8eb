// The Redis adapters of a test, with accounts in SQLite and a ledger in memory.
import { createAdmissionRecords } from '../../src/adapters/redis/admission-records.js';
import { openRedis, type RedisConnection } from '../../src/adapters/redis/connection.js';
import { createRedisQuotaAdmissions, type RedisQuotaAdmissions } from '../../src/adapters/redis/quota-admissions.js';
import { admissionRecordOf } from '../../src/domain/account/admission-record.js';
import type { Plans } from '../../src/domain/metering/plan.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import type { AccountSource, AdmissionRecords } from '../../src/ports/admission-records.js';
import type { DayUsage, UsageLedger } from '../../src/ports/usage-ledger.js';
import { announcedAccounts } from '../../src/stores/announced-accounts.js';
import { recordStores } from './stores.js';
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

export interface DurableStores {
  readonly accounts: AccountStore;
  readonly source: AccountSource;
  readonly ledger: MemoryLedger;
  readonly close: () => void;
}

export function temporaryDurableStores(): DurableStores {
  const { db, close } = temporaryDatabase();
  const accounts = recordStores(db).accounts;
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
    accounts: announcedAccounts(stores.accounts, records),
    admissions,
    async close() {
      await admissions.close().catch(() => undefined);
      await redis.close();
    },
  };
}
