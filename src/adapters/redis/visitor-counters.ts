// Visitor counters in Redis: visits of one event loop tick are one script call per counter, written behind to MongoDB.
import type { CounterName } from '../../domain/visitor-counter/counter.js';
import type { VisitCounts, VisitorCounters } from '../../ports/visitor-counters.js';
import type { CounterLedger } from '../../ports/counter-ledger.js';
import type { RedisConnection } from './connection.js';
import { createCountVisits } from './count-visits.js';
import { createCounterWriter } from './counter-writer.js';

interface Options {
  readonly redis: RedisConnection;
  readonly ledger: CounterLedger;
  /** ms since the epoch, of tests; else the server's time. */
  readonly now?: (() => number) | undefined;
  /** Counters could not be written to the ledger; the next round tries again. */
  readonly onFlushError: (error: unknown) => void;
  /** Between two rounds in which counters are written to the ledger. */
  readonly flushIntervalMs?: number | undefined;
}

export interface RedisVisitorCounters extends VisitorCounters {
  /** Writes the counters that this process has changed to the ledger now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Visits of one counter in one tick, in the order of their arrival. */
interface Group {
  readonly visitors: string[];
  readonly waiting: { readonly resolve: (counts: VisitCounts) => void; readonly reject: (error: unknown) => void }[];
}

/** Of one call: Lua unpacks no more than some thousands. */
const MAX_VISITS = 500;

export function createRedisVisitorCounters(options: Options): RedisVisitorCounters {
  const { redis, ledger, now, onFlushError, flushIntervalMs } = options;
  const writer = createCounterWriter({ redis, ledger, onError: onFlushError, intervalMs: flushIntervalMs });
  const countVisits = createCountVisits({ redis, ledger, now });
  let groups = new Map<CounterName, Group>();

  async function countGroup(name: CounterName, { visitors, waiting }: Group): Promise<void> {
    try {
      const counts = await countVisits(name, visitors);
      for (const [index, { resolve }] of waiting.entries()) resolve(countsAfter(counts, visitors.length - 1 - index));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      // After the reply: a round that has begun before may have read the counter without these visits.
      writer.note(name);
    }
  }

  function countAll(): void {
    const all = groups;
    groups = new Map();
    for (const [name, { visitors, waiting }] of all)
      for (let at = 0; at < visitors.length; at += MAX_VISITS)
        void countGroup(name, {
          visitors: visitors.slice(at, at + MAX_VISITS),
          waiting: waiting.slice(at, at + MAX_VISITS),
        });
  }

  return {
    hit(name, visitor) {
      return new Promise((resolve, reject) => {
        // Runs after the poll phase, so every visit that has arrived by then joins its group.
        if (groups.size === 0) setImmediate(countAll);
        const group = groups.get(name) ?? { visitors: [], waiting: [] };
        groups.set(name, group);
        group.visitors.push(visitor);
        group.waiting.push({ resolve, reject });
      });
    },
    read: (name) => countVisits(name, []),
    async reset(name) {
      await writer.forget(await ledger.reset(name));
    },
    async seed(name, total) {
      await writer.write(name);
      await writer.forget(await ledger.seed(name, total));
    },
    forgetVisitors: (before) => ledger.forgetVisitors(before),
    flush: writer.flush,
    close: writer.close,
  };
}

/** Of a visit that so many others of its call came after. */
function countsAfter({ total, today, uniqueToday }: VisitCounts, later: number): VisitCounts {
  return { total: total - later, today: today - later, uniqueToday };
}
