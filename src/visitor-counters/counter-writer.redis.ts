// Counter writer: copies changed visitor counters from Redis to the durable store every two seconds.
import { dayOfNumber } from '../platform/utc-day.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { SECOND_MS } from '../platform/time.js';
import type { CounterName } from './counter.js';
import type { CounterEpoch, CounterLedger, LedgerReading } from './counter-ledger.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { loadScript } from '../platform/stores/redis/scripts.js';

const INTERVAL_MS = 2 * SECOND_MS;
/** Number of counters per write. A counter has at most 12 KB. */
const BATCH = 50;
const CLOSE_LIMIT_MS = 5 * SECOND_MS;

interface Options {
  readonly redis: RedisConnection;
  readonly ledger: Pick<CounterLedger, 'write'>;
  /** Called with the error when counters could not be copied. The next round retries. */
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number | undefined;
}

/**
 * Returns the Redis keys of a counter, which share a hash tag. `counts`: hash with the fields epoch, rev, total, day
 * and today. `visitors`: HyperLogLog of the day's visitors.
 */
export function counterKeys(name: CounterName): readonly [counts: string, visitors: string] {
  return [`{counter:${name}}:counts`, `{counter:${name}}:visitors`];
}

export function openCounterWriter({ redis, ledger, onError, intervalMs = INTERVAL_MS }: Options) {
  const readCounter = loadScript(
    { ...redis, send: redis.sendForBytes },
    new URL('read-counter-2.lua', import.meta.url),
  );
  const removeCounter = loadScript(redis, new URL('remove-counter-2.lua', import.meta.url));
  const changed = new Set<CounterName>();

  async function remove({ name, epoch }: CounterEpoch): Promise<void> {
    await removeCounter(counterKeys(name), [epoch]);
  }

  async function write(names: readonly CounterName[]): Promise<void> {
    const replies = await Promise.all(
      names.map(async (name) => readingOf(name, await readCounter(counterKeys(name), []))),
    );
    const readings = replies.flat();
    if (readings.length === 0) return;
    await Promise.all((await ledger.write(readings)).map(remove));
  }

  async function writeChanged(): Promise<void> {
    const names = [...changed];
    changed.clear();
    for (let at = 0; at < names.length; at += BATCH) {
      try {
        await write(names.slice(at, at + BATCH));
      } catch (error) {
        for (const name of names.slice(at)) changed.add(name);
        throw error;
      }
    }
  }

  const rounds = periodicTask({ intervalMs, work: writeChanged, onError });

  return {
    /**
     * Records that this process has changed the counter, so that the next round copies the counter to the durable
     * store.
     */
    note: (name: CounterName): void => void changed.add(name),
    /** Copies the given counters to the durable store now, also counters that another process has changed in Redis. */
    write,
    /**
     * Removes the counter from Redis if its epoch there differs from the given epoch. A counter gets a new epoch when
     * it is reset or seeded.
     */
    remove,
    /** Copies the changed counters now. Rejects on failure, and the next round retries. */
    flush: rounds.run,
    /** Stops the rounds, and copies the changed counters one last time. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS),
  };
}

/** Parses the reply of the script. Returns an empty list if Redis doesn't have the counter. */
function readingOf(name: CounterName, reply: unknown): readonly LedgerReading[] {
  const fields = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (fields.length === 0) return [];
  const [epoch = 0, rev = 0, total = 0, day = 0, today = 0] = fields.slice(0, 5).map(Number);
  const visitors = Buffer.isBuffer(fields[5]) ? fields[5] : Buffer.alloc(0);
  return [{ name, epoch, rev, total, day: dayOfNumber(day), today, visitors }];
}

/**
 * Removes these counters from Redis, so that they are loaded again from MongoDB. Rejects with AppError `unavailable` if
 * Redis cannot be used.
 */
export async function removeKnownCounters(redis: RedisConnection, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => redis.send('unlink', ...counterKeys(name as CounterName))));
}
