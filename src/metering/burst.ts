// Burst of an account's keys: requests take what they cost, and the visitors of pages have fair shares.

/** Part of its burst that an address is refilled in a second, however much others ask. */
export const ADDRESS_REFILL = 1 / 16;

/** Tokens that an address may take at once: the rest of the burst is there for others from its first request on. */
export function addressBurst(perSecond: number): number {
  return Math.max(1, Math.ceil(perSecond / 2));
}

/** Tokens that an address leaves to others once it has used up its own. */
export function keptForOthers(perSecond: number): number {
  return Math.floor((perSecond * 3) / 4);
}

/** Tokens; below zero where a request cost more than was left. */
export interface BurstTokens {
  /** Tokens of the kind of key, `perSecond` at most. */
  readonly shared: number;
  /** Tokens of the client address, `addressBurst` at most; Infinity for an API key. */
  readonly own: number;
}

export type BurstOutcome =
  { readonly ok: true; readonly left: BurstTokens } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Admits a request while there is a token, and takes its whole cost: later ones wait until the debt is paid. An address
 * without tokens of its own has what the others leave.
 */
export function takeCost({ shared, own }: BurstTokens, cost: number, perSecond: number): BurstOutcome {
  if (shared >= 1 && own >= 1) return { ok: true, left: { shared: shared - cost, own: own - cost } };
  const needed = keptForOthers(perSecond) + cost;
  if (shared >= needed) return { ok: true, left: { shared: shared - cost, own } };
  const missing = Math.max(1 - shared, (1 - own) / ADDRESS_REFILL);
  const tokens = needed > perSecond ? missing : Math.min(missing, needed - shared);
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(tokens / perSecond)) };
}
