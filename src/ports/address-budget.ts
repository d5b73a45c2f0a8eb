// How often one client address may do something costly.

export type BudgetOutcome = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface AddressBudget {
  /** Spends one for this key. Counts may be lost when the process restarts. */
  spend(key: string): Promise<BudgetOutcome>;
}
