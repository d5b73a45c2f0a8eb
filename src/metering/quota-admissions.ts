// Quota admissions: key check, burst limit and daily quota in one step, so that no answer rests on a stale key or counter.
import type { AccountId } from '../accounts/account.js';
import type { Credential } from '../accounts/credential.js';
import type { Bucket, Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface AdmissionRequest extends Credential {
  readonly bucket: Bucket;
  /**
   * `count`: takes from the burst and from the day's quota. `burst`: from the burst only (HEAD, 4xx).
   * `verify`: checks the key only (304, which is free).
   */
  readonly charge: 'count' | 'burst' | 'verify';
  /** How many `count` counts, 1..100, all or none; default 1. */
  readonly units?: number;
  /**
   * Tokens that it takes from the burst, by the work that it is; default 1. Admitted while there is one: what is
   * missing is a debt, which later requests wait for.
   */
  readonly cost?: number;
}

/** A request that was counted. */
export interface CountedRequest extends Credential {
  readonly bucket: Bucket;
  readonly day: UtcDay;
  readonly units?: number;
}

/**
 * One bucket of the account on one day; of a publishable key its own limit. `account`: the bucket by which a publishable
 * key was rejected; its holder is not told of it.
 */
export interface QuotaReading {
  readonly of: 'bucket' | 'key' | 'account';
  readonly day: UtcDay;
  readonly tier: Tier;
  /** Requests per UTC day, null is unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Until the day ends, 1..86400. */
  readonly secondsLeft: number;
}

export type KeyRejection = { readonly rejected: 'key' } | { readonly rejected: 'suspended' };

/** The publishable key is not for the page that sent it. */
export interface OriginRejection {
  readonly rejected: 'origin';
}

interface Decision {
  readonly quota: QuotaReading;
  /** Ids of the pages of the account's own brands, as they are now; missing where it has none. */
  readonly ownBrands?: string;
}

export type Admission =
  | ({ readonly rejected: null } & Decision)
  | KeyRejection
  | OriginRejection
  | { readonly rejected: 'burst'; readonly retryAfterSeconds: number; readonly perSecond: number; readonly tier: Tier }
  | ({ readonly rejected: 'quota' } & Decision);

export interface UsageReading {
  readonly day: UtcDay;
  readonly tier: Tier;
  readonly used: Readonly<Record<Bucket, number>>;
  /** Counts of publishable keys, by their id; one that was not used may be left out. */
  readonly usedByKey: Readonly<Record<string, number>>;
}

/**
 * Exact under concurrency: with limit L, exactly L of any number of simultaneous `count` requests are admitted, over all
 * processes. A changed key, tier or suspension holds from the moment its change is acknowledged. The publishable keys of
 * an account have a burst of their own, of the same size, so that pages cannot use up that of the API key; within it, each
 * visitor has a share (`takeCost`). One with a daily limit leaves the last tenth of each bucket to the API key.
 *
 * Embedded: what `admit` counted is durable before it resolves. Cluster: it is counted in Redis, and written to MongoDB
 * within 5 s; a Redis that loses its data resumes from there, so at most these counts are lost, in the user's favor.
 *
 * Each key that `admit` or `usage` accepts was used, whatever the answer is: its `lastUsedAt` is written apart from the
 * answer, at most once a minute for each key and process. A crash may lose the last minute.
 *
 * While the store cannot be reached, every method rejects with AppError `unavailable` within a second, and nothing is sent
 * twice. A request that was rejected so was counted at most once, namely when only its reply was lost; never when
 * the store executes it more than a second later.
 */
export interface QuotaAdmissions {
  /** Key check, burst and quota as one step; the rejections are normal outcomes. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Returns the request to the day on which it was counted; no counter falls below zero. */
  refund(counted: CountedRequest): Promise<void>;
  /** Today's counters, every bucket present. Counts nothing. Rejects when they cannot be read. Of an API key. */
  usage(credential: Credential): Promise<UsageReading | KeyRejection>;
  /**
   * The same for a caller authenticated otherwise than by the key; rejects with `key` when there is no such account.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | KeyRejection>;
}
