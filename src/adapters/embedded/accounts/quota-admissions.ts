// Admissions in SQLite: those of one turn of the event loop share one transaction and are answered after its commit.
import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../../domain/account/account.js';
import { fullBucket, takeToken, type TokenBucket } from '../../../domain/metering/token-bucket.js';
import { BUCKETS, type Bucket, type Plans, type Tier } from '../../../domain/metering/plan.js';
import { secondsLeftInDay, utcDay, type UtcDay } from '../../../domain/metering/utc-day.js';
import { isWithin, MINUTE_MS } from '../../../domain/time.js';
import { AppError } from '../../../errors.js';
import type {
  Admission,
  AdmissionRequest,
  QuotaAdmissions,
  Credential,
  Refusal,
  UsageReading,
} from '../../../ports/quota-admissions.js';
import type { Database } from '../sqlite/guarded-database.js';

interface Waiting {
  readonly request: AdmissionRequest;
  readonly resolve: (admission: Admission) => void;
  readonly reject: (error: unknown) => void;
}

interface AccountRow {
  /** Null: revoked. */
  readonly keyHash: string | null;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly keyLastUsedAtMs: number;
}

/** Columns of `readAccount`. */
interface AccountRecord {
  readonly key_hash: string | null;
  readonly tier: Tier;
  readonly suspended: number;
  readonly key_last_used_at: number | null;
}

/** What one transaction has read and will write. */
interface Turn {
  readonly nowMs: number;
  readonly day: UtcDay;
  readonly accounts: Map<string, AccountRow | undefined>;
  readonly used: Map<string, { readonly request: AdmissionRequest; count: number; dirty: boolean }>;
  readonly touched: Set<string>;
}

interface Options {
  readonly db: Database;
  readonly plans: Plans;
  /** ms since the epoch */
  readonly now: () => number;
}

/** A key's last use is written at most this often. */
const LAST_USE_STEP_MS = MINUTE_MS;
/** Accounts whose burst is remembered; one that falls out starts with a full bucket again. */
const MAX_BURSTS = 100_000;

export function createEmbeddedQuotaAdmissions({ db, plans, now }: Options): QuotaAdmissions {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const readAccount = db.prepare('SELECT key_hash, tier, suspended, key_last_used_at FROM accounts WHERE id = ?');
  const readUsed = db.prepare('SELECT used FROM usage WHERE account_id = ? AND day = ? AND bucket = ?');
  const writeUsed = db.prepare(
    'INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used',
  );
  const writeLastUse = db.prepare('UPDATE accounts SET key_last_used_at = ? WHERE id = ?');
  const lessOne = db.prepare(
    'UPDATE usage SET used = used - 1 WHERE account_id = ? AND day = ? AND bucket = ? AND used > 0',
  );
  const readDay = db.prepare('SELECT bucket, used FROM usage WHERE account_id = ? AND day = ?');
  const bursts = new LRUCache<string, TokenBucket>({ max: MAX_BURSTS });

  let waiting: Waiting[] = [];

  function account(turn: Turn, id: string): AccountRow | undefined {
    if (turn.accounts.has(id)) return turn.accounts.get(id);
    const row = readAccount.get(id) as AccountRecord | undefined;
    const found = row && {
      keyHash: row.key_hash,
      tier: row.tier,
      suspended: row.suspended === 1,
      keyLastUsedAtMs: row.key_last_used_at ?? 0,
    };
    turn.accounts.set(id, found);
    return found;
  }

  function counter(turn: Turn, request: AdmissionRequest): { count: number; dirty: boolean } {
    const name = `${request.accountId}/${request.bucket}`;
    const known = turn.used.get(name);
    if (known) return known;
    const row = readUsed.get(request.accountId, turn.day, request.bucket) as { readonly used: number } | undefined;
    const fresh = { request, count: row?.used ?? 0, dirty: false };
    turn.used.set(name, fresh);
    return fresh;
  }

  function decide(turn: Turn, request: AdmissionRequest): Admission {
    const row = account(turn, request.accountId);
    const refusal = refuse(row, request);
    if (!row || refusal) return refusal ?? { refused: 'key' };
    const plan = plans[row.tier];
    if (request.spend !== 'verify' && plan.burstPerSecond !== null) {
      const perSecond = plan.burstPerSecond;
      const taken = takeToken(
        bursts.get(request.accountId) ?? fullBucket(perSecond, turn.nowMs),
        perSecond,
        turn.nowMs,
      );
      bursts.set(request.accountId, taken.bucket);
      if (!taken.ok) return { refused: 'burst', retryAfterSeconds: taken.retryAfterSeconds, perSecond };
    }
    const used = counter(turn, request);
    const limit = plan.daily[request.bucket];
    const reading = { day: turn.day, tier: row.tier, limit, secondsLeft: secondsLeftInDay(turn.nowMs) };
    if (request.spend === 'count') {
      if (limit !== null && used.count >= limit) return { refused: 'quota', quota: { ...reading, used: used.count } };
      used.count += 1;
      used.dirty = true;
      if (!isWithin(row.keyLastUsedAtMs, LAST_USE_STEP_MS, turn.nowMs)) turn.touched.add(request.accountId);
    }
    return { refused: null, quota: { ...reading, used: used.count } };
  }

  /** After some errors SQLite has rolled back by itself, and a closed database has nothing to undo. */
  function undo(): void {
    try {
      rollback.run();
    } catch {
      // Nothing is left to undo.
    }
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    const nowMs = now();
    const turn: Turn = { nowMs, day: utcDay(nowMs), accounts: new Map(), used: new Map(), touched: new Set() };
    const writes = batch.some(({ request }) => request.spend === 'count');
    let admissions: Admission[];
    try {
      if (writes) begin.run();
      admissions = batch.map(({ request }) => decide(turn, request));
      for (const { request, count, dirty } of turn.used.values()) {
        if (dirty) writeUsed.run(request.accountId, turn.day, request.bucket, count);
      }
      for (const id of turn.touched) writeLastUse.run(nowMs, id);
      if (writes) commit.run();
    } catch (cause) {
      undo();
      const error = new AppError('unavailable', 'The request could not be counted, so it was not served.', { cause });
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      const admission = admissions[index];
      if (admission) resolve(admission);
      else reject(new Error('an admission was not decided'));
    }
  }

  function readUsage(
    accountId: AccountId,
    refusalOf: (row: AccountRow | undefined) => Refusal | undefined,
  ): UsageReading | Refusal {
    const nowMs = now();
    const day = utcDay(nowMs);
    const row = account({ nowMs, day, accounts: new Map(), used: new Map(), touched: new Set() }, accountId);
    const refusal = refusalOf(row);
    if (!row || refusal) return refusal ?? { refused: 'key' };
    const used = Object.fromEntries(BUCKETS.map((bucket) => [bucket, 0])) as Record<Bucket, number>;
    for (const counted of readDay.all(accountId, day) as { readonly bucket: Bucket; readonly used: number }[])
      used[counted.bucket] = counted.used;
    return { day, tier: row.tier, used };
  }

  return {
    admit(request) {
      return new Promise((resolve, reject) => {
        // After the poll phase: every request that has arrived by then rides along.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ request, resolve, reject });
      });
    },

    async refund(accountId, bucket, day) {
      lessOne.run(accountId, day, bucket);
    },

    usage: async (credential) => readUsage(credential.accountId, (row) => refuse(row, credential)),
    usageOf: async (accountId) =>
      readUsage(accountId, (row) => (row?.suspended === true ? { refused: 'suspended' } : undefined)),
  };
}

function refuse(row: AccountRow | undefined, { keyHash }: Credential): Refusal | undefined {
  // Both are SHA-256 of high-entropy secrets: how long the comparison takes tells nothing about the key.
  if (row?.keyHash !== keyHash) return { refused: 'key' };
  return row.suspended ? { refused: 'suspended' } : undefined;
}
