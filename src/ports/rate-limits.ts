// How often somebody may do something: sign in, register, ask for a mail.

/** At most `limit` in a window that begins with its first use. */
export interface BudgetRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** Whose, and of what: `sign-in:ada@example.com`. Kept as a hash. */
export interface Budget {
  readonly subject: string;
  readonly rules: readonly BudgetRule[];
}

export type BudgetOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly retryAfterSeconds: number;
      /** Whose budgets are used up. */
      readonly subjects: readonly string[];
    };

export interface Budgets {
  /**
   * Spends one under every rule of every budget, or, when one of them is used up, of none. A window that begins later
   * than now is over. Exact under concurrency; survives a restart.
   */
  spend(budgets: readonly Budget[]): Promise<BudgetOutcome>;
  /** Undoes one `spend`. */
  giveBack(budgets: readonly Budget[]): Promise<void>;
  /** All of it can be spent again. */
  refill(subject: string): Promise<void>;
  /** Forgets what is over. */
  prune(): Promise<void>;
}
