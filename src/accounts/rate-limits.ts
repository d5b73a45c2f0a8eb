// Rate limits of sign-ins, registrations and mails: fixed windows per key.

/** At most `limit` counted attempts per window of `windowMs`. A window starts with its first attempt. */
export interface RateLimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Rate limit. `key` names the action and its subject, for example `sign-in:ada@example.com`. Stores contain only a hash
 * of `key`.
 */
export interface RateLimit {
  readonly key: string;
  readonly rules: readonly RateLimitRule[];
}

export type RateLimitOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly retryAfterSeconds: number;
      readonly keys: readonly string[];
    };

export interface RateLimits {
  /**
   * Counts one attempt against every rule of every limit. If a rule is used up, counts nothing. Limits are exact, even
   * under concurrent load, and survive a restart. A window with a start in the future counts as ended. In Redis
   * Cluster, the limits are counted one after the other, because their keys may be on several servers. If a later limit
   * rejects the attempt, its counts in the earlier limits are undone. In the meantime, the earlier limits may reject
   * another attempt by mistake. If the process crashes or loses the connection in the meantime, the attempt stays
   * counted until the windows end. Rejects with AppError `unavailable` if the store cannot be reached.
   */
  consume(rateLimits: readonly RateLimit[]): Promise<RateLimitOutcome>;
  /** Undoes one `consume` of these limits. A count never falls below zero. */
  refund(rateLimits: readonly RateLimit[]): Promise<void>;
  reset(key: string): Promise<void>;
  /** Deletes ended windows. Does nothing if the store expires windows by itself. */
  prune(): Promise<void>;
}
