// Counter writer: visitor counters that changed, from Redis to the durable store every two seconds.
import { openRounds } from '../../domain/concurrency/rounds.js';
import { SECOND_MS } from '../../domain/time.js';
import type { CounterName } from '../../domain/visitor-counter/counter.js';
import type { CounterEpoch, CounterLedger, CounterReading } from '../../ports/counter-ledger.js';
import { dayOfNumber } from './account-keys.js';
import type { RedisConnection } from './connection.js';
import { counterKeys } from './counter-keys.js';
import { loadScript } from './scripts.js';

const INTERVAL_MS = 2 * SECOND_MS;
/** Counters per write, of at most 12 KB each. */
const BATCH = 50;
const CLOSE_LIMIT_MS = 5 * SECOND_MS;

export interface CounterWriter {
  /** This process has changed it. */
  note(name: CounterName): void;
  /** Writes this counter now, also when another process has changed it. */
  readonly write: (name: CounterName) => Promise<void>;
  /** Deletes it in Redis if it is of another epoch. */
  readonly forget: (counter: CounterEpoch) => Promise<void>;
  /** Writes what was noted until now; rejects when it could not be written, and tries again with the next one. */
  readonly flush: () => Promise<void>;
  /** Ends the rounds, and flushes for the last time. */
  readonly close: () => Promise<void>;
}

interface Options {
  readonly redis: RedisConnection;
  readonly ledger: Pick<CounterLedger, 'write'>;
  /** A round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number | undefined;
}

export function createCounterWriter({ redis, ledger, onError, intervalMs = INTERVAL_MS }: Options): CounterWriter {
  const { sendForBytes: send, sendToMasters } = redis;
  const dump = loadScript({ send, sendToMasters }, 'dump-2');
  const forgetScript = loadScript(redis, 'forget-2');
  const changed = new Set<CounterName>();

  async function forget({ name, epoch }: CounterEpoch): Promise<void> {
    await forgetScript(counterKeys(name), [epoch]);
  }

  async function writeAll(names: readonly CounterName[]): Promise<void> {
    const replies = await Promise.all(names.map(async (name) => readingOf(name, await dump(counterKeys(name), []))));
    const readings = replies.flat();
    if (readings.length === 0) return;
    await Promise.all((await ledger.write(readings)).map(forget));
  }

  async function flushOnce(): Promise<void> {
    const names = [...changed];
    changed.clear();
    for (let at = 0; at < names.length; at += BATCH) {
      try {
        await writeAll(names.slice(at, at + BATCH));
      } catch (error) {
        for (const name of names.slice(at)) changed.add(name);
        throw error;
      }
    }
  }

  const rounds = openRounds({ intervalMs, work: flushOnce, onError });

  return {
    note: (name) => void changed.add(name),
    write: (name) => writeAll([name]),
    forget,
    flush: rounds.run,
    close: () => rounds.close(CLOSE_LIMIT_MS),
  };
}

/** Empty: Redis does not have it. */
function readingOf(name: CounterName, reply: unknown): readonly CounterReading[] {
  const fields = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (fields.length === 0) return [];
  const [epoch = 0, rev = 0, total = 0, day = 0, today = 0] = fields.slice(0, 5).map(Number);
  const visitors = Buffer.isBuffer(fields[5]) ? fields[5] : Buffer.alloc(0);
  return [{ name, epoch, rev, total, day: dayOfNumber(day), today, visitors }];
}
