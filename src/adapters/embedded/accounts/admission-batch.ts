// Decisions of one admission batch: key check, burst limit and daily quota, each row read and written once per batch.
import { LRUCache } from 'lru-cache';
import { fullBucket, takeToken, type TokenBucket } from '../../../domain/metering/token-bucket.js';
import type { Plan, Plans, Tier } from '../../../domain/metering/plan.js';
import { secondsLeftInDay, utcDay, type UtcDay } from '../../../domain/metering/utc-day.js';
import { isWithin, MINUTE_MS } from '../../../domain/time.js';
import type { Admission, AdmissionRequest, Credential, KeyRejection } from '../../../ports/quota-admissions.js';
import type { Database } from '../sqlite/guarded-database.js';

export interface AccountRow {
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

interface Counter {
  readonly request: AdmissionRequest;
  count: number;
  dirty: boolean;
}

/** What one transaction has read and will write. */
interface AdmissionBatch {
  readonly nowMs: number;
  readonly day: UtcDay;
  readonly accounts: Map<string, AccountRow | undefined>;
  /** By account and bucket. */
  readonly counters: Map<string, Counter>;
  /** Accounts whose key's last use is to be written. */
  readonly used: Set<string>;
}

/** A key's last use is written at most this often. */
const LAST_USE_STEP_MS = MINUTE_MS;
/** Accounts whose token bucket is kept; one that falls out starts with a full bucket again. */
const MAX_BUCKETS = 100_000;

/** What outlives a batch. */
export interface AdmissionState {
  readonly plans: Plans;
  readonly bursts: LRUCache<string, TokenBucket>;
  readonly sql: ReturnType<typeof prepareStatements>;
}

export function createAdmissionState(db: Database, plans: Plans): AdmissionState {
  return { plans, bursts: new LRUCache({ max: MAX_BUCKETS }), sql: prepareStatements(db) };
}

function prepareStatements(db: Database) {
  return {
    readAccount: db.prepare('SELECT key_hash, tier, suspended, key_last_used_at FROM accounts WHERE id = ?'),
    readUsed: db.prepare('SELECT used FROM usage WHERE account_id = ? AND day = ? AND bucket = ?'),
    writeUsed: db.prepare(
      `INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET used = excluded.used`,
    ),
    writeLastUse: db.prepare('UPDATE accounts SET key_last_used_at = ? WHERE id = ?'),
  };
}

/** Decides in order, then writes the counters. In the caller's transaction, where any request is counted. */
export function admitBatch(
  state: AdmissionState,
  requests: readonly { readonly request: AdmissionRequest }[],
  nowMs: number,
): Admission[] {
  const batch: AdmissionBatch = {
    nowMs,
    day: utcDay(nowMs),
    accounts: new Map(),
    counters: new Map(),
    used: new Set(),
  };
  const admissions = requests.map(({ request }) => decide(state, batch, request));
  for (const { request, count, dirty } of batch.counters.values()) {
    if (dirty) state.sql.writeUsed.run(request.accountId, batch.day, request.bucket, count);
  }
  for (const id of batch.used) state.sql.writeLastUse.run(nowMs, id);
  return admissions;
}

function decide(state: AdmissionState, batch: AdmissionBatch, request: AdmissionRequest): Admission {
  const row = batchAccount(state, batch, request.accountId);
  const rejection = keyRejection(row, request);
  if (!row || rejection) return rejection ?? { rejected: 'key' };
  const plan = state.plans[row.tier];
  const overBurst = request.charge === 'verify' ? undefined : takeFromBurst(state, plan, request, batch.nowMs);
  if (overBurst) return overBurst;
  const counter = batchCounter(state, batch, request);
  const limit = plan.daily[request.bucket];
  const reading = { day: batch.day, tier: row.tier, limit, secondsLeft: secondsLeftInDay(batch.nowMs) };
  if (request.charge === 'count') {
    if (limit !== null && counter.count >= limit)
      return { rejected: 'quota', quota: { ...reading, used: counter.count } };
    counter.count += 1;
    counter.dirty = true;
    if (!isWithin(row.keyLastUsedAtMs, LAST_USE_STEP_MS, batch.nowMs)) batch.used.add(request.accountId);
  }
  return { rejected: null, quota: { ...reading, used: counter.count } };
}

/** Undefined when a token was taken, or the plan has no burst limit. */
function takeFromBurst(
  { bursts }: AdmissionState,
  { burstPerSecond: perSecond }: Plan,
  { accountId }: AdmissionRequest,
  nowMs: number,
): Admission | undefined {
  if (perSecond === null) return undefined;
  const taken = takeToken(bursts.get(accountId) ?? fullBucket(perSecond, nowMs), perSecond, nowMs);
  bursts.set(accountId, taken.bucket);
  return taken.ok ? undefined : { rejected: 'burst', retryAfterSeconds: taken.retryAfterSeconds, perSecond };
}

function batchAccount(state: AdmissionState, { accounts }: AdmissionBatch, id: string): AccountRow | undefined {
  if (accounts.has(id)) return accounts.get(id);
  const row = readAccountRow(state, id);
  accounts.set(id, row);
  return row;
}

function batchCounter({ sql }: AdmissionState, { counters, day }: AdmissionBatch, request: AdmissionRequest): Counter {
  const name = `${request.accountId}/${request.bucket}`;
  const known = counters.get(name);
  if (known) return known;
  const row = sql.readUsed.get(request.accountId, day, request.bucket) as { readonly used: number } | undefined;
  const counter = { request, count: row?.used ?? 0, dirty: false };
  counters.set(name, counter);
  return counter;
}

/** Undefined: there is no such account. */
export function readAccountRow({ sql }: AdmissionState, id: string): AccountRow | undefined {
  const row = sql.readAccount.get(id) as AccountRecord | undefined;
  return (
    row && {
      keyHash: row.key_hash,
      tier: row.tier,
      suspended: row.suspended === 1,
      keyLastUsedAtMs: row.key_last_used_at ?? 0,
    }
  );
}

export function keyRejection(row: AccountRow | undefined, { keyHash }: Credential): KeyRejection | undefined {
  // Both are SHA-256 of high-entropy secrets: the time of this comparison reveals nothing about the key.
  if (row?.keyHash !== keyHash) return { rejected: 'key' };
  return row.suspended ? { rejected: 'suspended' } : undefined;
}
