// Rate limits of sign-ins, registrations and mails: fixed windows per key.

/** At most `limit` uses in a window, which starts with its first use. */
export interface RateLimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** `key` names the subject and the action, for example `sign-in:ada@example.com`. It is stored as a hash. */
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
   * Consumes one use under every rule of every limit, or none if one of them is used up. A window that starts later
   * than now counts as ended. Limits are exact, even under concurrent load, and survive a restart.
   *
   * If the keys are on several servers (Redis Cluster), the store consumes the limits one by one and refunds them when
   * another rejects. In between, one request too many may be rejected, but never one too many admitted. A crash or lost
   * connection in between leaves the limit consumed until its window ends. Rejects with AppError `unavailable` if the
   * store cannot be reached.
   */
  consume(rateLimits: readonly RateLimit[]): Promise<RateLimitOutcome>;
  /** Undoes one `consume`. No count falls below zero. */
  refund(rateLimits: readonly RateLimit[]): Promise<void>;
  /** Ends all windows of the key. */
  reset(key: string): Promise<void>;
  /** Deletes ended windows, in a store that does not expire them by itself. */
  prune(): Promise<void>;
}
