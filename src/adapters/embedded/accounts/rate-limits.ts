// Budgets in SQLite: they hold across restarts, and the operator's commands beside the service can refill them.
import { hash } from 'node:crypto';
import type { RateLimit, RateLimitOutcome, RateLimits } from '../../../ports/rate-limits.js';
import type { Database } from '../sqlite/guarded-database.js';
import { firstRow } from '../sqlite/rows.js';
import { yieldToWriters, CHUNK_ROWS } from '../sqlite/chunked-writes.js';
import { inTransaction } from '../sqlite/transaction.js';

interface WindowRecord {
  readonly began_at: number;
  readonly spent: number;
}

/** Sorts after every hash. */
const LAST = '~';

/** `now`: ms since the epoch. */
export function createEmbeddedRateLimits(db: Database, now: () => number): RateLimits {
  const read = db.prepare('SELECT began_at, spent FROM budgets WHERE subject_hash = ? AND window_ms = ?');
  const begin = db.prepare(
    'INSERT OR REPLACE INTO budgets (subject_hash, window_ms, began_at, spent) VALUES (?, ?, ?, 1)',
  );
  const more = db.prepare('UPDATE budgets SET spent = spent + 1 WHERE subject_hash = ? AND window_ms = ?');
  const less = db.prepare(
    'UPDATE budgets SET spent = spent - 1 WHERE subject_hash = ? AND window_ms = ? AND spent > 0',
  );
  const refill = db.prepare('DELETE FROM budgets WHERE subject_hash = ?');
  const stretchEnd = db.prepare(
    `SELECT subject_hash FROM budgets WHERE subject_hash > ? ORDER BY subject_hash LIMIT 1 OFFSET ${CHUNK_ROWS}`,
  );
  const pruneStretch = db.prepare(
    'DELETE FROM budgets WHERE subject_hash > :after AND subject_hash <= :upTo AND (began_at + window_ms <= :now OR began_at > :now)',
  );

  /**
   * Every window of these budgets as it is at this moment; one that is over is as good as none. So is one that begins
   * later: it was begun by a clock that was ahead, and its end may be years away.
   */
  function windows(budgets: readonly RateLimit[], nowMs: number) {
    return budgets.flatMap(({ key, rules }) => {
      const subjectHash = hash('sha256', key);
      return rules.map(({ limit, windowMs }) => {
        const window = read.get(subjectHash, windowMs) as WindowRecord | undefined;
        const runs = window !== undefined && window.began_at <= nowMs && nowMs < window.began_at + windowMs;
        return {
          subject: key,
          subjectHash,
          windowMs,
          limit,
          spent: runs ? window.spent : 0,
          endsMs: runs ? window.began_at + windowMs : null,
        };
      });
    });
  }

  return {
    async consume(budgets) {
      const readMs = now();
      // Reading alone needs no transaction: a flood of what is refused writes nothing.
      const refused = windows(budgets, readMs).filter(({ spent, limit }) => spent >= limit);
      if (refused.length > 0) return refusal(refused, readMs);
      return inTransaction(db, () => {
        // Later than every window that another process began while this one waited for the lock.
        const nowMs = now();
        const all = windows(budgets, nowMs);
        const used = all.filter(({ spent, limit }) => spent >= limit);
        if (used.length > 0) return refusal(used, nowMs);
        for (const { subjectHash, windowMs, endsMs } of all) {
          if (endsMs === null) begin.run(subjectHash, windowMs, nowMs);
          else more.run(subjectHash, windowMs);
        }
        return { ok: true };
      });
    },

    async refund(budgets) {
      inTransaction(db, () => {
        for (const { key, rules } of budgets) for (const { windowMs } of rules) less.run(hash('sha256', key), windowMs);
      });
    },

    async reset(subject) {
      refill.run(hash('sha256', subject));
    },

    async prune() {
      // No index says which windows are over, so all subjects are gone through, so many at a time.
      for (let after = ''; after !== LAST;) {
        const upTo = firstRow(stretchEnd, after)?.text('subject_hash') ?? LAST;
        pruneStretch.run({ after, upTo, now: now() });
        after = upTo;
        await yieldToWriters();
      }
    },
  };
}

/** To come back when the last of the used-up windows has ended. */
function refusal(
  used: readonly { readonly subject: string; readonly endsMs: number | null }[],
  nowMs: number,
): RateLimitOutcome {
  const endsMs = Math.max(...used.map((window) => window.endsMs ?? nowMs));
  return {
    ok: false,
    retryAfterSeconds: Math.max(1, Math.ceil((endsMs - nowMs) / 1000)),
    keys: used.map(({ subject }) => subject),
  };
}
