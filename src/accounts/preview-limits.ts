// Rate limits of catalog previews in the dashboard, per account and per network. Previews cost no quota.
import { lruCache } from '../platform/concurrency/lru-cache.js';
import type { AccountId } from './account.js';
import { fullBucket, takeToken, type TokenBucket } from '../platform/concurrency/token-bucket.js';
import { rateLimitedError } from './rate-limiting.js';

/**
 * Kind of preview. `lookup`: catalog data, or a picture as SVG. `rasterize`: a picture as PNG or WebP, which may have
 * to be drawn.
 */
export type PreviewKind = 'lookup' | 'rasterize';
/** Account, or client address of a visitor without an account. */
export type PreviewClient = { readonly accountId: AccountId } | { readonly rateLimitKey: string };

export type PreviewLimits = ReturnType<typeof createPreviewLimits>;

/**
 * Token buckets. `burst`: maximum number of previews at once. `perSecond`: number of previews that are added each
 * second. A catalog page loads about 60 pictures at once, and a visitor who scrolls loads one page after the other.
 */
const RATES = {
  account: { lookup: { burst: 1000, perSecond: 60 }, rasterize: { burst: 120, perSecond: 10 } },
  address: { lookup: { burst: 400, perSecond: 20 }, rasterize: { burst: 30, perSecond: 2 } },
} as const;

/**
 * Creates limits that count in this process only, because they protect its CPU time. `now`: time in ms since the epoch.
 * `maxClients`: maximum number of clients to remember. A forgotten client starts with a full bucket.
 */
export function createPreviewLimits(now: () => number, maxClients: number) {
  const buckets = lruCache<string, TokenBucket>(maxClients);
  return {
    /** Takes `tokens` tokens. If fewer are left, takes all that are left and throws AppError `rate_limited`. */
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
