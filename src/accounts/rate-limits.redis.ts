// Rate limits in Redis: one hash per limit key. The hash expires when its last window ends.
import { hash } from 'node:crypto';
import type { RateLimit, RateLimits } from './rate-limits.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { loadScript } from '../platform/stores/redis/scripts.js';

interface Options {
  /** Returns the time in ms since the epoch, for tests. By default, the scripts use the time of the Redis server. */
  readonly now?: (() => number) | undefined;
}

/** Maximum number of script calls that one operation sends at once. */
const CHUNK = 1000;

export function createRedisRateLimits(redis: RedisConnection, { now }: Options = {}): RateLimits {
  const consumeScript = loadScript(redis, new URL('consume-rate-limit-1.lua', import.meta.url));
  const refundScript = loadScript(redis, new URL('refund-rate-limit-1.lua', import.meta.url));

  /**
   * Returns for each limit the time in ms until it admits a request. 0 means that it admits a request now. `consume`
   * also counts the request, `ask` does not.
   */
  const waits = (rateLimits: readonly RateLimit[], mode: 'consume' | 'ask'): Promise<readonly number[]> =>
    inChunks(rateLimits, async ({ key, rules }) => {
      const pairs = rules.flatMap(({ limit, windowMs }) => [limit, windowMs]);
      return Number(await consumeScript([redisKeyOf(key)], [now?.() ?? '', mode === 'consume' ? 1 : 0, ...pairs]));
    });

  async function refund(rateLimits: readonly RateLimit[]): Promise<void> {
    await inChunks(rateLimits, ({ key, rules }) =>
      refundScript(
        [redisKeyOf(key)],
        rules.map(({ windowMs }) => windowMs),
      ),
    );
  }

  return {
    async consume(rateLimits) {
      // Limits with different keys are in different hash slots, so one script cannot count a request in all of them. A
      // rejected request would be counted in some limits, and these counts would then be undone. To save these writes
      // in a flood, all limits are asked before the request is counted.
      const rejected = rateLimits.length > 1 && rejection(rateLimits, await waits(rateLimits, 'ask'));
      if (rejected) return rejected;
      const waitsMs = await waits(rateLimits, 'consume');
      const late = rejection(rateLimits, waitsMs);
      if (late) await refund(rateLimits.filter((_, index) => waitsMs[index] === 0));
      return late ?? { ok: true };
    },
    refund,
    async reset(key) {
      await redis.send('del', redisKeyOf(key));
    },
    // Redis deletes windows when they end.
    prune: async () => undefined,
  };
}

const redisKeyOf = (key: string): string => `limit:{${hash('sha256', key)}}`;

function rejection(rateLimits: readonly RateLimit[], waitsMs: readonly number[]) {
  const longestMs = Math.max(0, ...waitsMs);
  if (longestMs === 0) return undefined;
  return {
    ok: false as const,
    retryAfterSeconds: Math.max(1, Math.ceil(longestMs / 1000)),
    keys: rateLimits.filter((_, index) => waitsMs[index] !== 0).map(({ key }) => key),
  };
}

async function inChunks<Result>(
  rateLimits: readonly RateLimit[],
  run: (rateLimit: RateLimit) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < rateLimits.length; at += CHUNK)
    results.push(...(await Promise.all(rateLimits.slice(at, at + CHUNK).map(run))));
  return results;
}
