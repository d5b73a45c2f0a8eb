// How often somebody may do something: sign in, register, ask for a mail.

/** At most `limit` in a window that begins with its first use. */
export interface RateLimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** Whose, and of what: `sign-in:ada@example.com`. Kept as a hash. */
export interface RateLimit {
  readonly key: string;
  readonly rules: readonly RateLimitRule[];
}

export type RateLimitOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly retryAfterSeconds: number;
      /** Whose rateLimits are used up. */
      readonly keys: readonly string[];
    };

export interface RateLimits {
  /**
   * Spends one under every rule of every rateLimit, or, when one of them is used up, of none. A window that begins
   * later than now is over. Exact under concurrency; survives a restart.
   */
  consume(rateLimits: readonly RateLimit[]): Promise<RateLimitOutcome>;
  /** Undoes one `spend`. */
  refund(rateLimits: readonly RateLimit[]): Promise<void>;
  /** All of it can be spent again. */
  reset(key: string): Promise<void>;
  /** Forgets what is over. */
  prune(): Promise<void>;
}
