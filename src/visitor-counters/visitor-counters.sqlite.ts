// Visitor counters in memory. Every two seconds, their increments are written to SQLite.
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { SECOND_MS } from '../platform/time.js';
import { countedDay, type CounterName } from './counter.js';
import { distinctVisitors, type DistinctVisitors } from './distinct-visitors.js';
import type { VisitCounts, VisitorCounters } from './visitor-counters.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { inTransaction } from '../platform/stores/sqlite/transaction.js';

const FLUSH_INTERVAL_MS = 2 * SECOND_MS;

export interface EmbeddedVisitorCounters extends VisitorCounters {
  /**
   * Writes the increments now, and reloads counters that another process has reset or seeded. Throws AppError
   * `unavailable` if the database cannot be used.
   */
  flush(): void;
  /** Writes the increments one last time. Reports a failure to `onError`. The database must still be open. */
  close(): void;
}

interface Options {
  readonly db: Database;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
  /** Called with the error when the increments could not be written. The next periodic write retries. */
  readonly onError: (error: unknown) => void;
  readonly flushIntervalMs?: number | undefined;
}

/** A counter in memory. `total` and `today` include the increments that are not written yet. */
interface Counter {
  /**
   * Number of the counter's epoch. Any process that resets or seeds the counter starts a new epoch. Increments from an
   * earlier epoch are discarded.
   */
  readonly epoch: number;
  total: number;
  day: UtcDay;
  today: number;
  visitors: DistinctVisitors;
  unwritten: { total: number; today: number } | undefined;
}

interface CounterRow {
  readonly epoch: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  readonly visitors: Uint8Array;
}

export function openEmbeddedVisitorCounters(options: Options): EmbeddedVisitorCounters {
  const { db, now, onError, flushIntervalMs = FLUSH_INTERVAL_MS } = options;
  const sql = statements(db);
  const { current, reload, flush } = countersInMemory(db, sql, now);

  function flushOrReport(): void {
    try {
      flush();
    } catch (error) {
      onError(error);
    }
  }
  const timer = setInterval(flushOrReport, flushIntervalMs).unref();

  return {
    async hit(name, visitor) {
      const counter = current(name);
      counter.total++;
      counter.today++;
      counter.visitors.add(visitor);
      counter.unwritten ??= { total: 0, today: 0 };
      counter.unwritten.total++;
      counter.unwritten.today++;
      const counts = countsOf(counter);
      // Resolves after all requests of this tick have been read, so that their answers are sent together.
      return new Promise((resolve) => setImmediate(resolve, counts));
    },
    read: async (name) => countsOf(current(name)),
    async reset(name) {
      sql.reset.run(name, utcDay(now()));
      reload(name);
    },
    async seed(name, total) {
      flush();
      sql.seed.run(name, total, utcDay(now()));
      reload(name);
    },
    forgetVisitors: async (before) => sql.forgetVisitors.run(before).changes,
    flush,
    close() {
      clearInterval(timer);
      flushOrReport();
    },
  };
}

function countersInMemory(db: Database, sql: ReturnType<typeof statements>, now: () => number) {
  const counters = new Map<CounterName, Counter>();

  function reload(name: CounterName): Counter {
    const row = sql.read.get(name) as CounterRow | undefined;
    const { epoch, total, day, today } = row ?? { epoch: 0, total: 0, day: utcDay(now()), today: 0 };
    const counter = { epoch, total, day, today, visitors: distinctVisitors(row?.visitors), unwritten: undefined };
    counters.set(name, counter);
    return counter;
  }

  function current(name: CounterName): Counter {
    const counter = counters.get(name) ?? reload(name);
    const day = countedDay(counter.day, now());
    if (day !== counter.day) beginDay(counter, day);
    return counter;
  }

  function flush(): void {
    if (counters.size === 0) return;
    const changed = [...counters].filter(([, { unwritten }]) => unwritten);
    if (changed.length > 0) {
      inTransaction(db, () => {
        for (const [name, { epoch, unwritten, day, visitors }] of changed)
          sql.add.run(name, epoch, unwritten?.total ?? 0, day, unwritten?.today ?? 0, visitors.bytes());
      });
      for (const [, counter] of changed) counter.unwritten = undefined;
    }
    const rows = sql.epochs.all() as { readonly name: CounterName; readonly epoch: number }[];
    const epochs = new Map(rows.map(({ name, epoch }) => [name, epoch]));
    for (const [name, { epoch }] of counters) if ((epochs.get(name) ?? 0) !== epoch) reload(name);
  }

  return { current, reload, flush };
}

/**
 * Starts a new day, and deletes the hashes of the previous day's visitors. `total` already contains the visits of the
 * previous day.
 */
function beginDay(counter: Counter, day: UtcDay): void {
  counter.day = day;
  counter.today = 0;
  counter.visitors = distinctVisitors();
  if (counter.unwritten) counter.unwritten.today = 0;
}

function countsOf({ total, today, visitors }: Counter): VisitCounts {
  return { total, today, uniqueToday: visitors.count() };
}

function statements(db: Database) {
  return {
    read: db.prepare('SELECT epoch, total, day, today, visitors FROM visitor_counters WHERE name = ?'),
    epochs: db.prepare('SELECT name, epoch FROM visitor_counters'),
    add: db.prepare(`
      INSERT INTO visitor_counters (name, epoch, total, day, today, visitors) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET
        total = total + excluded.total,
        today = CASE WHEN day = excluded.day THEN today ELSE 0 END + excluded.today,
        day = excluded.day,
        visitors = excluded.visitors
      WHERE epoch = excluded.epoch`),
    reset: db.prepare(`
      INSERT INTO visitor_counters (name, epoch, total, day, today, visitors) VALUES (?, 1, 0, ?, 0, x'')
      ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, total = 0, today = 0, visitors = x''`),
    seed: db.prepare(`
      INSERT INTO visitor_counters (name, epoch, total, day, today, visitors) VALUES (?, 1, ?, ?, 0, x'')
      ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, total = excluded.total`),
    forgetVisitors: db.prepare(`UPDATE visitor_counters SET visitors = x'' WHERE day < ? AND length(visitors) > 0`),
  };
}
