// Decides a batch of admissions: key check, burst limit and daily quota. Each row is read and written once per batch.
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import type { Credential } from '../accounts/credential.js';
import { accountSchema, type AccountId } from '../accounts/account.js';
import { hashKey, keyId } from '../accounts/key-format.js';
import { allowsPage } from '../accounts/page-origin.js';
import type { KeyUses } from './key-uses.js';
import type { PublishableKey } from '../accounts/publishable-key.js';
import { ADDRESS_REFILL, addressBurst, takeCost } from './burst.js';
import { fullBucket, refilledTokens, type TokenBucket } from '../platform/concurrency/token-bucket.js';
import type { Plan, Plans, Tier } from '../accounts/plan.js';
import {
  exceededQuota,
  keyCounter,
  shownQuota,
  type CountedQuotas,
  type QuotaUse,
  type UsageCounter,
} from './usage-counter.js';
import { secondsLeftInDay, utcDay, type UtcDay } from '../platform/utc-day.js';
import type { Admission, AdmissionRequest, KeyRejection, OriginRejection, QuotaReading } from './quota-admissions.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';

interface StoredAccountRow extends Omit<AccountRow, 'tier'> {
  readonly storedTier: Tier;
  /**
   * Time in ms since the epoch at which the stored tier ends. From then on, the tier `free` applies. Null if no end is
   * known.
   */
  readonly tierEndsAt: number | null;
}

/** Account, as it was read for an admission. `tier` is the tier at the time of the admission. */
export interface AccountRow {
  /** SHA-256 of the API key in hex; null if the key is revoked. */
  readonly keyHash: string | null;
  readonly tier: Tier;
  /** 1 if suspended, else 0. */
  readonly suspended: number;
  readonly publishableKeys: string;
  /**
   * Ids of the records (pages) that store the account's own brands, separated by spaces; null or empty if there are
   * none.
   */
  readonly ownBrands: string | null;
}

const publishableKeys = accountSchema.shape.publishableKeys;

interface Counter {
  readonly accountId: AccountId;
  readonly name: UsageCounter;
  count: number;
  dirty: boolean;
}

/** Rows that the current batch has read so far. */
interface AdmissionBatch {
  readonly nowMs: number;
  readonly day: UtcDay;
  readonly accounts: Map<string, AccountRow | undefined>;
  readonly counters: Map<string, Counter>;
  /** Publishable keys by account. Parsed only if a request presents a publishable key. */
  readonly keys: Map<AccountId, PublishableKey[]>;
}

export interface AdmissionState {
  readonly plans: Plans;
  /**
   * Token buckets by account: one for the API key, one shared by all publishable keys. If a bucket is evicted, the next
   * request starts with a full bucket.
   */
  readonly bursts: LRUCache<string, TokenBucket>;
  /**
   * Token buckets of page visitors. They have a separate cache, so that many visitors do not evict the buckets of
   * accounts.
   */
  readonly visitors: LRUCache<string, TokenBucket>;
  readonly uses: Pick<KeyUses, 'note'>;
  readonly sql: ReturnType<typeof prepareStatements>;
}

export function createAdmissionState(
  db: Database,
  { plans, uses, maxBuckets }: Pick<AdmissionState, 'plans' | 'uses'> & { readonly maxBuckets: number },
): AdmissionState {
  return {
    plans,
    uses,
    bursts: lruCache(maxBuckets),
    visitors: lruCache(maxBuckets),
    sql: prepareStatements(db),
  };
}

function prepareStatements(db: Database) {
  return {
    // `tierEndsAt` is computed from the JSON record, which takes some microseconds. The query skips this for free
    // tiers, because a free tier has no end.
    readAccount: db.prepare(
      `SELECT keyHash, tier AS storedTier, suspended, publishableKeys, ownBrands,
         iif(tier = 'free', NULL, record ->> '$.tierEndsAt') AS tierEndsAt
       FROM accounts WHERE id = ?`,
    ),
    readUsed: db.prepare('SELECT used FROM usage WHERE account_id = ? AND day = ? AND bucket = ?'),
    writeUsed: db.prepare(
      `INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET used = excluded.used`,
    ),
  };
}

/**
 * Decides the requests in order, then writes the changed counters. The caller must have opened a transaction if a
 * request has the charge `count`.
 */
export function decideAdmissions(
  state: AdmissionState,
  requests: readonly { readonly request: AdmissionRequest }[],
  nowMs: number,
): Admission[] {
  const batch: AdmissionBatch = {
    nowMs,
    day: utcDay(nowMs),
    accounts: new Map(),
    counters: new Map(),
    keys: new Map(),
  };
  const admissions = requests.map(({ request }) => decide(state, batch, request));
  for (const { accountId, name, count, dirty } of batch.counters.values()) {
    if (dirty) state.sql.writeUsed.run(accountId, batch.day, name, count);
  }
  return admissions;
}

function decide(state: AdmissionState, batch: AdmissionBatch, request: AdmissionRequest): Admission {
  const row = batchAccount(state, batch, request.accountId);
  if (!row) return { rejected: 'key' };
  const key = request.allowingOrigins && publishableKey(batch, row, request);
  const rejection = request.allowingOrigins
    ? pageRejection(row, key, request.allowingOrigins)
    : keyRejection(row, request);
  if (rejection) return rejection;
  state.uses.note(request, batch.nowMs);
  const plan = state.plans[row.tier];
  const waitSeconds = request.charge === 'verify' ? 0 : takeFromBurst(state, plan, request, batch.nowMs);
  if (plan.burstPerSecond !== null && waitSeconds > 0)
    return { rejected: 'burst', retryAfterSeconds: waitSeconds, perSecond: plan.burstPerSecond, tier: row.tier };
  return decideQuota(state, batch, { request, row, key });
}

type DecidedAdmission = Extract<Admission, { readonly quota: QuotaReading }>;

interface Presented {
  readonly request: AdmissionRequest;
  readonly row: AccountRow;
  /** Publishable key of the request; undefined for an API key. */
  readonly key: PublishableKey | undefined;
}

function decideQuota(state: AdmissionState, batch: AdmissionBatch, { request, row, key }: Presented): Admission {
  const { accountId, bucket, charge, units = 1 } = request;
  const counter = batchCounter(state, batch, { accountId, name: bucket });
  const ofKey = key && batchCounter(state, batch, { accountId, name: keyCounter(key.id) });
  const limit = state.plans[row.tier].daily[bucket];
  const quotas = (): CountedQuotas => ({
    bucket: { limit, used: counter.count },
    key: key && ofKey && { limit: key.dailyLimit, used: ofKey.count },
  });
  if (charge === 'count') {
    const exceeded = exceededQuota(quotas(), units);
    if (exceeded) return decided('quota', readingOf(batch, row, exceeded), row);
    for (const counted of ofKey ? [counter, ofKey] : [counter]) {
      counted.count += units;
      counted.dirty = true;
    }
  }
  const admission = decided(null, readingOf(batch, row, shownQuota(quotas())), row);
  return ofKey && charge === 'count' ? { ...admission, bucketUse: { limit, used: counter.count } } : admission;
}

function decided(rejected: 'quota' | null, quota: QuotaReading, { ownBrands }: AccountRow): DecidedAdmission {
  return ownBrands ? { rejected, quota, ownBrands } : { rejected, quota };
}

/**
 * Returns the state of a quota. The code lists all fields, because a spread would take a tenth of the time of a small
 * response.
 */
function readingOf(
  { day, nowMs }: AdmissionBatch,
  { tier }: AccountRow,
  { of, limit, used }: QuotaUse & Pick<QuotaReading, 'of'>,
): QuotaReading {
  return { of, limit, used, day, tier, secondsLeft: secondsLeftInDay(nowMs) };
}

function publishableKey(
  { keys }: AdmissionBatch,
  row: AccountRow,
  { accountId, keyHash }: Credential,
): PublishableKey | undefined {
  const all = keys.get(accountId) ?? publishableKeys.parse(JSON.parse(row.publishableKeys));
  keys.set(accountId, all);
  const id = keyId(keyHash);
  return all.find((key) => key.id === id && hashKey(key.raw) === keyHash);
}

function pageRejection(
  row: AccountRow,
  key: PublishableKey | undefined,
  allowingOrigins: readonly string[],
): KeyRejection | OriginRejection | undefined {
  if (!key) return { rejected: 'key' };
  if (row.suspended === 1) return { rejected: 'suspended' };
  return allowsPage(key.origins, allowingOrigins) ? undefined : { rejected: 'origin' };
}

/**
 * Subtracts the request's cost from the burst. Returns the seconds to wait; 0 if the request is within the burst, or if
 * the plan has no burst limit.
 */
function takeFromBurst(
  { bursts, visitors }: AdmissionState,
  { burstPerSecond: perSecond }: Plan,
  { accountId, allowingOrigins, visitor, cost = 1 }: AdmissionRequest,
  nowMs: number,
): number {
  if (perSecond === null) return 0;
  const name = allowingOrigins ? `${accountId}:pages` : accountId;
  const ownName = visitor === undefined ? undefined : `${name}:${visitor}`;
  const tokensOf = (bucket: TokenBucket | undefined, refill: number, burst: number): number =>
    refilledTokens(bucket ?? fullBucket(burst, nowMs), { perSecond: refill, burst }, nowMs);
  const tokens = {
    shared: tokensOf(bursts.get(name), perSecond, perSecond),
    own:
      ownName === undefined
        ? Infinity
        : tokensOf(visitors.get(ownName), perSecond * ADDRESS_REFILL, addressBurst(perSecond)),
  };
  const outcome = takeCost(tokens, cost, perSecond);
  const { shared, own } = outcome.ok ? outcome.left : tokens;
  bursts.set(name, { tokens: shared, atMs: nowMs });
  if (ownName !== undefined) visitors.set(ownName, { tokens: own, atMs: nowMs });
  return outcome.ok ? 0 : outcome.retryAfterSeconds;
}

function batchAccount(state: AdmissionState, { accounts, nowMs }: AdmissionBatch, id: string): AccountRow | undefined {
  if (accounts.has(id)) return accounts.get(id);
  const row = readAccountRow(state, id, nowMs);
  accounts.set(id, row);
  return row;
}

function batchCounter(
  { sql }: AdmissionState,
  { counters, day }: AdmissionBatch,
  { accountId, name }: Pick<Counter, 'accountId' | 'name'>,
): Counter {
  const id = `${accountId}/${name}`;
  const known = counters.get(id);
  if (known) return known;
  const row = sql.readUsed.get(accountId, day, name) as { readonly used: number } | undefined;
  const counter = { accountId, name, count: row?.used ?? 0, dirty: false };
  counters.set(id, counter);
  return counter;
}

export function readAccountRow({ sql }: AdmissionState, id: string, nowMs: number): AccountRow | undefined {
  const stored = sql.readAccount.get(id) as StoredAccountRow | undefined;
  if (!stored) return undefined;
  const { keyHash, storedTier, tierEndsAt, suspended, publishableKeys: keys, ownBrands } = stored;
  const tier = tierEndsAt !== null && nowMs >= tierEndsAt ? 'free' : storedTier;
  return { keyHash, tier, suspended, publishableKeys: keys, ownBrands };
}

export function keyRejection(row: AccountRow | undefined, { keyHash }: Credential): KeyRejection | undefined {
  // The hashes are not compared in constant time: both are SHA-256 hashes of long random keys, so timing reveals
  // nothing useful.
  if (row?.keyHash !== keyHash) return { rejected: 'key' };
  return row.suspended === 1 ? { rejected: 'suspended' } : undefined;
}
