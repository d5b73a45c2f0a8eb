// Calls of the admission script. One call decides about several equal requests. If the script does not know the
// account, the account is read from MongoDB and the call is repeated.
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
  /** SHA-256 of the key in hex; null if the caller was authenticated by another credential. */
  readonly keyHash: string | null;
  readonly units: number;
  readonly cost: number;
  readonly count: number;
}

export type AdmissionReply =
  | { readonly rejected: 'key' | 'suspended' | 'origin' }
  | {
      readonly rejected: null;
      readonly nowMs: number;
      readonly tier: Tier;
      /** Requests counted in the bucket before this call. */
      readonly used: number;
      /** Number of requests within the burst limit. They are the first requests of the call. */
      readonly inBurst: number;
      /** Number of requests within burst limit and quota. They are the first requests of the call. */
      readonly inQuota: number;
      readonly retryAfterSeconds: number;
      /** Ids of the records (pages) that store the account's own brands, separated by spaces. */
      readonly ownBrands: string;
      /** Daily limit of the publishable key, and its count before this call; undefined for an API key. */
      readonly key: QuotaUse | undefined;
    };

interface Options {
  readonly redis: RedisConnection;
  readonly accounts: AccountSource;
  readonly counters: Pick<UsageCounters, 'seed'>;
  readonly plans: Plans;
  /** Returns the time in ms since the epoch, for tests. By default, the script uses the time of the Redis server. */
  readonly now?: (() => number) | undefined;
}

/** Account as read from MongoDB while the account is being changed. */
interface MarkedReading {
  /** Value of `seq` when the account was read. If `seq` differs at the next call, the account must be read again. */
  readonly seq: string;
  readonly record: AdmissionRecord | undefined;
}

/**
 * Maximum number of script calls per admission. A further call is needed if the account has changed, or if a reply was
 * late.
 */
const MAX_ATTEMPTS = 8;
/**
 * Time limit in ms for an admission: all script calls and reads of the account together. The first call counts toward
 * the limit, but is not aborted.
 */
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
    if (!Array.isArray(reply)) throw new Error('the reply of the admission script is not an array');
    clock.learn(Number(reply[1]));
    return reply as readonly unknown[];
  }

  /**
   * Reads the account from MongoDB and sends its record to Redis. Resolves before Redis has replied, because the next
   * call of the admission script is sent in the same batch and therefore finds the record.
   */
  async function refill(id: AccountId, token: string, nowMs: number): Promise<void> {
    // The counters must be in Redis before the record, because an admission that finds the record uses the counters.
    const [record] = await Promise.all([accounts.read(id), counters.seed(id, utcDay(nowMs))]);
    const { record: recordKey, fill: fillKey } = accountKeys(id);
    const args = [token, record ? RECORD_TTL_MS : GONE_TTL_MS, ...recordFields(record)];
    // A failure is ignored: without the record, the next call of the admission script asks for the account again.
    fill([recordKey, fillKey], args).catch(() => undefined);
  }

  /** Reads the account for the next call, if the script's reply asks for the account. */
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
    throw new AppError('unavailable', undefined, {
      cause: new Error('the account changed too often during the request'),
    });
  }

  return async (call) => {
    const deadline = beginDeadline(LIMIT_MS, () => new AppError('unavailable'));
    const first = await once(call, undefined);
    return isDecided(first) ? decision(first) : deadline.within(retry(call, first));
  };
}

/**
 * Returns the clock for script calls: the test's clock, or an estimate of the Redis server's clock. A paused server may
 * run a command after its caller has rejected the request. Each command therefore has a deadline, after which the
 * script counts nothing. The estimate is behind the server's clock by at most the travel time of a reply.
 */
function createServerClock(now?: () => number) {
  let offsetMs: number | undefined;
  return {
    /** Returns the test clock's time in ms since the epoch; empty to use the server's time. */
    argument: (): string => (now ? String(now()) : ''),
    /**
     * Returns the deadline of a command that is sent now, in ms of the server's clock; empty while the server's clock
     * is unknown.
     */
    deadline: (limitMs: number): string =>
      offsetMs === undefined ? '' : String(Math.floor(performance.now() + offsetMs) + limitMs),
    /** Updates the estimate with `serverMs`, the server's time in a reply that has just arrived. */
    learn(serverMs: number): void {
      if (!now) offsetMs = serverMs - performance.now();
    },
  };
}

function keysOf({ accountId, allowingOrigins, visitor = '' }: AdmissionCall): readonly string[] {
  const { record, mark, fill, usage, burst, pageBurst, visitorBurst } = accountKeys(accountId);
  return [record, mark, fill, usage, allowingOrigins ? pageBurst : burst, visitorBurst(visitor)];
}

/**
 * Returns the script arguments about the charge, in the order that the script expects. The fifth argument is 1 for a
 * request from a visitor of a web page (`visitor`), else 0. The script gives each visitor a fair share of the burst
 * limit.
 */
function chargeArguments({ charge, count, units, cost, visitor }: AdmissionCall): readonly (string | number)[] {
  return [charge, count, units, cost, visitor === undefined ? 0 : 1, ADDRESS_REFILL];
}

/**
 * Returns the script arguments about the key. Their order: field in the record, hash of an API key, origin rules that
 * allow the page, bucket, counter of a publishable key.
 */
function keyArguments({ keyHash, allowingOrigins, bucket }: AdmissionCall): readonly string[] {
  return allowingOrigins && keyHash !== null
    ? [publishableField(keyHash), '', allowingOrigins.join(' '), bucket, keyCounter(keyId(keyHash))]
    : [API_KEY_FIELD, keyHash ?? '', '', bucket, ''];
}

/**
 * Returns the script arguments with the data of the account that was read. Their order: tier, suspension, value that
 * the record stores for the key, ids of the records that store own brands, end of the tier.
 */
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

/**
 * Returns a function that creates unique tokens. Only the prefix is random, because a random number per token would
 * take longer.
 */
function createTokens(): () => string {
  const processToken = randomUUID();
  let count = 0;
  return () => `${processToken}.${count++}`;
}

const isDecided = ([outcome]: readonly unknown[]): boolean => !['late', 'miss', 'marked'].includes(String(outcome));

/**
 * Returns the limits that the tiers have for one bucket. Each call sends these limits, because a deployment may change
 * them at any time.
 */
const planArgument = (plans: Plans, bucket: Bucket): string =>
  TIERS.map((tier) => `${tier}=${plans[tier].daily[bucket] ?? ''}/${plans[tier].burstPerSecond ?? ''}`).join(';');

function decision(reply: readonly unknown[]): AdmissionReply {
  const [outcome] = reply;
  if (outcome === 'key' || outcome === 'suspended' || outcome === 'origin') return { rejected: outcome };
  const tier = TIERS.find((name) => name === reply[2]);
  if (outcome !== 'ok' || tier === undefined) throw new Error('the admission script returned an unexpected reply');
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
