// Quota admissions: key check, burst limit and daily quota in one step, so that no answer rests on a stale key or counter.
import type { AccountId } from '../domain/account/account.js';
import type { Bucket, Tier } from '../domain/metering/plan.js';
import type { UtcDay } from '../domain/metering/utc-day.js';

export interface Credential {
  readonly accountId: AccountId;
  /** SHA-256 of the presented key, hex. */
  readonly keyHash: string;
}

export interface AdmissionRequest extends Credential {
  readonly bucket: Bucket;
  /**
   * `count`: takes one from the burst and one from the day's quota. `burst`: from the burst only (HEAD, 4xx).
   * `verify`: checks the key only (304, which is free).
   */
  readonly charge: 'count' | 'burst' | 'verify';
}

/** One bucket of the account on one day. */
export interface QuotaReading {
  readonly day: UtcDay;
  readonly tier: Tier;
  /** Requests per UTC day, null is unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Until the day ends, 1..86400. */
  readonly secondsLeft: number;
}

export type KeyRejection = { readonly rejected: 'key' } | { readonly rejected: 'suspended' };

export type Admission =
  | { readonly rejected: null; readonly quota: QuotaReading }
  | KeyRejection
  | { readonly rejected: 'burst'; readonly retryAfterSeconds: number; readonly perSecond: number }
  | { readonly rejected: 'quota'; readonly quota: QuotaReading };

export interface UsageReading {
  readonly day: UtcDay;
  readonly tier: Tier;
  readonly used: Readonly<Record<Bucket, number>>;
}

/**
 * Exact under concurrency: with limit L, exactly L of any number of simultaneous `count` requests are admitted, over all
 * processes. A changed key, tier or suspension holds from the moment its change is acknowledged.
 *
 * Embedded: what `admit` counted is durable before it resolves. Cluster: it is counted in Redis, and written to MongoDB
 * within 5 s; a Redis that loses its data resumes from there, so at most these counts are lost, in the user's favor.
 *
 * While the store cannot be reached, every method rejects with AppError `unavailable` within a second, and nothing is sent
 * twice. A request that was rejected so was counted at most once, namely when only its reply was lost; never when
 * the store executes it more than a second later.
 */
export interface QuotaAdmissions {
  /** Key check, burst and quota as one step; the rejections are normal outcomes. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Returns one request to the day on which it was counted; the counter never falls below zero. */
  refund(accountId: AccountId, bucket: Bucket, day: UtcDay): Promise<void>;
  /** Today's counters, every bucket present. Counts nothing. Rejects when they cannot be read. */
  usage(credential: Credential): Promise<UsageReading | KeyRejection>;
  /**
   * The same for a caller authenticated otherwise than by the key; rejects with `key` when there is no such account.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | KeyRejection>;
}
