// Burst limit of an account's keys: each request takes tokens by its cost, and the visitors of pages have fair shares.

/** Share of the burst that an address is refilled with per second, regardless of other addresses. */
export const ADDRESS_REFILL = 1 / 16;

/**
 * Returns the maximum number of tokens of an address. The rest of the burst is reserved for others from the first
 * request on.
 */
export function addressBurst(perSecond: number): number {
  return Math.max(1, Math.ceil(perSecond / 2));
}

/** Returns the tokens that an address must leave to others once it has used up its own. */
export function keptForOthers(perSecond: number): number {
  return Math.floor((perSecond * 3) / 4);
}

/** Numbers of tokens. They are negative if a request cost more than was left. */
export interface BurstTokens {
  /** Tokens of all keys of this kind, at most `perSecond`. */
  readonly shared: number;
  /** Tokens of the client address, at most `addressBurst`; Infinity for an API key. */
  readonly own: number;
}

export type BurstOutcome =
  { readonly ok: true; readonly left: BurstTokens } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Admits a request if there is a token, and takes its whole cost. Later requests wait until the debt is paid. An
 * address without tokens of its own may use the burst that the others haven't claimed.
 */
export function takeCost({ shared, own }: BurstTokens, cost: number, perSecond: number): BurstOutcome {
  if (shared >= 1 && own >= 1) return { ok: true, left: { shared: shared - cost, own: own - cost } };
  const needed = keptForOthers(perSecond) + cost;
  if (shared >= needed) return { ok: true, left: { shared: shared - cost, own } };
  const missing = Math.max(1 - shared, (1 - own) / ADDRESS_REFILL);
  const tokens = needed > perSecond ? missing : Math.min(missing, needed - shared);
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(tokens / perSecond)) };
}
