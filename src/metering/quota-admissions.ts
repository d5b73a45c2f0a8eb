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
   * Limits that count the request. `count`: burst and quota. `burst`: only the burst, for HEAD requests and 4xx
   * responses. `verify`: none, for 304 responses; only the key is checked.
   */
  readonly charge: 'count' | 'burst' | 'verify';
  /**
   * For requests with `charge: 'count'`: number of units that the request adds to the used quota, 1 to 100, default 1.
   * If fewer units are left, the request is rejected and adds nothing.
   */
  readonly units?: number;
  /**
   * Number of tokens that the request takes from the burst, depending on its work; default 1. The request is admitted if
   * at least one token is left. The number of tokens can become negative. Later requests then wait until it is positive.
   */
  readonly cost?: number;
}

/** Counted request. The method `refund` can undo its count. */
export interface CountedRequest extends Credential {
  readonly bucket: Bucket;
  readonly day: UtcDay;
  readonly units?: number;
}

/**
 * State of one limit. For a rejected request, it is the limit that rejected the request. For an admitted request, it is
 * the limit that the client sees. `of` names the limit. `bucket`: a bucket of the account, for a request with an API
 * key. `key`: the daily limit of the publishable key. `account`: a bucket of the account that rejected a request with a
 * publishable key. The client must not see the numbers of that bucket.
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
  /**
   * Use of the account's quota. Present only after a counted request with a publishable key, because `quota` then
   * describes the quota of that key.
   */
  readonly bucketUse?: QuotaUse;
  /** Ids of the records (pages) that store the account's own brands, separated by spaces; absent if there are none. */
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
  /** Counts by id of the publishable key. Keys without requests may be missing. */
  readonly usedByKey: Readonly<Record<string, number>>;
}

/**
 * Admissions are exact under concurrency. If more than L requests count against a limit of L at the same time, exactly
 * L of them are admitted, over all processes. A changed key, tier or suspension is effective as soon as the change is
 * acknowledged. All publishable keys of an account share one burst, which is separate from the burst of the API key.
 * Within the shared burst, each page visitor has a share (`takeCost`). A publishable key with a daily limit cannot use
 * the last tenth of a bucket, which is reserved for the API key.
 *
 * With SQLite, a count is durable before `admit` resolves. In a cluster, a count is stored in Redis, and written to
 * MongoDB within 5 s. If Redis loses its data, counting continues from the counts in MongoDB, so some requests are not
 * counted.
 *
 * A key that `admit` or `usage` accepts counts as used, even if the request is rejected for another reason.
 * `lastUsedAt` is written in the background, at most once a minute for each key and process. A crash may lose the uses
 * of the last minute.
 *
 * While the store cannot be reached, every method rejects with AppError `unavailable` within a second and does not
 * repeat a command. A rejected request may still be counted, if only the reply of the store was lost. If the store
 * executes a command more than a second late, the command counts nothing.
 */
export interface QuotaAdmissions {
  /**
   * Checks the key and counts the request against burst and quota, in one atomic step. A rejection is a normal result.
   */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Subtracts the request from the counters of its day. A counter never falls below zero. */
  refund(counted: CountedRequest): Promise<void>;
  /**
   * Returns today's counters of an API key's account, for every bucket. Counts nothing. Rejects if the counters cannot
   * be read.
   */
  usage(credential: Credential): Promise<UsageReading | KeyRejection>;
  /**
   * Returns today's counters of an account for a caller who was authenticated by another credential than the key.
   * Returns the rejection `key` if the account does not exist. Rejects if the counters cannot be read.
   */
  usageOf(accountId: AccountId): Promise<UsageReading | KeyRejection>;
}
