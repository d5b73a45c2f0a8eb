// Counts requested names that were not found. The counts of the day are kept in memory, and stored every few seconds.
import {
  MAX_MISSING_NAMES,
  missingKey,
  mostAsked,
  type MissingCount,
  type MissingNamesOfDay,
} from './missing-names.js';
import { type MissingName } from '../platform/not-found.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { randomBase62 } from '../platform/text/base62.js';
import { SECOND_MS } from '../platform/time.js';
import type { MissingNames } from './missing-name-store.js';

const INTERVAL_MS = 5 * SECOND_MS;
const CLOSE_LIMIT_MS = 2 * SECOND_MS;
const PROCESS_ID_LENGTH = 8;
/**
 * Maximum number of different names that are counted per account and day. This limit prevents one account from
 * displacing the names of all others.
 */
export const MAX_NAMES_OF_ASKER = 100;
/**
 * Maximum number of accounts per day for which the requested names are remembered. An account counts once for each
 * remembered name. Above the maximum, the least recently active account is forgotten, and may count twice.
 */
const MAX_ASKERS = 500;

interface Count extends MissingCount {
  accounts: number;
  requests: number;
}

export type MissingCounts = ReturnType<typeof openMissingCounts>;

interface Options {
  readonly store: Pick<MissingNames, 'put'>;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
  /** Called with the error if the counts could not be stored. The next round tries again. */
  readonly onError: (error: unknown) => void;
}

/** Opens the counts. Ids of accounts are never stored. They stay in memory only until the day ends. */
export function openMissingCounts({ store, now, onError }: Options) {
  const process = randomBase62(PROCESS_ID_LENGTH);
  let tally = createTally(utcDay(now()));
  /** Counts of the previous day, if they are not stored yet. */
  let waiting: MissingNamesOfDay | undefined;

  function tallyOfToday(): Tally {
    const day = utcDay(now());
    if (day === tally.day) return tally;
    if (tally.isChanged) waiting = tally.counted();
    tally = createTally(day);
    return tally;
  }

  async function flushOnce(): Promise<void> {
    const today = tallyOfToday();
    if (waiting) {
      await store.put(process, waiting);
      waiting = undefined;
    }
    if (!today.isChanged) return;
    today.isChanged = false;
    try {
      await store.put(process, today.counted());
    } catch (error) {
      today.isChanged = true;
      // If the day has ended during the write, `tally` already has the counts of the new day. `waiting` must then keep
      // the counts of the old day.
      if (today !== tally) waiting ??= today.counted();
      throw error;
    }
  }

  const rounds = periodicTask({ intervalMs: INTERVAL_MS, work: flushOnce, onError });

  return {
    /**
     * Counts names without waiting. Never throws. `asker`: id of the account, or the client's address if there is no
     * account.
     */
    count(asker: string, missing: readonly MissingName[]): void {
      if (missing.length > 0) tallyOfToday().add(asker, missing);
    },
    /** Stores the counts now. After a failure, rejects, and the next round tries again. */
    flush: rounds.run,
    /** Stores the counts a last time, and ends the periodic storing. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS),
  };
}

type Tally = ReturnType<typeof createTally>;

/**
 * Creates the counts of one day. Remembers which names each account has requested, so that an account counts once per
 * name.
 */
function createTally(day: UtcDay) {
  let counts = new Map<string, Count>();
  const askers = lruCache<string, Set<Count>>(MAX_ASKERS);

  function newCount({ kind, name }: MissingName, key: string): Count {
    if (counts.size >= 2 * MAX_MISSING_NAMES)
      counts = new Map(
        mostAsked(counts.values())
          .slice(0, MAX_MISSING_NAMES)
          .map((kept) => [missingKey(kept), kept]),
      );
    const count = { kind, name, accounts: 0, requests: 0 };
    counts.set(key, count);
    return count;
  }

  function addOne(asked: Set<Count>, missing: MissingName): void {
    const key = missingKey(missing);
    const known = counts.get(key);
    if (asked.size >= MAX_NAMES_OF_ASKER && !(known && asked.has(known))) return;
    const count = known ?? newCount(missing, key);
    if (!asked.has(count)) {
      asked.add(count);
      count.accounts += 1;
    }
    count.requests += 1;
  }

  return {
    day,
    /** True if the counts have changed since they were stored. */
    isChanged: false,
    add(asker: string, missing: readonly MissingName[]): void {
      let asked = askers.get(asker);
      if (asked === undefined) {
        asked = new Set();
        askers.set(asker, asked);
      }
      for (const one of missing) addOne(asked, one);
      this.isChanged = true;
    },
    counted(): MissingNamesOfDay {
      const most = mostAsked(counts.values()).slice(0, MAX_MISSING_NAMES);
      return { day, names: most.map((count) => ({ ...count })) };
    },
  };
}
