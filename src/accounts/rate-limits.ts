// Rate limits of sign-ins, registrations and mails: fixed windows per key.

/** At most `limit` in a window that begins with its first use. */
export interface RateLimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** `key` names the subject and the action, as in `sign-in:ada@example.com`; it is stored as a hash. */
export interface RateLimit {
  readonly key: string;
  readonly rules: readonly RateLimitRule[];
}

export type RateLimitOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly retryAfterSeconds: number;
      /** Keys of the limits that are used up. */
      readonly keys: readonly string[];
    };

export interface RateLimits {
  /**
   * Consumes one under every rule of every limit, or none at all when one of them is used up. A window that begins
   * later than now is over. Exact under concurrency; survives a restart. A store whose keys lie on several servers (Redis
   * Cluster) consumes several limits one by one and refunds them when another rejects: meanwhile one more may be
   * rejected, never one more admitted; and what a crash, or a lost connection, leaves in between stays consumed until
   * its window ends. Rejects with AppError `unavailable` when the store cannot be reached.
   */
  consume(rateLimits: readonly RateLimit[]): Promise<RateLimitOutcome>;
  /** Undoes one `consume`; never below zero. */
  refund(rateLimits: readonly RateLimit[]): Promise<void>;
  /** Ends all windows of the key. */
  reset(key: string): Promise<void>;
  /** Deletes windows that are over, in a store that does not expire them by itself. */
  prune(): Promise<void>;
}
