// Quota admissions in Redis. Equal requests that arrive while a script call is running share the next call.
import { keyId } from '../accounts/key-format.js';
import type { Plans } from '../accounts/plan.js';
import { exceededQuota, keyCounter, shownQuota, usedOf, type CountedQuotas } from './usage-counter.js';
import { secondsLeftInDay, utcDay } from '../platform/utc-day.js';
import type { AccountId } from '../accounts/account.js';
import type { Admission, AdmissionRequest, KeyRejection, QuotaAdmissions, UsageReading } from './quota-admissions.js';
import type { AccountSource } from './admission-records.js';
import type { AccountDayUsage, UsageLedger } from './usage-ledger.js';
import { createAdmit, type AdmissionCall, type AdmissionReply } from './admission-calls.redis.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { microBatcher } from '../platform/stores/redis/micro-batcher.js';
import { createUsageCounters } from './usage-counters.redis.js';
import { openUsageWriter } from './usage-writer.redis.js';

interface Options {
  readonly redis: RedisConnection;
  readonly accounts: AccountSource;
  readonly ledger: UsageLedger;
  readonly plans: Plans;
  /** Returns the time in ms since the epoch, for tests. By default, the scripts use the time of the Redis server. */
  readonly now?: (() => number) | undefined;
  /** Called when counters could not be written to MongoDB (the usage ledger). The next periodic write tries again. */
  readonly onFlushError?: (error: unknown) => void;
  /** Interval in ms between two writes of counters to MongoDB (the usage ledger). */
  readonly flushIntervalMs?: number | undefined;
  /** Maximum number of clients to remember: the number of keys for which the last use is kept in memory. */
  readonly maxClients?: number | undefined;
}

/**
 * Default of `maxClients`. The number is small, because only commands use the default, and commands admit no requests.
 */
const FEW_CLIENTS = 1000;

export interface RedisQuotaAdmissions extends QuotaAdmissions {
  /**
   * Returns today's and yesterday's counters from Redis. If a counter has a higher `rev` than in the ledger, it is
   * newer.
   */
  liveUsage(id: AccountId): Promise<readonly AccountDayUsage[]>;
  /** Writes the counters that this process has changed, and the last uses of keys, to the ledger (MongoDB). */
  readonly flush: () => Promise<void>;
  /**
   * Writes changed counters to the ledger (MongoDB) if the process that changed them has ended before it wrote them.
   */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

export function createRedisQuotaAdmissions(options: Options): RedisQuotaAdmissions {
  const { redis, accounts, ledger, plans, now, maxClients = FEW_CLIENTS } = options;
  const { onFlushError: onError = () => undefined, flushIntervalMs: intervalMs } = options;
  const counters = createUsageCounters(redis, ledger);
  const writer = openUsageWriter({ redis, counters, ledger, maxKeys: maxClients, onError, intervalMs });
  const admit = createAdmit({ redis, accounts, counters, plans, now });
  const gather = microBatcher(admitAll);

  async function admitAll(_name: string, requests: readonly AdmissionRequest[]): Promise<readonly Admission[]> {
    const [request] = requests;
    if (!request) return [];
    const { accountId, charge, units = 1, cost = 1 } = request;
    if (charge === 'count') writer.note(accountId);
    const reply = await admit({ ...request, units, cost, count: requests.length });
    if (reply.rejected === null) {
      // Notes the account again, because the first note may be gone: a write to the ledger may have removed it before
      // the script counted the request.
      if (charge === 'count' && reply.inQuota > 0) writer.note(accountId);
      writer.used(request, reply.nowMs);
    }
    return requests.map((_, index) => admissionOf(plans, request, reply, index));
  }

  async function readUsage({
    accountId,
    keyHash,
  }: Pick<AdmissionCall, 'accountId' | 'keyHash'>): Promise<UsageReading | KeyRejection> {
    const reply = await admit({ accountId, keyHash, bucket: 'svg', charge: 'verify', units: 1, cost: 0, count: 1 });
    if (reply.rejected !== null) return { rejected: reply.rejected === 'suspended' ? 'suspended' : 'key' };
    if (keyHash !== null) writer.used({ accountId, keyHash }, reply.nowMs);
    const day = utcDay(reply.nowMs);
    const today = (await counters.read(accountId)).find((usage) => usage.day === day);
    return { day, tier: reply.tier, ...usedOf(today?.used ?? {}) };
  }

  return {
    admit: (request) => gather(groupOf(request), request),
    async refund({ accountId, keyHash, allowingOrigins, bucket, day, units = 1 }) {
      writer.note(accountId);
      const names = allowingOrigins ? [bucket, keyCounter(keyId(keyHash))] : [bucket];
      await counters.refund({ accountId, day, names, units });
    },
    usage: ({ accountId, keyHash }) => readUsage({ accountId, keyHash }),
    usageOf: (accountId) => readUsage({ accountId, keyHash: null }),
    liveUsage: (id) => counters.read(id),
    flush: writer.flush,
    takeOver: writer.takeOver,
    close: () => writer.close(),
  };
}

/** Returns the name of the request's group. Requests with the same name are equal for the admission script. */
function groupOf({ allowingOrigins, visitor = '', units = 1, cost = 1, ...request }: AdmissionRequest): string {
  const { accountId, keyHash, bucket, charge } = request;
  const name = `${accountId} ${keyHash} ${bucket} ${charge} ${units} ${cost}`;
  return allowingOrigins ? `${name} ${visitor} ${allowingOrigins.join(' ')}` : name;
}

function admissionOf(plans: Plans, request: AdmissionRequest, reply: AdmissionReply, index: number): Admission {
  if (reply.rejected !== null) return { rejected: reply.rejected };
  const { nowMs, tier, used, inBurst, inQuota, retryAfterSeconds, ownBrands, key } = reply;
  const plan = plans[tier];
  if (index >= inBurst && plan.burstPerSecond !== null)
    return { rejected: 'burst', retryAfterSeconds, perSecond: plan.burstPerSecond, tier };
  const { units = 1 } = request;
  const counted = request.charge === 'count' ? Math.min(index + 1, inQuota) * units : 0;
  const quotas: CountedQuotas = {
    bucket: { limit: plan.daily[request.bucket], used: used + counted },
    key: key && { limit: key.limit, used: key.used + counted },
  };
  const isAdmitted = index < inQuota;
  const applied = (isAdmitted ? undefined : exceededQuota(quotas, units)) ?? shownQuota(quotas);
  // The code lists all fields, because a spread would double the time of this function.
  const quota = {
    of: applied.of,
    limit: applied.limit,
    used: applied.used,
    day: utcDay(nowMs),
    tier,
    secondsLeft: secondsLeftInDay(nowMs),
  };
  const rejected = isAdmitted ? null : 'quota';
  if (key && isAdmitted && counted > 0) return { rejected, quota, ownBrands, bucketUse: quotas.bucket };
  return ownBrands === '' ? { rejected, quota } : { rejected, quota, ownBrands };
}
