// Response counts: collected in memory by account, and added to the history every five seconds.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { AccountId } from '../accounts/account.js';
import { randomBase62 } from '../platform/text/base62.js';
import type { Slug } from '../platform/web/slug.js';
import { countSlug, slugCounts } from './day-responses.js';
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { DAY_MS, SECOND_MS } from '../platform/time.js';
import { isCode } from '../platform/errors.js';
import type { ResponseBatch, ResponseHistory } from './response-history.js';

const INTERVAL_MS = 5 * SECOND_MS;
/** Memory in bytes of one account with the maximum number of slugs. */
const BYTES_PER_ACCOUNT = 3000;
/** Maximum number of accounts per write. A write takes about 2 ms in SQLite. */
const BATCH = 50;
const BATCH_ID_LENGTH = 8;
const CLOSE_LIMIT_MS = 2 * SECOND_MS;

interface Counts {
  /** Numbers of responses with status 2xx, 3xx, 4xx and 5xx. */
  readonly classes: [number, number, number, number];
  slugs: Map<Slug, number> | undefined;
}

/** Part of the counts of one day, written in one call. */
interface Part {
  readonly id: string;
  readonly day: UtcDay;
  readonly accounts: readonly (readonly [AccountId, Counts])[];
}

export type ResponseCounts = ReturnType<typeof openResponseCounts>;

interface Options {
  readonly history: Pick<ResponseHistory, 'add'>;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /**
   * Memory limit in bytes. One half is for current counts, the other half for finished counts that wait to be written.
   * At the limit, responses to accounts without current counts are not counted.
   */
  readonly maxBytes: number;
  /** Called when a periodic write fails. The next periodic write tries again. */
  readonly onError: (error: unknown) => void;
}

export function openResponseCounts({ history, now, maxBytes, onError }: Options) {
  const maxAccounts = Math.floor(maxBytes / 2 / BYTES_PER_ACCOUNT);
  let counted = new Map<AccountId, Counts>();
  let dayBeganMs = dayBegin(now());
  /** Counts that are not written yet, because a write failed, or because they belong to the previous day. */
  let waiting: Part[] = [];

  /** Moves the current counts to `waiting`. Returns false and moves nothing if too many parts are waiting. */
  function setAside(): boolean {
    if (waiting.length * BATCH >= maxAccounts) return false;
    waiting.push(...partsOf(counted, utcDay(dayBeganMs)));
    counted = new Map();
    return true;
  }

  function countsOf(accountId: AccountId): Counts | undefined {
    const known = counted.get(accountId);
    if (known) return known;
    if (counted.size >= maxAccounts) {
      if (!setAside()) return undefined;
      void rounds.run().catch(onError);
    }
    const counts: Counts = { classes: [0, 0, 0, 0], slugs: undefined };
    counted.set(accountId, counts);
    return counts;
  }

  async function flushOnce(): Promise<void> {
    if (counted.size > 0) setAside();
    for (let part = waiting[0]; part; part = waiting[0]) {
      await history.add(batchOf(part)).catch((error: unknown) => {
        // Drops a part that the store rejects permanently, because it would block all other parts.
        if (!isCode(error, 'unavailable')) waiting = waiting.slice(1);
        throw error;
      });
      waiting = waiting.slice(1);
      // Lets other requests run, because writes of the embedded store are synchronous and never yield to the event
      // loop.
      await nextTick();
    }
  }

  const rounds = periodicTask({ intervalMs: INTERVAL_MS, work: flushOnce, onError });

  return {
    /** Counts a response synchronously and never throws. `slug`: slug of the entry in the response. */
    count(accountId: AccountId, status: number, slug?: Slug): void {
      const nowMs = now();
      if (nowMs < dayBeganMs || nowMs >= dayBeganMs + DAY_MS) {
        if (counted.size > 0 && !setAside()) return;
        dayBeganMs = dayBegin(nowMs);
      }
      const counts = countsOf(accountId);
      if (!counts) return;
      const at = Math.floor(status / 100) - 2;
      if (at in counts.classes) counts.classes[at as 0 | 1 | 2 | 3] += 1;
      if (slug !== undefined) countSlug((counts.slugs ??= new Map<Slug, number>()), slug);
    },
    /** Writes all current counts. If writing fails, rejects, and the next periodic write tries again. */
    flush: rounds.run,
    /** Writes all current counts and stops the periodic writes. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS),
  };
}

const dayBegin = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

function partsOf(counted: ReadonlyMap<AccountId, Counts>, day: UtcDay): Part[] {
  const accounts = [...counted];
  return Array.from({ length: Math.ceil(accounts.length / BATCH) }, (_, at) => ({
    id: randomBase62(BATCH_ID_LENGTH),
    day,
    accounts: accounts.slice(at * BATCH, (at + 1) * BATCH),
  }));
}

function batchOf({ id, day, accounts }: Part): ResponseBatch {
  return {
    id,
    day,
    accounts: accounts.map(([accountId, { classes, slugs }]) => ({
      accountId,
      responses: { '2xx': classes[0], '3xx': classes[1], '4xx': classes[2], '5xx': classes[3] },
      slugs: slugs ? slugCounts(slugs) : [],
    })),
  };
}
