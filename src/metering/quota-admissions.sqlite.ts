// Quota admissions in SQLite. All requests of one event loop tick share a transaction and resolve after its commit.
import type { AccountId } from '../accounts/account.js';
import { keyId } from '../accounts/key-format.js';
import type { Plans } from '../accounts/plan.js';
import { keyCounter, usedOf, type UsageCounter } from './usage-counter.js';
import { utcDay } from '../platform/utc-day.js';
import { AppError } from '../platform/errors.js';
import type { Admission, AdmissionRequest, KeyRejection, QuotaAdmissions, UsageReading } from './quota-admissions.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { inTransaction } from '../platform/stores/sqlite/transaction.js';
import {
  decideAdmissions,
  createAdmissionState,
  keyRejection,
  readAccountRow,
  type AccountRow,
} from './decide-admissions.sqlite.js';
import { openLastUses, type LastUses } from './last-uses.sqlite.js';

interface QueuedRequest {
  readonly request: AdmissionRequest;
  readonly resolve: (admission: Admission) => void;
  readonly reject: (error: unknown) => void;
}

interface Options {
  readonly db: Database;
  readonly plans: Plans;
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called when the last uses of keys could not be written. The next periodic write tries again. */
  readonly onError?: (error: unknown) => void;
  /**
   * Maximum size of each map in memory: token buckets of accounts, token buckets of page visitors, last uses of keys.
   */
  readonly maxClients?: number | undefined;
}

/**
 * Default of `maxClients`. The number is small, because only commands use the default, and commands admit no requests.
 */
const FEW_CLIENTS = 1000;

/** Admissions. `flush` and `close` also write the last uses of keys. */
export type EmbeddedQuotaAdmissions = QuotaAdmissions & Pick<LastUses, 'flush' | 'close'>;

export function openEmbeddedQuotaAdmissions(options: Options): EmbeddedQuotaAdmissions {
  const { db, plans, now, onError = () => undefined, maxClients = FEW_CLIENTS } = options;
  const uses = openLastUses(db, { maxKeys: maxClients, onError });
  const state = createAdmissionState(db, { plans, uses, maxBuckets: maxClients });
  const decrement = db.prepare(
    'UPDATE usage SET used = max(0, used - ?) WHERE account_id = ? AND day = ? AND bucket = ?',
  );
  const readDay = db.prepare('SELECT bucket, used FROM usage WHERE account_id = ? AND day = ?');
  let queue: QueuedRequest[] = [];

  function flush(): void {
    const batch = queue;
    queue = [];
    const nowMs = now();
    const admit = (): Admission[] => decideAdmissions(state, batch, nowMs);
    let admissions: Admission[];
    try {
      const writes = batch.some(({ request }) => request.charge === 'count');
      admissions = writes ? inTransaction(db, admit) : admit();
    } catch (cause) {
      const error = new AppError('unavailable', 'The request could not be counted. Try again.', { cause });
      for (const { reject } of batch) reject(error);
      return;
    }
    resolveAll(batch, admissions);
  }

  function readUsage(
    accountId: AccountId,
    rejectionOf: (row: AccountRow | undefined) => KeyRejection | undefined,
  ): UsageReading | KeyRejection {
    const day = utcDay(now());
    const row = readAccountRow(state, accountId, now());
    const rejection = rejectionOf(row);
    if (!row || rejection) return rejection ?? { rejected: 'key' };
    const rows = readDay.all(accountId, day) as { readonly bucket: UsageCounter; readonly used: number }[];
    return { day, tier: row.tier, ...usedOf(Object.fromEntries(rows.map(({ bucket, used }) => [bucket, used]))) };
  }

  return {
    admit(request) {
      return new Promise((resolve, reject) => {
        // `setImmediate` runs after all pending socket events, so all requests of this tick are in the batch.
        if (queue.length === 0) setImmediate(flush);
        queue.push({ request, resolve, reject });
      });
    },

    async refund({ accountId, keyHash, allowingOrigins, bucket, day, units = 1 }) {
      const counters = allowingOrigins ? [bucket, keyCounter(keyId(keyHash))] : [bucket];
      inTransaction(db, () => {
        for (const counter of counters) decrement.run(units, accountId, day, counter);
      });
    },

    async usage(credential) {
      const reading = readUsage(credential.accountId, (row) => keyRejection(row, credential));
      if (!('rejected' in reading)) uses.note(credential, now());
      return reading;
    },
    usageOf: async (accountId) =>
      readUsage(accountId, (row) => (row?.suspended === 1 ? { rejected: 'suspended' } : undefined)),
    flush: uses.flush,
    close: uses.close,
  };
}

function resolveAll(batch: readonly QueuedRequest[], admissions: readonly Admission[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const admission = admissions[index];
    if (admission) resolve(admission);
    else reject(new Error('a queued request was neither admitted nor rejected'));
  }
}
