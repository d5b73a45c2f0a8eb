// Redis adapters for a test. Accounts are in SQLite, and the usage of past days is in memory.
import { createAdmissionRecords } from '../../src/metering/admission-records.redis.js';
import { openRedis } from '../../src/platform/stores/redis/connection.js';
import { createRedisQuotaAdmissions } from '../../src/metering/quota-admissions.redis.js';
import { admissionRecordOf } from '../../src/metering/admission-record.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { Plans } from '../../src/accounts/plan.js';
import type { DayUsage, UsageLedger } from '../../src/metering/usage-ledger.js';
import { invalidatingAccountStore } from '../../src/metering/invalidating-account-store.records.js';
import { recordStores } from './stores.js';
import { temporaryDatabase } from './temporary.js';

function memoryLedger(): UsageLedger & { readonly touched: Map<string, Date> } {
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

export type DurableStores = ReturnType<typeof temporaryDurableStores>;

export function temporaryDurableStores() {
  const { db, close } = temporaryDatabase();
  const accounts = recordStores(db).accounts;
  return {
    accounts,
    ledger: memoryLedger(),
    source: {
      async read(id: AccountId) {
        const account = await accounts.find(id);
        return account && !account.deleting ? admissionRecordOf(account) : undefined;
      },
    },
    close,
  };
}

export type RedisProcess = Awaited<ReturnType<typeof openRedisProcess>>;

/** Opens the stores of one service process. */
export async function openRedisProcess(
  url: string,
  stores: DurableStores,
  { plans, now, flushIntervalMs }: { plans: Plans; now?: () => number; flushIntervalMs?: number },
) {
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
    accounts: invalidatingAccountStore(stores.accounts, records),
    admissions,
    async close(): Promise<void> {
      await admissions.close().catch(() => undefined);
      await redis.close();
    },
  };
}
