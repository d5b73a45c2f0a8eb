// Calls of the script that counts visits: one for all visits of a counter, repeated when the counter has to be loaded first.
import { SECOND_MS } from '../../domain/time.js';
import type { CounterName } from '../../domain/visitor-counter/counter.js';
import { AppError } from '../../errors.js';
import type { VisitCounts } from '../../ports/visitor-counters.js';
import { dayNumber } from './account-keys.js';
import type { RedisConnection } from './connection.js';
import { counterKeys } from './counter-keys.js';
import { within } from '../../domain/concurrency/deadline.js';
import type { CounterLedger } from '../../ports/counter-ledger.js';
import { loadScript } from './scripts.js';

interface Options {
  readonly redis: RedisConnection;
  readonly ledger: Pick<CounterLedger, 'read'>;
  /** ms since the epoch, of tests; else the server's time. */
  readonly now?: (() => number) | undefined;
}

/** Each is a reset, a seed or an eviction that came in between. */
const MAX_ATTEMPTS = 4;
/** With loading the counter. */
const LIMIT_MS = 0.95 * SECOND_MS;

/** The counts with all these visits; without a visitor, as they are. */
export type CountVisits = (name: CounterName, visitors: readonly string[]) => Promise<VisitCounts>;

export function createCountVisits({ redis, ledger, now }: Options): CountVisits {
  const count = loadScript(redis, 'visit-2');
  const load = loadScript(redis, 'load-2');

  async function once(name: CounterName, visitors: readonly string[]): Promise<VisitCounts | undefined> {
    const reply = await count(counterKeys(name), [now ? now() : '', ...visitors]);
    const [outcome, ...counts] = Array.isArray(reply) ? (reply as unknown[]) : [];
    if (outcome === 'miss') return undefined;
    if (outcome !== 'ok') throw new Error('the script that counts visits replied otherwise than agreed');
    const [total = 0, today = 0, uniqueToday = 0] = counts.map(Number);
    return { total, today, uniqueToday };
  }

  async function loadFromLedger(name: CounterName): Promise<void> {
    const found = await ledger.read(name);
    const { epoch, rev, total, today } = found ?? { epoch: 0, rev: 0, total: 0, today: 0 };
    const day = found ? dayNumber(found.day) : 0;
    await load(counterKeys(name), [epoch, rev, total, day, today, found?.visitors ?? '']);
  }

  async function retry(name: CounterName, visitors: readonly string[]): Promise<VisitCounts> {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      await loadFromLedger(name);
      const counts = await once(name, visitors);
      if (counts) return counts;
    }
    throw new AppError('unavailable', undefined, { cause: new Error('the counter was deleted too often meanwhile') });
  }

  return async (name, visitors) => {
    const beganMs = performance.now();
    const counts = await once(name, visitors);
    if (counts) return counts;
    try {
      return await within(LIMIT_MS - (performance.now() - beganMs), retry(name, visitors));
    } catch (cause) {
      throw cause instanceof AppError ? cause : new AppError('unavailable', undefined, { cause });
    }
  };
}
