// Token bucket: a steady rate with as much at once as one second holds.

export interface TokenBucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A bucket that nothing was taken from. */
export function fullBucket(perSecond: number, nowMs: number): TokenBucket {
  return { tokens: perSecond, atMs: nowMs };
}

/** Takes one; `retryAfterSeconds` when there is none. A clock that goes back refills nothing. */
export function takeToken(
  bucket: TokenBucket,
  perSecond: number,
  nowMs: number,
): { readonly ok: true; readonly bucket: TokenBucket } | { readonly ok: false; readonly retryAfterSeconds: number } {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(perSecond, bucket.tokens + (elapsedMs * perSecond) / 1000);
  if (tokens < 1) return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)) };
  return { ok: true, bucket: { tokens: tokens - 1, atMs: nowMs } };
}
