// Rate limits of sign-ins, registrations and mails: fixed windows per key.

/** Rule: at most `limit` uses per window of `windowMs`. A window starts with its first use. */
export interface RateLimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** Rate limit. `key` names action and subject, for example `sign-in:ada@example.com`. It is stored as a hash. */
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
   * Consumes one use of every rule of every limit, or none if one of them is used up. Limits are exact, even under
   * concurrent load, and survive a restart. A window that starts in the future counts as ended.
   *
   * In Redis Cluster, the keys may be on several servers. There, the limits are consumed one by one, and refunded if a
   * later one rejects. Until the refund, another request may be rejected by mistake. A request is never admitted by
   * mistake. After a crash or lost connection in between, the limits stay consumed until their windows end. Rejects
   * with AppError `unavailable` if the store cannot be reached.
   */
  consume(rateLimits: readonly RateLimit[]): Promise<RateLimitOutcome>;
  /** Undoes one `consume` of these limits. No count falls below zero. */
  refund(rateLimits: readonly RateLimit[]): Promise<void>;
  reset(key: string): Promise<void>;
  /** Deletes ended windows, unless the store expires them itself. */
  prune(): Promise<void>;
}
