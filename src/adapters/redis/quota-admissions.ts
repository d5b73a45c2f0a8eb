// Quota admissions in Redis: equal requests that arrive while a call is under way are the next call together.
import { keyId } from '../../domain/account/key-format.js';
import type { Plans } from '../../domain/metering/plan.js';
import {
  exceededQuota,
  keyCounter,
  shownQuota,
  usedOf,
  type CountedQuotas,
} from '../../domain/metering/usage-counter.js';
import { secondsLeftInDay, utcDay } from '../../domain/metering/utc-day.js';
import type { AccountId } from '../../domain/account/account.js';
import type {
  Admission,
  AdmissionRequest,
  KeyRejection,
  QuotaAdmissions,
  UsageReading,
} from '../../ports/quota-admissions.js';
import type { AccountSource } from '../../ports/admission-records.js';
import type { AccountDayUsage, UsageLedger } from '../../ports/usage-ledger.js';
import { createAdmit, type AdmissionCall, type AdmissionReply } from './admission-calls.js';
import type { RedisConnection } from './connection.js';
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
  liveUsage(id: AccountId): Promise<readonly AccountDayUsage[]>;
  /** Writes the counters that this process has changed, and the last use of keys, to the ledger now. */
  readonly flush: () => Promise<void>;
  /** Writes the counters that processes which have ended have left. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

/** Equal requests, in the order of their arrival. */
interface Group {
  readonly request: AdmissionRequest;
  readonly waiting: { readonly resolve: (admission: Admission) => void; readonly reject: (error: unknown) => void }[];
}

/** Requests wait for a call that is under way at most so long: a slow server delays them no further. */
const MAX_WAIT_MS = 5;

export function createRedisQuotaAdmissions(options: Options): RedisQuotaAdmissions {
  const { redis, accounts, ledger, plans, now, onFlushError = () => undefined, flushIntervalMs } = options;
  const counters = createUsageCounters(redis, ledger);
  const writer = createUsageWriter({ redis, counters, ledger, onError: onFlushError, intervalMs: flushIntervalMs });
  const admit = createAdmit({ redis, accounts, counters, plans, clock: createServerClock(now) });
  const gather = createGathering<Group>(admitGroup);

  async function admitGroup({ request, waiting }: Group): Promise<void> {
    try {
      if (request.charge === 'count') writer.note(request.accountId);
      const reply = await admit({
        count: waiting.length,
        ...request,
        units: request.units ?? 1,
        cost: request.cost ?? 1,
      });
      if (reply.rejected === null) {
        // A flush may have begun since the request was sent.
        if (request.charge === 'count' && reply.inQuota > 0) writer.note(request.accountId);
        writer.used(request, reply.nowMs);
      }
      for (const [index, { resolve }] of waiting.entries()) resolve(admissionOf(plans, request, reply, index));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
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
    admit(request) {
      return new Promise((resolve, reject) => {
        gather(groupOf(request), () => ({ request, waiting: [] })).waiting.push({ resolve, reject });
      });
    },
    async refund({ accountId, keyHash, page, bucket, day, units = 1 }) {
      writer.note(accountId);
      const names = page ? [bucket, keyCounter(keyId(keyHash))] : [bucket];
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

/**
 * The group of this name that requests can join. It is handled once no other of the name is under way, or after
 * `MAX_WAIT_MS`, and in any case after the poll phase, so that every request which has arrived by then is in it.
 */
function createGathering<Gathered>(handle: (group: Gathered) => Promise<void>) {
  const open = new Map<string, Gathered>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Groups under way, by name. */
  const underWay = new Map<string, number>();
  let due: string[] = [];

  function handleDue(): void {
    const names = due;
    due = [];
    for (const name of names) {
      const group = open.get(name);
      if (group !== undefined) void handleOne(name, group);
    }
  }

  function makeDue(name: string): void {
    if (due.length === 0) setImmediate(handleDue);
    due.push(name);
  }

  async function handleOne(name: string, group: Gathered): Promise<void> {
    open.delete(name);
    clearTimeout(timers.get(name));
    timers.delete(name);
    underWay.set(name, (underWay.get(name) ?? 0) + 1);
    await handle(group);
    const left = (underWay.get(name) ?? 1) - 1;
    if (left > 0) underWay.set(name, left);
    else underWay.delete(name);
    if (open.has(name)) makeDue(name);
  }

  return (name: string, create: () => Gathered): Gathered => {
    const known = open.get(name);
    if (known !== undefined) return known;
    const group = create();
    open.set(name, group);
    if (underWay.has(name)) timers.set(name, setTimeout(makeDue, MAX_WAIT_MS, name));
    else makeDue(name);
    return group;
  };
}

/** Equal for requests that are decided alike. */
function groupOf({ page, visitor = '', units = 1, cost = 1, ...request }: AdmissionRequest): string {
  const { accountId, keyHash, bucket, charge } = request;
  const name = `${accountId} ${keyHash} ${bucket} ${charge} ${units} ${cost}`;
  return page ? `${name} ${visitor} ${page.join(' ')}` : name;
}

/** Of the request with this index among those of the call. */
function admissionOf(plans: Plans, request: AdmissionRequest, reply: AdmissionReply, index: number): Admission {
  if (reply.rejected !== null) return { rejected: reply.rejected };
  const { nowMs, tier, used, inBurst, inQuota, retryAfterSeconds, key } = reply;
  const plan = plans[tier];
  if (index >= inBurst && plan.burstPerSecond !== null)
    return { rejected: 'burst', retryAfterSeconds, perSecond: plan.burstPerSecond };
  const { units = 1 } = request;
  const counted = request.charge === 'count' ? Math.min(index + 1, inQuota) * units : 0;
  const quotas: CountedQuotas = {
    bucket: { limit: plan.daily[request.bucket], used: used + counted },
    key: key && { limit: key.limit, used: key.used + counted },
  };
  const isAdmitted = index < inQuota;
  const applied = (isAdmitted ? undefined : exceededQuota(quotas, units)) ?? shownQuota(quotas);
  // Written out: a spread takes as long as the rest.
  const quota = {
    of: applied.of,
    limit: applied.limit,
    used: applied.used,
    day: utcDay(nowMs),
    tier,
    secondsLeft: secondsLeftInDay(nowMs),
  };
  return { rejected: isAdmitted ? null : 'quota', quota };
}
