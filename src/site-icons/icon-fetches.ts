// Fetching icons: one fetch per host at a time in the whole deployment, and a few hosts at once in this process. Recent
// records are kept in memory.
import { LRUCache } from 'lru-cache';
import type { AccountId } from '../accounts/account.js';
import { createFairQueue } from '../platform/concurrency/fair-queue.js';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import { isCode } from '../platform/errors.js';
import type { Locks } from '../platform/stores/locks.js';
import { SECOND_MS } from '../platform/time.js';
import type { FindIcon, FindOutcome } from './find-icon.js';
import { isDue, recordAfter } from './retention.js';
import type { SiteIconRecord, SiteIconStore } from './site-icon-store.js';

/** Limits of this process: AT_ONCE fetches run, and MAX_WAITING fetches wait. */
const AT_ONCE = 8;
const MAX_WAITING = 200;
/**
 * Lifetime of the lock of a host. A search takes at most five seconds, and decoding the found icons takes some more.
 */
const LOCK_MS = 20 * SECOND_MS;
const LOCK_WAIT_MS = 6 * SECOND_MS;
/**
 * Time in ms for which a process caches a record. After this time, it notices changes that other processes or commands
 * have made.
 */
const CACHED_MS = 30 * SECOND_MS;
/** Size of a cached record without its icon, in bytes. */
const ENTRY_BYTES = 500;

export type FetchResult = 'found' | 'unchanged' | 'none' | 'failed' | 'refused';

export interface FetchOptions {
  readonly store: SiteIconStore;
  readonly locks: Locks;
  readonly find: FindIcon;
  readonly cacheBytes: number;
  readonly now: () => number;
  readonly onFetch?: ((result: FetchResult, seconds: number) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

interface Cached {
  readonly record: SiteIconRecord | undefined;
  readonly readMs: number;
}

export function createIconFetches({ store, locks, find, cacheBytes, now, onFetch, onError }: FetchOptions) {
  const cache = new LRUCache<string, Cached>({ maxSize: cacheBytes, sizeCalculation: sizeOf });
  const queue = createFairQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });
  const underWay = new Map<string, Promise<SiteIconRecord | undefined>>();
  const closing = new AbortController();

  function remember(host: string, record: SiteIconRecord | undefined): SiteIconRecord | undefined {
    cache.set(host, { record, readMs: now() });
    return record;
  }

  async function search(host: string, before: SiteIconRecord | undefined, accountId: AccountId): Promise<FindOutcome> {
    const began = performance.now();
    const known = before?.state === 'found' ? before.icon.source : undefined;
    const outcome = await find({ host, known, accountId, signal: closing.signal });
    onFetch?.(resultOf(outcome), (performance.now() - began) / 1000);
    return outcome;
  }

  /** Fetches the icon, unless another process has fetched it in the meantime. */
  async function fetchLocked(host: string, accountId: AccountId): Promise<SiteIconRecord | undefined> {
    // The signal is checked here, when the queued fetch starts. It is not passed to the queue, because the queue would
    // keep a listener for each fetch until the service ends.
    closing.signal.throwIfAborted();
    const lock = await locks.acquire(`site-icon ${host}`, { expiresAfterMs: LOCK_MS, waitMs: LOCK_WAIT_MS });
    if (!lock) return remember(host, await store.get(host));
    try {
      const before = await store.get(host);
      if (before && !isDue(before, now())) return remember(host, before);
      const outcome = await search(host, before, accountId);
      // An aborted search says nothing about the site, so the record stays as it is.
      if (closing.signal.aborted) return before;
      const record = recordAfter(host, before, outcome, now());
      return remember(host, (await store.put(record)) ? record : await store.get(host));
    } finally {
      await lock.release();
    }
  }

  return {
    /** Returns the stored record, or a cached copy that is at most `CACHED_MS` old. */
    async read(host: string): Promise<SiteIconRecord | undefined> {
      const cached = cache.get(host);
      if (cached && now() - cached.readMs < CACHED_MS) return cached.record;
      return remember(host, await store.get(host));
    },
    /** Stores a changed record, unless another process has changed the record first. */
    async write(record: SiteIconRecord): Promise<void> {
      if (await store.put(record)) remember(record.id, record);
    },
    isUnderWay: (host: string) => underWay.has(host),
    /**
     * Fetches the icon when it is the account's turn in the queue. Never rejects. Returns undefined if the fetch fails
     * or the queue is full.
     */
    fetch: (host: string, accountId: AccountId): Promise<SiteIconRecord | undefined> =>
      singleFlight(underWay, host, () =>
        queue
          .run(accountId, () => fetchLocked(host, accountId))
          .catch((error: unknown) => {
            if (!isCode(error, 'busy') && !closing.signal.aborted) onError(error);
            return undefined;
          }),
      ),
    /** Aborts all fetches. Their results are not stored. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

function resultOf(outcome: FindOutcome): FetchResult {
  if (outcome.kind !== 'failed') return outcome.kind;
  return outcome.failure === 'not-allowed' ? 'refused' : 'failed';
}

function sizeOf({ record }: Cached): number {
  if (record?.state !== 'found') return ENTRY_BYTES;
  return Object.values(record.icon.texts).reduce((sum, text) => sum + text.length, ENTRY_BYTES);
}
