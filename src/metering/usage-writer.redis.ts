// Usage writer: every two seconds, copies changed counters from Redis to the ledger (MongoDB), and writes the last uses
// of keys.
import { randomUUID } from 'node:crypto';
import type { AccountId } from '../accounts/account.js';
import { createKeyUses } from './key-uses.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { SECOND_MS } from '../platform/time.js';
import type { UsageLedger } from './usage-ledger.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import type { UsageCounters } from './usage-counters.redis.js';

/**
 * Number of sorted sets `usage:dirty:N` in Redis. Their members, called notes, name accounts with counters that are not
 * in the ledger (MongoDB) yet. A note consists of the account's id, a space and a random id. Its score is the time in
 * ms since the epoch. After a crash, another process finds the notes and writes the counters.
 */
const SHARDS = 16;
const INTERVAL_MS = 2 * SECOND_MS;
/**
 * Minimum age in ms of a note that other processes handle. A note says that an account has unwritten counters. A
 * running process handles its own notes earlier.
 */
const ABANDONED_MS = 10 * SECOND_MS;
/** Maximum number of accounts per write. */
const BATCH = 200;
const CLOSE_LIMIT_MS = 5 * SECOND_MS;

interface Options {
  readonly redis: RedisConnection;
  readonly counters: Pick<UsageCounters, 'read'>;
  readonly ledger: UsageLedger;
  /** Maximum number of keys for which the last use is kept in memory. */
  readonly maxKeys: number;
  /** Called when a periodic write fails. The next periodic write tries again. */
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number | undefined;
}

export function openUsageWriter(options: Options) {
  const { redis, ledger, maxKeys, onError, intervalMs = INTERVAL_MS } = options;
  const uses = createKeyUses(maxKeys);
  let pending = new Set<AccountId>();
  let noteId = randomUUID();

  /**
   * Stores a note in Redis that the account's counters are about to change. Must be called before the command that
   * changes the counters, so that Redis receives both together.
   */
  function note(id: AccountId): void {
    if (pending.has(id)) return;
    pending.add(id);
    // A failure is ignored, because the note is needed only if this process ends before it has written the counters.
    redis.send('zadd', shardOf(id), Date.now(), `${id} ${noteId}`).catch(() => undefined);
  }

  async function flushOnce(): Promise<void> {
    if (pending.size > 0) await flushCounters();
    await uses.write((used) => ledger.touch(used));
  }

  async function flushCounters(): Promise<void> {
    const [batch, id] = [pending, noteId];
    pending = new Set();
    // Later changes get notes with a new id, so that removing the current notes does not remove later notes.
    noteId = randomUUID();
    const all = [...batch];
    for (let at = 0; at < all.length; at += BATCH) {
      const part = all.slice(at, at + BATCH);
      try {
        await writeCounters(options, part);
      } catch (error) {
        for (const accountId of all.slice(at)) pending.add(accountId);
        throw error;
      }
      await removeNotes(
        redis,
        part.map((accountId) => `${accountId} ${id}`),
      );
    }
  }

  const flushes = periodicTask({ intervalMs, work: flushOnce, onError });
  const takeOver = () => takeOverNotes(options);
  // The interval is random, so that two processes rarely handle the same notes at the same time.
  const takeOvers = periodicTask({ intervalMs: ABANDONED_MS * (0.5 + Math.random()), work: takeOver, onError });

  return {
    note,
    /**
     * Remembers that the key was accepted. This use is written together with the next counters. It is lost if this
     * process ends before that write.
     */
    used: uses.note,
    /** Writes all current changes. If writing fails, rejects, and the next periodic write tries again. */
    flush: flushes.run,
    /** Writes the counters that other processes left unwritten when they ended. */
    takeOver,
    /** Writes all current changes and stops the periodic writes. */
    async close(): Promise<void> {
      takeOvers.stop();
      await flushes.close(CLOSE_LIMIT_MS);
    },
  };
}

async function writeCounters({ counters, ledger }: Options, ids: readonly AccountId[]): Promise<void> {
  const readings = await Promise.all(ids.map((id) => counters.read(id)));
  const changed = readings.flat().filter(({ rev }) => rev > 0);
  if (changed.length > 0) await ledger.write(changed);
}

async function takeOverNotes(options: Options): Promise<void> {
  const { redis } = options;
  for (let shard = 0; shard < SHARDS; shard++) {
    for (let found = BATCH; found === BATCH;) {
      const until = Date.now() - ABANDONED_MS;
      const reply = await redis.send('zrangebyscore', shardKey(shard), '-inf', until, 'LIMIT', 0, BATCH);
      const notes = Array.isArray(reply) ? reply.map(String) : [];
      found = notes.length;
      if (found === 0) break;
      await writeCounters(options, [...new Set(notes.map((name) => name.slice(0, name.indexOf(' ')) as AccountId))]);
      await redis.send('zrem', shardKey(shard), ...notes);
    }
  }
}

async function removeNotes(redis: RedisConnection, notes: readonly string[]): Promise<void> {
  const shards = new Map<string, string[]>();
  for (const name of notes) {
    const key = shardOf(name.slice(0, name.indexOf(' ')));
    shards.set(key, [...(shards.get(key) ?? []), name]);
  }
  await Promise.all([...shards].map(([key, names]) => redis.send('zrem', key, ...names)));
}

const shardKey = (shard: number): string => `usage:dirty:${shard}`;

function shardOf(id: string): string {
  let sum = 0;
  for (let at = 0; at < id.length; at++) sum = (sum * 31 + id.charCodeAt(at)) % 65_536;
  return shardKey(sum % SHARDS);
}
