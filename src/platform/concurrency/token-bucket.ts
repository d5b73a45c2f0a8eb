// Token bucket: a constant refill rate and a maximum size. By default, the size is the number of tokens that are
// refilled in one second.

export interface TokenBucket {
  readonly tokens: number;
  readonly atMs: number;
}

export function fullBucket(burst: number, nowMs: number): TokenBucket {
  return { tokens: burst, atMs: nowMs };
}

export type TokenOutcome =
  | { readonly ok: true; readonly bucket: TokenBucket }
  | { readonly ok: false; readonly bucket: TokenBucket; readonly retryAfterSeconds: number };

/**
 * Takes one token. If no token is left, returns `retryAfterSeconds`. In both cases, the returned bucket replaces the
 * given bucket. If the clock was set back and the given bucket's time is in the future, no tokens are refilled.
 */
export function takeToken(bucket: TokenBucket, perSecond: number, nowMs: number, burst = perSecond): TokenOutcome {
  const tokens = refilledTokens(bucket, { perSecond, burst }, nowMs);
  if (tokens < 1)
    return {
      ok: false,
      bucket: { tokens, atMs: nowMs },
      retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    };
  return { ok: true, bucket: { tokens: tokens - 1, atMs: nowMs } };
}

interface Refill {
  readonly perSecond: number;
  readonly burst: number;
}

export function refilledTokens({ tokens, atMs }: TokenBucket, { perSecond, burst }: Refill, nowMs: number): number {
  return Math.min(burst, tokens + (Math.max(0, nowMs - atMs) * perSecond) / 1000);
}
