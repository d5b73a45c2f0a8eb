// Visitor counters in Redis. One script call counts all visits of a counter that arrive in the same tick of the event
// loop. The counts are copied to MongoDB a little later.
import { beginDeadline } from '../platform/concurrency/deadline.js';
import { dayNumber } from '../platform/utc-day.js';
import { SECOND_MS } from '../platform/time.js';
import type { CounterName } from './counter.js';
import { AppError } from '../platform/errors.js';
import type { CounterLedger } from './counter-ledger.js';
import type { VisitCounts, VisitorCounters } from './visitor-counters.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { counterKeys, openCounterWriter } from './counter-writer.redis.js';
import { microBatcher } from '../platform/stores/redis/micro-batcher.js';
import { loadScript } from '../platform/stores/redis/scripts.js';

interface Options {
  readonly redis: RedisConnection;
  readonly ledger: CounterLedger;
  /** Current time for tests, ms since the epoch. By default, the clock of the Redis server is used. */
  readonly now?: (() => number) | undefined;
  /** Called with the error when counters could not be copied to the ledger. The next periodic copying retries. */
  readonly onFlushError: (error: unknown) => void;
  /** Interval of copying to the ledger, ms. */
  readonly flushIntervalMs?: number | undefined;
}

export interface RedisVisitorCounters extends VisitorCounters {
  /** Copies all counters that this process has changed. Does not wait for the next round of copying. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of visits per script call, because Lua's `unpack` fails for more than a few thousand values. */
const MAX_VISITS = 500;
/**
 * Maximum number of times that one count is tried. A try fails if Redis does not have the counter, for example after a
 * reset. The counter is then loaded before the next try.
 */
const MAX_ATTEMPTS = 4;
/** Time limit of a call, including the time to load the counter into Redis, ms. */
const LIMIT_MS = 0.95 * SECOND_MS;

export function createRedisVisitorCounters(options: Options): RedisVisitorCounters {
  const { redis, ledger, now, onFlushError, flushIntervalMs } = options;
  const countVisits = loadScript(redis, new URL('count-visits-2.lua', import.meta.url));
  const loadCounter = loadScript(redis, new URL('load-counter-2.lua', import.meta.url));
  const writer = openCounterWriter({ redis, ledger, onError: onFlushError, intervalMs: flushIntervalMs });
  const gather = microBatcher<string, VisitCounts>((name, visitors) => countAll(name as CounterName, visitors));

  /** Counts the visits. Returns undefined if the counter must first be loaded into Redis. */
  async function countOnce(name: CounterName, visitors: readonly string[]): Promise<VisitCounts | undefined> {
    const reply = await countVisits(counterKeys(name), [now ? now() : '', ...visitors]);
    const [outcome, ...counts] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (outcome === 'miss') return undefined;
    if (outcome !== 'ok') throw new Error('the script that counts visits returned an unexpected reply');
    const [total = 0, today = 0, uniqueToday = 0] = counts.map(Number);
    return { total, today, uniqueToday };
  }

  async function loadFromLedger(name: CounterName): Promise<void> {
    const found = await ledger.read(name);
    const { epoch, rev, total, today } = found ?? { epoch: 0, rev: 0, total: 0, today: 0 };
    const day = found ? dayNumber(found.day) : 0;
    await loadCounter(counterKeys(name), [epoch, rev, total, day, today, found?.visitors ?? '']);
  }

  /** Counts the visits, and returns the new counts. Without visitors, returns the current counts. */
  async function count(name: CounterName, visitors: readonly string[]): Promise<VisitCounts> {
    const deadline = beginDeadline(LIMIT_MS, () => new AppError('unavailable'));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const counts = await deadline.within(countOnce(name, visitors));
      if (counts) return counts;
      await deadline.within(loadFromLedger(name));
    }
    throw new AppError('unavailable', undefined, {
      cause: new Error('the counter was deleted too often during the request'),
    });
  }

  async function countAll(name: CounterName, visitors: readonly string[]): Promise<readonly VisitCounts[]> {
    const parts = Array.from({ length: Math.ceil(visitors.length / MAX_VISITS) }, async (_, at) => {
      const part = visitors.slice(at * MAX_VISITS, (at + 1) * MAX_VISITS);
      // `note` makes the next round copy the counter to MongoDB. It must be called after the reply, because an earlier
      // round would copy the counter without these visits.
      const { total, today, uniqueToday } = await count(name, part).finally(() => writer.note(name));
      return part.map((_visitor, index) => {
        const later = part.length - 1 - index;
        return { total: total - later, today: today - later, uniqueToday };
      });
    });
    return (await Promise.all(parts)).flat();
  }

  return {
    hit: gather,
    read: (name) => count(name, []),
    async reset(name) {
      await writer.remove(await ledger.reset(name));
    },
    async seed(name, total) {
      await writer.write([name]);
      await writer.remove(await ledger.seed(name, total));
    },
    forgetVisitors: (before) => ledger.forgetVisitors(before),
    flush: writer.flush,
    close: writer.close,
  };
}
