// Burst limit (requests per second) of an account's keys. Each request takes tokens according to its work. Page
// visitors get fair shares.

/**
 * Tokens that a client address regains per second, as a fraction of the burst. Requests from other addresses do not
 * reduce this number.
 */
export const ADDRESS_REFILL = 1 / 16;

/**
 * Returns the maximum of `BurstTokens.own`, the tokens of one client address: half of `perSecond`, the maximum of
 * `BurstTokens.shared`.
 */
export function addressBurst(perSecond: number): number {
  return Math.max(1, Math.ceil(perSecond / 2));
}

/**
 * Returns the number of shared tokens that are reserved for other addresses. An address that has used up its own tokens
 * may take shared tokens only if at least this many remain afterwards.
 */
export function keptForOthers(perSecond: number): number {
  return Math.floor((perSecond * 3) / 4);
}

/** Token counts. A negative count is a debt: a request has cost more tokens than were left. */
export interface BurstTokens {
  /** Tokens that all keys of one kind (API key or publishable keys) share, at most `perSecond`. */
  readonly shared: number;
  /** Tokens of the client address, at most `addressBurst`. Infinity for an API key. */
  readonly own: number;
}

export type BurstOutcome =
  | { readonly ok: true; readonly left: BurstTokens }
  | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Admits a request if at least one shared token and one token of its address are left, and subtracts the whole cost
 * from both counts. A count may become negative. Later requests are then rejected until it is at least one again. A
 * request whose address has no token left is still admitted if `keptForOthers` shared tokens remain after it. Its cost
 * is then subtracted from the shared tokens only.
 */
export function takeCost({ shared, own }: BurstTokens, cost: number, perSecond: number): BurstOutcome {
  if (shared >= 1 && own >= 1) return { ok: true, left: { shared: shared - cost, own: own - cost } };
  const needed = keptForOthers(perSecond) + cost;
  if (shared >= needed) return { ok: true, left: { shared: shared - cost, own } };
  const missing = Math.max(1 - shared, (1 - own) / ADDRESS_REFILL);
  const tokens = needed > perSecond ? missing : Math.min(missing, needed - shared);
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(tokens / perSecond)) };
}
