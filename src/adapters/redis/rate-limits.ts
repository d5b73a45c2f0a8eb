// Rate limits in Redis: one hash per key, which expires by itself with its last window.
import { hash } from 'node:crypto';
import type { RateLimit, RateLimits } from '../../ports/rate-limits.js';
import type { RedisConnection } from './connection.js';
import { loadScript, type Script } from './scripts.js';

interface Options {
  /** ms since the epoch, of tests; else the server's time. */
  readonly now?: (() => number) | undefined;
}

interface Scripts {
  readonly consume: Script;
  readonly unconsume: Script;
}

/** Of so many limits at once the commands are in flight. */
const CHUNK = 1000;

export function createRedisRateLimits(redis: RedisConnection, { now }: Options = {}): RateLimits {
  const scripts: Scripts = { consume: loadScript(redis, 'consume-1'), unconsume: loadScript(redis, 'unconsume-1') };

  /** ms to wait of each limit, 0 where there is room. */
  async function run(rateLimits: readonly RateLimit[], mode: 'consume' | 'ask'): Promise<readonly number[]> {
    return inChunks(rateLimits, async ({ key, rules }) => {
      const pairs = rules.flatMap(({ limit, windowMs }) => [limit, windowMs]);
      return Number(await scripts.consume([keyOf(key)], [now?.() ?? '', mode === 'consume' ? 1 : 0, ...pairs]));
    });
  }

  return {
    async consume(rateLimits) {
      // Several keys lie in several slots. Asked first, so that a flood of rejected requests consumes nothing.
      if (rateLimits.length > 1) {
        const rejected = rejection(rateLimits, await run(rateLimits, 'ask'));
        if (rejected) return rejected;
      }
      const waits = await run(rateLimits, 'consume');
      const rejected = rejection(rateLimits, waits);
      if (!rejected) return { ok: true };
      await refund(
        scripts,
        rateLimits.filter((_, index) => waits[index] === 0),
      );
      return rejected;
    },
    refund: (rateLimits) => refund(scripts, rateLimits),
    async reset(key) {
      await redis.send('del', keyOf(key));
    },
    // Redis expires what is over.
    prune: async () => undefined,
  };
}

const keyOf = (key: string): string => `limit:{${hash('sha256', key)}}`;

async function refund({ unconsume }: Scripts, rateLimits: readonly RateLimit[]): Promise<void> {
  await inChunks(rateLimits, ({ key, rules }) =>
    unconsume(
      [keyOf(key)],
      rules.map(({ windowMs }) => windowMs),
    ),
  );
}

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
