// Calls of the admission script: one for n equal requests, repeated when the account has to be read first.
import { randomUUID } from 'node:crypto';
import { keyId } from '../../domain/account/key-format.js';
import type { AccountId } from '../../domain/account/account.js';
import { BUCKETS, TIERS, type Bucket, type Plans, type Tier } from '../../domain/metering/plan.js';
import { keyCounter, type QuotaUse } from '../../domain/metering/usage-counter.js';
import { utcDay } from '../../domain/metering/utc-day.js';
import { AppError } from '../../errors.js';
import { ADDRESS_REFILL } from '../../domain/metering/burst.js';
import type { AdmissionRequest } from '../../ports/quota-admissions.js';
import { accountKeys } from './account-keys.js';
import {
  API_KEY_FIELD,
  GONE_TTL_MS,
  publishableField,
  publishableValue,
  RECORD_TTL_MS,
  recordFields,
} from './admission-records.js';
import { SEND_LIMIT_MS, type RedisConnection } from './connection.js';
import { within } from '../../domain/concurrency/deadline.js';
import type { AdmissionRecord } from '../../domain/account/admission-record.js';
import type { AccountSource } from '../../ports/admission-records.js';
import { loadScript } from './scripts.js';
import type { ServerClock } from './server-clock.js';
import type { UsageCounters } from './usage-counters.js';

export interface AdmissionCall {
  readonly accountId: AccountId;
  /** Null: the caller was authenticated otherwise. */
  readonly keyHash: string | null;
  /** Of a publishable key. */
  readonly page?: readonly string[] | undefined;
  readonly visitor?: string | undefined;
  readonly bucket: Bucket;
  readonly charge: AdmissionRequest['charge'];
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
      /** Before this call. */
      readonly used: number;
      /** So many of the first requests are within the burst limit, */
      readonly inBurst: number;
      /** and so many of these within the quota. */
      readonly inQuota: number;
      readonly retryAfterSeconds: number;
      /** Of a publishable key; `used` is before this call. */
      readonly key: QuotaUse | undefined;
    };

interface Options {
  readonly redis: RedisConnection;
  readonly accounts: AccountSource;
  readonly counters: Pick<UsageCounters, 'seed'>;
  readonly plans: Plans;
  readonly clock: ServerClock;
}

/** What was read from the durable store while a change was under way. */
interface MarkedReading {
  readonly seq: string;
  readonly record: AdmissionRecord | undefined;
}

/** Each is a change of the account, or a late reply, that came in between. */
const MAX_ATTEMPTS = 8;
/** With reading the account. */
const LIMIT_MS = 950;

export type Admit = (call: AdmissionCall) => Promise<AdmissionReply>;

export function createAdmit({ redis, accounts, counters, plans, clock }: Options): Admit {
  const admit = loadScript(redis, 'admit-6');
  const fill = loadScript(redis, 'fill-2');
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

  /** Sent together with the next attempt, which finds the record. */
  async function refill(id: AccountId, token: string, nowMs: number): Promise<void> {
    // Both before the record is there: what finds it counts from these counters.
    const [record] = await Promise.all([accounts.read(id), counters.seed(id, utcDay(nowMs))]);
    const { record: recordKey, fill: fillKey } = accountKeys(id);
    const args = [token, record ? RECORD_TTL_MS : GONE_TTL_MS, ...recordFields(record)];
    // A fill that fails is another miss.
    fill([recordKey, fillKey], args).catch(() => undefined);
  }

  /** What the next attempt needs after this reply. */
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
    const beganMs = performance.now();
    const first = await once(call, undefined);
    if (isDecided(first)) return decision(first);
    try {
      return await within(LIMIT_MS - (performance.now() - beganMs), retry(call, first));
    } catch (cause) {
      throw cause instanceof AppError ? cause : new AppError('unavailable', undefined, { cause });
    }
  };
}

function keysOf({ accountId, page, visitor = '' }: AdmissionCall): readonly string[] {
  const { record, mark, fill, usage, burst, pageBurst, visitorBurst } = accountKeys(accountId);
  return [record, mark, fill, usage, page ? pageBurst : burst, visitorBurst(visitor)];
}

/** What the requests take, and by which share. */
function chargeArguments({ charge, count, units, cost, page, visitor }: AdmissionCall): readonly (string | number)[] {
  return [charge, count, units, cost, page && visitor !== undefined ? 1 : 0, ADDRESS_REFILL];
}

/** Field of the key, its hash, the page's origins, bucket, and the key's counter. */
function keyArguments({ keyHash, page, bucket }: AdmissionCall): readonly string[] {
  return page && keyHash !== null
    ? [publishableField(keyHash), '', page.join(' '), bucket, keyCounter(keyId(keyHash))]
    : [API_KEY_FIELD, keyHash ?? '', '', bucket, ''];
}

/** Tier, suspended, and the value of the key's field. */
function readingArguments({ keyHash, page }: AdmissionCall, record: AdmissionRecord | undefined): readonly string[] {
  if (!record) return ['', '0', ''];
  const publishable = page && record.publishableKeys.find((key) => key.keyHash === keyHash);
  const apiKey = page ? '' : (record.keyHash ?? '');
  return [record.tier, record.suspended ? '1' : '0', publishable ? publishableValue(publishable) : apiKey];
}

/** Unique, without asking for randomness each time. */
function createTokens(): () => string {
  const processToken = randomUUID();
  let count = 0;
  return () => `${processToken}.${count++}`;
}

const isDecided = ([outcome]: readonly unknown[]): boolean => !['late', 'miss', 'marked'].includes(String(outcome));

/** The limits travel with each call, not in the record: a deployment may change them at any time. */
const planArgument = (plans: Plans, bucket: Bucket): string =>
  TIERS.map((tier) => `${tier}=${plans[tier].daily[bucket] ?? ''}/${plans[tier].burstPerSecond ?? ''}`).join(';');

function decision(reply: readonly unknown[]): AdmissionReply {
  const [outcome] = reply;
  if (outcome === 'key' || outcome === 'suspended' || outcome === 'origin') return { rejected: outcome };
  const tier = TIERS.find((name) => name === reply[2]);
  if (outcome !== 'ok' || tier === undefined) throw new Error('the admission script replied otherwise than agreed');
  const [nowMs, , used, inBurst, inQuota, retryAfterSeconds, keyUsed, keyLimit = null] = reply.slice(1).map(Number);
  return {
    rejected: null,
    nowMs: nowMs ?? 0,
    tier,
    used: used ?? 0,
    inBurst: inBurst ?? 0,
    inQuota: inQuota ?? 0,
    retryAfterSeconds: retryAfterSeconds ?? 1,
    key: keyUsed === undefined ? undefined : { limit: keyLimit, used: keyUsed },
  };
}
