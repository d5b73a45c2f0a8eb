// Quota admissions: key check, burst limit and daily quota in one step, so that no decision uses an outdated key or
// counter.
import type { AccountId } from '../accounts/account.js';
import type { Credential } from '../accounts/credential.js';
import type { Bucket, Tier } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface AdmissionRequest extends Credential {
  readonly bucket: Bucket;
  /**
   * `count`: takes from the burst and from the day's quota. `burst`: takes from the burst only (HEAD, 4xx). `verify`:
   * checks the key only (304, which is free).
   */
  readonly charge: 'count' | 'burst' | 'verify';
  /** Units that `count` takes from the quota, 1 to 100, all or none; default 1. */
  readonly units?: number;
  /**
   * Tokens that the request takes from the burst, by its amount of work; default 1. The request is admitted if there is
   * one token. Missing tokens become a debt that later requests wait for.
   */
  readonly cost?: number;
}

/** A counted request. */
export interface CountedRequest extends Credential {
  readonly bucket: Bucket;
  readonly day: UtcDay;
  readonly units?: number;
}

/**
 * State of one bucket of the account on one day, or of the limit of a publishable key. `account`: the account's bucket
 * rejected a publishable key; the holder of the key does not see this bucket.
 */
export interface QuotaReading {
  readonly of: 'bucket' | 'key' | 'account';
  readonly day: UtcDay;
  readonly tier: Tier;
  /** Requests per UTC day; null means unlimited. */
  readonly limit: number | null;
  readonly used: number;
  /** Seconds until the day ends, 1 to 86400. */
  readonly secondsLeft: number;
}

export type KeyRejection = { readonly rejected: 'key' } | { readonly rejected: 'suspended' };

/** The page that sent the request may not use the publishable key. */
export interface OriginRejection {
  readonly rejected: 'origin';
}

interface Decision {
  readonly quota: QuotaReading;
  /** Ids of the current pages of the account's own brands; missing if it has none. */
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
  /** Counts of publishable keys by key id. Unused keys may be missing. */
  readonly usedByKey: Readonly<Record<string, number>>;
}

/**
 * Admissions are exact under concurrency: with limit L, exactly L of any number of simultaneous `count` requests are
 * admitted, over all processes. A changed key, tier or suspension takes effect when its change is acknowledged. The
 * publishable keys of an account share a separate burst of the same size, so that pages cannot use up the burst of the
 * API key. Within it, each visitor has a share (`takeCost`). A publishable key with a daily limit leaves the last tenth
 * of each bucket to the API key.
 *
 * Embedded: a count is durable before `admit` resolves. Cluster: a count is stored in Redis, and written to MongoDB
 * within 5 s. If Redis loses its data, counting resumes from MongoDB. At most the unwritten counts are then lost, in
 * the user's favor.
 *
 * Every key that `admit` or `usage` accepts counts as used, even if the request is rejected for another reason.
 * `lastUsedAt` is written in the background, at most once a minute for each key and process. A crash may lose the last
 * minute.
 *
 * While the store cannot be reached, every method rejects with AppError `unavailable` within a second, and nothing is
 * sent twice. A request rejected this way was counted at most once, namely if only its reply was lost. It is not
 * counted if the store executes it more than a second later.
 */
export interface QuotaAdmissions {
  /** Checks the key and takes from burst and quota in one step. Rejections are normal outcomes. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Takes the request off the day on which it was counted. No counter falls below zero. */
  refund(counted: CountedRequest): Promise<void>;
  /**
   * Returns today's counters of an API key's account, with every bucket. Counts nothing. Rejects if the counters cannot
   * be read.
   */
  usage(credential: Credential): Promise<UsageReading | KeyRejection>;
  /**
   * Does the same for a caller who was authenticated without the key. Returns the rejection `key` if the account does
   * not exist.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | KeyRejection>;
}
