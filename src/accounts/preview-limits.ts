// Rate limits of the dashboard's catalog previews. Previews cost no quota, so each account and each network has a
// limit.
import { lruCache } from '../platform/concurrency/lru-cache.js';
import type { AccountId } from './account.js';
import { fullBucket, takeToken, type TokenBucket } from '../platform/concurrency/token-bucket.js';
import { rateLimitedError } from './rate-limiting.js';

/** `rasterize`: pictures that may have to be drawn. */
export type PreviewKind = 'lookup' | 'rasterize';
/** An account, or a client address without an account. */
export type PreviewClient = { readonly accountId: AccountId } | { readonly rateLimitKey: string };

export type PreviewLimits = ReturnType<typeof createPreviewLimits>;

/** A page of the catalog shows about 60 pictures at once. `perSecond` allows scrolling through it. */
const RATES = {
  account: { lookup: { burst: 1000, perSecond: 60 }, rasterize: { burst: 120, perSecond: 10 } },
  address: { lookup: { burst: 400, perSecond: 20 }, rasterize: { burst: 30, perSecond: 2 } },
} as const;

/**
 * Creates limits for this process only, because they protect its CPU time. `now`: time in ms since the epoch. Beyond
 * `maxClients`, the least recently seen client starts with a full bucket again.
 */
export function createPreviewLimits(now: () => number, maxClients: number) {
  const buckets = lruCache<string, TokenBucket>(maxClients);
  return {
    /** Takes up to `tokens` tokens. Throws AppError `rate_limited` if there are none. */
    take(client: PreviewClient, kind: PreviewKind, tokens = 1): void {
      const [who, key] =
        'accountId' in client ? (['account', client.accountId] as const) : (['address', client.rateLimitKey] as const);
      const { burst, perSecond } = RATES[who][kind];
      const name = `${who} ${kind} ${key}`;
      for (let taken = 0; taken < tokens; taken++) {
        const outcome = takeToken(buckets.get(name) ?? fullBucket(burst, now()), perSecond, now(), burst);
        buckets.set(name, outcome.bucket);
        if (!outcome.ok) throw rateLimitedError('Too many catalog previews were requested.', outcome.retryAfterSeconds);
      }
    },
  };
}
