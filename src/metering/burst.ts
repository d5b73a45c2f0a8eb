// Burst limit of an account's keys: each request takes tokens according to its cost. Page visitors get fair shares.

/** Refill of a client address per second, as a fraction of the burst. Other addresses do not reduce it. */
export const ADDRESS_REFILL = 1 / 16;

/** Returns the maximum number of tokens of a client address. The rest of the burst is reserved for other addresses. */
export function addressBurst(perSecond: number): number {
  return Math.max(1, Math.ceil(perSecond / 2));
}

/** Returns the number of tokens that must remain in the burst if an address without tokens takes from it. */
export function keptForOthers(perSecond: number): number {
  return Math.floor((perSecond * 3) / 4);
}

/** Token counts. A negative count is a debt: a request has cost more than was left. */
export interface BurstTokens {
  /** Tokens of all keys of the same kind, at most `perSecond`. */
  readonly shared: number;
  /** Tokens of the client address, at most `addressBurst`. Infinity for an API key. */
  readonly own: number;
}

export type BurstOutcome =
  { readonly ok: true; readonly left: BurstTokens } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Admits a request if at least one token is left, and takes its whole cost. The count may become negative; later
 * requests then wait until it is positive. An address without tokens may still use the part of the burst that is not
 * kept for others.
 */
export function takeCost({ shared, own }: BurstTokens, cost: number, perSecond: number): BurstOutcome {
  if (shared >= 1 && own >= 1) return { ok: true, left: { shared: shared - cost, own: own - cost } };
  const needed = keptForOthers(perSecond) + cost;
  if (shared >= needed) return { ok: true, left: { shared: shared - cost, own } };
  const missing = Math.max(1 - shared, (1 - own) / ADDRESS_REFILL);
  const tokens = needed > perSecond ? missing : Math.min(missing, needed - shared);
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(tokens / perSecond)) };
}
