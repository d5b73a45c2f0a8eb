// Rate limits in SQLite (table `budgets`). They survive restarts. Operator commands can reset them while the service
// runs.
import { hash } from 'node:crypto';
import type { RateLimit, RateLimitOutcome, RateLimits } from './rate-limits.js';
import type { Database, Statement } from '../platform/stores/sqlite/guarded-database.js';
import { yieldToWriters, CHUNK_ROWS } from '../platform/stores/sqlite/chunked-writes.js';
import { inTransaction } from '../platform/stores/sqlite/transaction.js';

interface WindowRecord {
  readonly subject_hash: string;
  readonly began_at: number;
  readonly spent: number;
}

interface Window {
  readonly key: string;
  readonly keyHash: string;
  readonly windowMs: number;
  readonly limit: number;
  readonly consumed: number;
  /** End of the window in ms since the epoch; null if no window is running. */
  readonly endsMs: number | null;
}

/** Upper bound of key hashes: greater than every hash. */
const LAST = '~';

/** `now`: time in ms since the epoch. */
export function createEmbeddedRateLimits(db: Database, now: () => number): RateLimits {
  const read = db.prepare('SELECT began_at, spent FROM budgets WHERE subject_hash = ? AND window_ms = ?');
  const begin = db.prepare(
    'INSERT OR REPLACE INTO budgets (subject_hash, window_ms, began_at, spent) VALUES (?, ?, ?, 1)',
  );
  const increment = db.prepare('UPDATE budgets SET spent = spent + 1 WHERE subject_hash = ? AND window_ms = ?');
  const decrement = db.prepare(
    'UPDATE budgets SET spent = spent - 1 WHERE subject_hash = ? AND window_ms = ? AND spent > 0',
  );
  const remove = db.prepare('DELETE FROM budgets WHERE subject_hash = ?');

  return {
    async consume(rateLimits) {
      const readMs = now();
      // The limits are checked without a transaction first, so that a flood of rejected requests writes nothing.
      const rejected = rejection(windowsOf(read, rateLimits, readMs), readMs);
      if (rejected) return rejected;
      return inTransaction(db, () => {
        // Reads the time again, because it must not be earlier than the start of a window. Another process may have
        // started a window while this process waited for the write lock.
        const nowMs = now();
        const windows = windowsOf(read, rateLimits, nowMs);
        const rejectedMeanwhile = rejection(windows, nowMs);
        if (rejectedMeanwhile) return rejectedMeanwhile;
        for (const { keyHash, windowMs, endsMs } of windows) {
          if (endsMs === null) begin.run(keyHash, windowMs, nowMs);
          else increment.run(keyHash, windowMs);
        }
        return { ok: true };
      });
    },

    async refund(rateLimits) {
      inTransaction(db, () => {
        for (const { key, rules } of rateLimits)
          for (const { windowMs } of rules) decrement.run(hash('sha256', key), windowMs);
      });
    },

    async reset(key) {
      remove.run(hash('sha256', key));
    },

    prune: () => pruneWindows(db, now),
  };
}

/**
 * Returns every window of these limits. `endsMs` is null if no window is running. A window with a start in the future
 * does not count as running, because a wrong clock started it.
 */
function windowsOf(read: Statement, rateLimits: readonly RateLimit[], nowMs: number): readonly Window[] {
  return rateLimits.flatMap(({ key, rules }) => {
    const keyHash = hash('sha256', key);
    return rules.map(({ limit, windowMs }) => {
      const row = read.get(keyHash, windowMs) as WindowRecord | undefined;
      const runs = row !== undefined && row.began_at <= nowMs && nowMs < row.began_at + windowMs;
      return {
        key,
        keyHash,
        windowMs,
        limit,
        consumed: runs ? row.spent : 0,
        endsMs: runs ? row.began_at + windowMs : null,
      };
    });
  });
}

/**
 * Returns undefined if all windows admit the request. Otherwise returns the rejection. Its retry time is the end of the
 * used-up window that ends last.
 */
function rejection(windows: readonly Window[], nowMs: number): RateLimitOutcome | undefined {
  const full = windows.filter(({ consumed, limit }) => consumed >= limit);
  if (full.length === 0) return undefined;
  const endsMs = Math.max(...full.map((window) => window.endsMs ?? nowMs));
  return {
    ok: false,
    retryAfterSeconds: Math.max(1, Math.ceil((endsMs - nowMs) / 1000)),
    keys: full.map(({ key }) => key),
  };
}

/**
 * Removes ended windows. Scans the whole table, because no index finds them. Each transaction handles a range of keys.
 */
async function pruneWindows(db: Database, now: () => number): Promise<void> {
  const rangeEnd = db.prepare(
    `SELECT subject_hash FROM budgets WHERE subject_hash > ? ORDER BY subject_hash LIMIT 1 OFFSET ${CHUNK_ROWS}`,
  );
  const pruneRange = db.prepare(
    `DELETE FROM budgets WHERE subject_hash > :after AND subject_hash <= :upTo
     AND (began_at + window_ms <= :now OR began_at > :now)`,
  );
  for (let after = ''; after !== LAST;) {
    const last = rangeEnd.get(after) as Pick<WindowRecord, 'subject_hash'> | undefined;
    const upTo = last?.subject_hash ?? LAST;
    pruneRange.run({ after, upTo, now: now() });
    after = upTo;
    await yieldToWriters();
  }
}
