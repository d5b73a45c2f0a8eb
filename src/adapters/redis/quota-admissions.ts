// Quota admissions in Redis: equal requests of one event loop tick are one script call, all calls of a tick one pipeline.
import type { Plans } from '../../domain/metering/plan.js';
import { keyCounter, tighterQuota, usedOf } from '../../domain/metering/usage-counter.js';
import { secondsLeftInDay, utcDay } from '../../domain/metering/utc-day.js';
import type { AccountId } from '../../domain/account/account.js';
import type {
  Admission,
  AdmissionRequest,
  KeyRejection,
  QuotaAdmissions,
  UsageReading,
} from '../../ports/quota-admissions.js';
import { createAdmit, type AdmissionCall, type AdmissionReply } from './admission-calls.js';
import type { RedisConnection } from './connection.js';
import type { AccountSource, UsageLedger, UsageOfDay } from './durable-stores.js';
import { createServerClock } from './server-clock.js';
import { createUsageCounters } from './usage-counters.js';
import { createUsageWriter } from './usage-writer.js';

interface Options {
  readonly redis: RedisConnection;
  readonly accounts: AccountSource;
  readonly ledger: UsageLedger;
  readonly plans: Plans;
  /** ms since the epoch, of tests; else the server's time. */
  readonly now?: (() => number) | undefined;
  /** Counters could not be written to the ledger; the next round tries again. */
  readonly onFlushError?: (error: unknown) => void;
  /** Between two rounds in which counters are written to the ledger. */
  readonly flushIntervalMs?: number | undefined;
}

export interface RedisQuotaAdmissions extends QuotaAdmissions {
  /** Today's and yesterday's counters, as they are now; newer than the ledger's where their `rev` is higher. */
  liveUsage(id: AccountId): Promise<readonly UsageOfDay[]>;
  /** Writes the counters that this process has changed to the ledger now. */
  flush(): Promise<void>;
  /** Writes the counters that processes which have ended have left. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

/** Equal requests of one tick, in the order of their arrival. */
interface Group {
  readonly request: AdmissionRequest;
  readonly waiting: { readonly resolve: (admission: Admission) => void; readonly reject: (error: unknown) => void }[];
}

export function createRedisQuotaAdmissions(options: Options): RedisQuotaAdmissions {
  const { redis, accounts, ledger, plans, now, onFlushError = () => undefined, flushIntervalMs } = options;
  const counters = createUsageCounters(redis, ledger);
  const writer = createUsageWriter({ redis, counters, ledger, onError: onFlushError, intervalMs: flushIntervalMs });
  const admit = createAdmit({ redis, accounts, counters, plans, clock: createServerClock(now) });
  let groups = new Map<string, Group>();

  async function admitGroup({ request, waiting }: Group): Promise<void> {
    try {
      if (request.charge === 'count') writer.note(request.accountId);
      const reply = await admit({ ...request, units: request.units ?? 1, count: waiting.length });
      if (request.charge === 'count' && reply.rejected === null && reply.inQuota > 0) writer.used(request, reply.nowMs);
      for (const [index, { resolve }] of waiting.entries()) resolve(admissionOf(plans, request, reply, index));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  function admitAll(): void {
    const all = groups;
    groups = new Map();
    for (const group of all.values()) void admitGroup(group);
  }

  async function readUsage(call: Pick<AdmissionCall, 'accountId' | 'keyHash'>): Promise<UsageReading | KeyRejection> {
    const reply = await admit({ ...call, bucket: 'svg', charge: 'verify', units: 1, count: 1 });
    if (reply.rejected !== null) return { rejected: reply.rejected === 'suspended' ? 'suspended' : 'key' };
    const day = utcDay(reply.nowMs);
    const today = (await counters.read(call.accountId)).find((usage) => usage.day === day);
    return { day, tier: reply.tier, ...usedOf(today?.used ?? {}) };
  }

  return {
    admit(request) {
      return new Promise((resolve, reject) => {
        // Runs after the poll phase, so every request that has arrived by then joins its group.
        if (groups.size === 0) setImmediate(admitAll);
        const name = groupOf(request);
        const group = groups.get(name) ?? { request, waiting: [] };
        groups.set(name, group);
        group.waiting.push({ resolve, reject });
      });
    },
    async refund({ accountId, keyHash, page, bucket, day, units = 1 }) {
      writer.note(accountId);
      const names = page ? [bucket, keyCounter(keyHash)] : [bucket];
      await counters.refund({ accountId, day, names, units });
    },
    usage: ({ accountId, keyHash }) => readUsage({ accountId, keyHash }),
    usageOf: (accountId) => readUsage({ accountId, keyHash: null }),
    liveUsage: (id) => counters.read(id),
    flush: writer.flush,
    takeOver: writer.takeOver,
    close: writer.close,
  };
}

/** Equal for requests that are decided alike. */
function groupOf({ accountId, keyHash, page, bucket, charge, units = 1 }: AdmissionRequest): string {
  const name = `${accountId} ${keyHash} ${bucket} ${charge} ${units}`;
  return page ? `${name} ${page.join(' ')}` : name;
}

/** Of the request with this index among those of the call. */
function admissionOf(plans: Plans, request: AdmissionRequest, reply: AdmissionReply, index: number): Admission {
  if (reply.rejected !== null) return { rejected: reply.rejected };
  const { nowMs, tier, used, inBurst, inQuota, retryAfterSeconds, key } = reply;
  const plan = plans[tier];
  if (index >= inBurst && plan.burstPerSecond !== null)
    return { rejected: 'burst', retryAfterSeconds, perSecond: plan.burstPerSecond };
  const counted = request.charge === 'count' ? Math.min(index + 1, inQuota) * (request.units ?? 1) : 0;
  const quota = {
    ...tighterQuota(
      { limit: plan.daily[request.bucket], used: used + counted },
      key && { limit: key.limit, used: key.used + counted },
    ),
    day: utcDay(nowMs),
    tier,
    secondsLeft: secondsLeftInDay(nowMs),
  };
  return { rejected: index < inQuota ? null : 'quota', quota };
}
