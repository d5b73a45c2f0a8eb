// Quota admissions: key check, burst limit and daily quota in one atomic step, so that no decision uses an outdated key
// or counter.
import type { AccountId } from '../accounts/account.js';
import type { Credential } from '../accounts/credential.js';
import type { Bucket, Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { QuotaUse } from './usage-counter.js';

export interface AdmissionRequest extends Credential {
  readonly bucket: Bucket;
  /**
   * Consumption of the request. `count`: burst and quota. `burst`: only burst (HEAD, 4xx). `verify`: nothing, only the
   * key is checked (304 is free).
   */
  readonly charge: 'count' | 'burst' | 'verify';
  /**
   * Units of quota that a request with charge `count` consumes, 1 to 100, default 1. Either all units are admitted or
   * none.
   */
  readonly units?: number;
  /**
   * Tokens of burst that the request consumes, according to its work, default 1. The request is admitted if one token
   * is left. Missing tokens are a debt: later requests wait until it is refilled.
   */
  readonly cost?: number;
}

/** Request that was counted and can be refunded. */
export interface CountedRequest extends Credential {
  readonly bucket: Bucket;
  readonly day: UtcDay;
  readonly units?: number;
}

/**
 * State of the limit that decided a request, or that the client sees. `of` says which limit. `bucket`: a bucket of the
 * account. `key`: the limit of the publishable key. `account`: a bucket of the account that rejected a publishable key.
 * The key's holder does not see that bucket.
 */
export interface QuotaReading {
  readonly of: 'bucket' | 'key' | 'account';
  readonly day: UtcDay;
  readonly tier: Tier;
  /** Requests per UTC day; null means unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Seconds until the UTC day ends, 1 to 86400. */
  readonly secondsLeft: number;
}

export type KeyRejection = { readonly rejected: 'key' } | { readonly rejected: 'suspended' };

/** Rejection: the publishable key does not allow the requesting page. */
export interface OriginRejection {
  readonly rejected: 'origin';
}

interface Decision {
  readonly quota: QuotaReading;
  /** The account's bucket after a counted request with a publishable key. `quota` is then the quota of the key. */
  readonly bucketUse?: QuotaUse;
  /** Ids of the stored pages with the account's own brands, separated by spaces; absent if there are none. */
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
  /** Counts by id of the publishable key. Unused keys may be missing. */
  readonly usedByKey: Readonly<Record<string, number>>;
}

/**
 * Admissions are exact under concurrency: with limit L, exactly L of any number of simultaneous `count` requests are
 * admitted, over all processes. A changed key, tier or suspension is effective from its acknowledgment on. All
 * publishable keys of an account share a burst of their own, so that pages cannot use up the API key's burst. Within
 * that burst, each page visitor has a share (`takeCost`). A publishable key with a daily limit cannot use the last
 * tenth of a bucket, which is reserved for the API key.
 *
 * Embedded: a count is durable before `admit` resolves. Cluster: a count is stored in Redis, and written to MongoDB
 * within 5 s. If Redis loses its data, counting continues from MongoDB. The counts not yet written are then lost, in
 * the user's favor.
 *
 * A key that `admit` or `usage` accepts counts as used, even if the request is rejected for another reason.
 * `lastUsedAt` is written in the background, at most once a minute for each key and process. A crash may lose the uses
 * of the last minute.
 *
 * While the store cannot be reached, every method rejects with AppError `unavailable` within a second and does not
 * repeat a command. If only the reply was lost, the rejected request was counted. A command that the store executes
 * more than a second later counts nothing.
 */
export interface QuotaAdmissions {
  /** Checks the key, and takes from burst and quota, in one atomic step. Rejections are normal results. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Subtracts the request from the counters of its day. No counter falls below zero. */
  refund(counted: CountedRequest): Promise<void>;
  /**
   * Returns today's counters of an API key's account, for every bucket. Counts nothing. Rejects if the counters cannot
   * be read.
   */
  usage(credential: Credential): Promise<UsageReading | KeyRejection>;
  /**
   * Returns today's counters of an account whose caller was authenticated without the key. Returns the rejection `key`
   * if the account does not exist. Rejects if the counters cannot be read.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | KeyRejection>;
}
