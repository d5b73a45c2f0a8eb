// Key check, burst limit and daily quota in one step, so that no answer can rest on a stale key or counter.
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
   * `count`: spends one of the burst and one of the day. `burst`: of the burst only (HEAD, 4xx).
   * `verify`: checks the key only (304, which costs nothing).
   */
  readonly spend: 'count' | 'burst' | 'verify';
}

/** Where the account stands in one bucket. */
export interface QuotaReading {
  readonly day: UtcDay;
  readonly tier: Tier;
  /** Requests per UTC day, null is unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Until the day ends, 1..86400. */
  readonly secondsLeft: number;
}

export type Refusal = { readonly refused: 'key' } | { readonly refused: 'suspended' };

export type Admission =
  | { readonly refused: null; readonly quota: QuotaReading }
  | Refusal
  | { readonly refused: 'burst'; readonly retryAfterSeconds: number; readonly perSecond: number }
  | { readonly refused: 'quota'; readonly quota: QuotaReading };

export interface UsageReading {
  readonly day: UtcDay;
  readonly tier: Tier;
  readonly used: Readonly<Record<Bucket, number>>;
}

/**
 * Exact under concurrency: with limit L, exactly L of any number of simultaneous `count` requests are admitted.
 * What `admit` counted is durable before it resolves. Rejects with AppError `unavailable` when the store cannot be
 * reached.
 */
export interface QuotaAdmissions {
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Gives one back to the day it was taken from; never below zero. */
  refund(accountId: AccountId, bucket: Bucket, day: UtcDay): Promise<void>;
  /** Today's counters, every bucket present. Costs nothing. Rejects when they cannot be read. */
  usage(credential: Credential): Promise<UsageReading | Refusal>;
  /**
   * The same for somebody whose right to know was checked otherwise; `key` is refused when there is no such account.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | Refusal>;
}
