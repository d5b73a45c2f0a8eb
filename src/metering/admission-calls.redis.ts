// Calls of the admission script. One call serves n equal requests, and is repeated if the account must be read first.
import { randomUUID } from 'node:crypto';
import type { AccountId } from '../accounts/account.js';
import type { AdmissionRecord } from './admission-record.js';
import { keyId } from '../accounts/key-format.js';
import { beginDeadline } from '../platform/concurrency/deadline.js';
import { ADDRESS_REFILL } from './burst.js';
import { BUCKETS, TIERS, type Bucket, type Plans, type Tier } from '../accounts/plan.js';
import { keyCounter, type QuotaUse } from './usage-counter.js';
import { utcDay } from '../platform/utc-day.js';
import { AppError } from '../platform/errors.js';
import type { AdmissionRequest } from './quota-admissions.js';
import { accountKeys } from './account-keys.redis.js';
import {
  API_KEY_FIELD,
  GONE_TTL_MS,
  publishableField,
  publishableValue,
  RECORD_TTL_MS,
  recordFields,
  untilValue,
} from './admission-records.redis.js';
import { SEND_LIMIT_MS, type RedisConnection } from '../platform/stores/redis/connection.js';
import type { AccountSource } from './admission-records.js';
import { loadScript } from '../platform/stores/redis/scripts.js';
import type { UsageCounters } from './usage-counters.redis.js';

export interface AdmissionCall extends Omit<AdmissionRequest, 'keyHash' | 'units' | 'cost'> {
  /** SHA-256 of the key in hex; null if the caller was authenticated by other means. */
  readonly keyHash: string | null;
  readonly units: number;
  readonly cost: number;
  /** Number of equal requests. */
  readonly count: number;
}

export type AdmissionReply =
  | { readonly rejected: 'key' | 'suspended' | 'origin' }
  | {
      readonly rejected: null;
      readonly nowMs: number;
      readonly tier: Tier;
      /** Count before this call. */
      readonly used: number;
      /** Number of requests, from the first, that are within the burst limit. */
      readonly inBurst: number;
      /** Number of these requests that are also within the quota. */
      readonly inQuota: number;
      readonly retryAfterSeconds: number;
      /** Ids of the pages of the account's own brands. */
      readonly ownBrands: string;
      /** Quota of the publishable key; `used` is the count before this call. */
      readonly key: QuotaUse | undefined;
    };

interface Options {
  readonly redis: RedisConnection;
  readonly accounts: AccountSource;
  readonly counters: Pick<UsageCounters, 'seed'>;
  readonly plans: Plans;
  /** Time in ms since the epoch, for tests; by default the server's time. */
  readonly now?: (() => number) | undefined;
}

/** Account as read from the durable store during a change. */
interface MarkedReading {
  /** Identifies the changes that were running. */
  readonly seq: string;
  readonly record: AdmissionRecord | undefined;
}

/** Maximum number of calls. Each further one means that the account changed, or a reply was late, in between. */
const MAX_ATTEMPTS = 8;
/** Time limit in ms for all attempts, including reading the account. */
const LIMIT_MS = 950;

export type Admit = (call: AdmissionCall) => Promise<AdmissionReply>;

export function createAdmit({ redis, accounts, counters, plans, now }: Options): Admit {
  const admit = loadScript(redis, new URL('admit-requests-6.lua', import.meta.url));
  const fill = loadScript(redis, new URL('fill-account-record-2.lua', import.meta.url));
  const clock = createServerClock(now);
  const nextToken = createTokens();
  const plansByBucket = new Map(BUCKETS.map((bucket) => [bucket, planArgument(plans, bucket)]));

  async function once(call: AdmissionCall, marked: MarkedReading | undefined): Promise<readonly unknown[]> {
    const reply = await admit(keysOf(call), [
      ...keyArguments(call),
      ...chargeArguments(call),
      plansByBucket.get(call.bucket) ?? '',
      nextToken(),
      clock.argument(),
      clock.deadline(SEND_LIMIT_MS),
      ...(marked ? [marked.seq, ...readingArguments(call, marked.record)] : []),
    ]);
    if (!Array.isArray(reply)) throw new Error('the admission script replied with no array');
    clock.learn(Number(reply[1]));
    return reply as readonly unknown[];
  }

  /**
   * Reads the account and fills the record. The fill is sent together with the next attempt, which finds the record.
   */
  async function refill(id: AccountId, token: string, nowMs: number): Promise<void> {
    // Both must be read before the record exists: an attempt that finds the record counts from these counters.
    const [record] = await Promise.all([accounts.read(id), counters.seed(id, utcDay(nowMs))]);
    const { record: recordKey, fill: fillKey } = accountKeys(id);
    const args = [token, record ? RECORD_TTL_MS : GONE_TTL_MS, ...recordFields(record)];
    // If the fill fails, the next attempt is another miss.
    fill([recordKey, fillKey], args).catch(() => undefined);
  }

  /** Reads the account for the next attempt, if this reply asks for it. */
  async function prepare(
    id: AccountId,
    [outcome, nowMs, text]: readonly unknown[],
  ): Promise<MarkedReading | undefined> {
    if (outcome === 'miss') await refill(id, String(text), Number(nowMs));
    if (outcome !== 'marked') return undefined;
    const [record] = await Promise.all([accounts.read(id), counters.seed(id, utcDay(Number(nowMs)))]);
    return { seq: String(text), record };
  }

  async function retry(call: AdmissionCall, first: readonly unknown[]): Promise<AdmissionReply> {
    let reply = first;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      reply = await once(call, await prepare(call.accountId, reply));
      if (isDecided(reply)) return decision(reply);
    }
    throw new AppError('unavailable', undefined, { cause: new Error('the account changed too often meanwhile') });
  }

  return async (call) => {
    const deadline = beginDeadline(LIMIT_MS, () => new AppError('unavailable'));
    const first = await once(call, undefined);
    return isDecided(first) ? decision(first) : deadline.within(retry(call, first));
  };
}

/**
 * Returns the clock of the scripts: a test's clock, or an estimate of the server's. A paused server later executes
 * commands that were sent before, although their callers were rejected long ago. The deadline keeps it from counting
 * these requests. The estimate is early by at most the travel time of the last reply.
 */
function createServerClock(now?: () => number) {
  let offsetMs: number | undefined;
  return {
    /** Returns a test clock's ms since the epoch; empty for the server's own time. */
    argument: (): string => (now ? String(now()) : ''),
    /** Returns the expiry in the server's ms of a command sent now; empty while the server's time is unknown. */
    deadline: (limitMs: number): string =>
      offsetMs === undefined ? '' : String(Math.floor(performance.now() + offsetMs) + limitMs),
    /** Updates the estimate from `serverMs`, a server time that has just arrived. */
    learn(serverMs: number): void {
      if (!now) offsetMs = serverMs - performance.now();
    },
  };
}

function keysOf({ accountId, allowingOrigins, visitor = '' }: AdmissionCall): readonly string[] {
  const { record, mark, fill, usage, burst, pageBurst, visitorBurst } = accountKeys(accountId);
  return [record, mark, fill, usage, allowingOrigins ? pageBurst : burst, visitorBurst(visitor)];
}

/** Returns the charge of the requests, and whether the visitor has a share. */
function chargeArguments({ charge, count, units, cost, visitor }: AdmissionCall): readonly (string | number)[] {
  return [charge, count, units, cost, visitor === undefined ? 0 : 1, ADDRESS_REFILL];
}

/** Returns the key's field, its hash, the origins that allow its page, the bucket, and the key's counter. */
function keyArguments({ keyHash, allowingOrigins, bucket }: AdmissionCall): readonly string[] {
  return allowingOrigins && keyHash !== null
    ? [publishableField(keyHash), '', allowingOrigins.join(' '), bucket, keyCounter(keyId(keyHash))]
    : [API_KEY_FIELD, keyHash ?? '', '', bucket, ''];
}

/** Returns tier, suspended, the value of the key's field, the pages of own brands, and the end of the tier. */
function readingArguments(
  { keyHash, allowingOrigins }: AdmissionCall,
  record: AdmissionRecord | undefined,
): readonly (string | number)[] {
  if (!record) return ['', '0', '', '', ''];
  const publishable = allowingOrigins && record.publishableKeys.find((key) => key.keyHash === keyHash);
  const apiKey = allowingOrigins ? '' : (record.keyHash ?? '');
  const key = publishable ? publishableValue(publishable) : apiKey;
  return [record.tier, record.suspended ? '1' : '0', key, record.ownBrands, untilValue(record.tierEndsAt)];
}

/** Creates a generator of unique tokens. Only the prefix is random, which saves a random number per token. */
function createTokens(): () => string {
  const processToken = randomUUID();
  let count = 0;
  return () => `${processToken}.${count++}`;
}

const isDecided = ([outcome]: readonly unknown[]): boolean => !['late', 'miss', 'marked'].includes(String(outcome));

/**
 * Returns the limits of all tiers. They are sent with each call instead of being stored in the record, because a
 * deployment may change them at any time.
 */
const planArgument = (plans: Plans, bucket: Bucket): string =>
  TIERS.map((tier) => `${tier}=${plans[tier].daily[bucket] ?? ''}/${plans[tier].burstPerSecond ?? ''}`).join(';');

function decision(reply: readonly unknown[]): AdmissionReply {
  const [outcome] = reply;
  if (outcome === 'key' || outcome === 'suspended' || outcome === 'origin') return { rejected: outcome };
  const tier = TIERS.find((name) => name === reply[2]);
  if (outcome !== 'ok' || tier === undefined) throw new Error('the admission script replied otherwise than agreed');
  const [nowMs, , used, inBurst, inQuota, retryAfterSeconds, , keyUsed, keyLimit = null] = reply.slice(1).map(Number);
  return {
    rejected: null,
    nowMs: nowMs ?? 0,
    tier,
    used: used ?? 0,
    inBurst: inBurst ?? 0,
    inQuota: inQuota ?? 0,
    retryAfterSeconds: retryAfterSeconds ?? 1,
    ownBrands: String(reply[7]),
    key: keyUsed === undefined ? undefined : { limit: keyLimit, used: keyUsed },
  };
}
