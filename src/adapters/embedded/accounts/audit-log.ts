// Audit log in SQLite.
import type { AccountId } from '../../../domain/account/account.js';
import type { AuditActor, AuditDetail, AuditEvent, AuditType } from '../../../domain/account/audit-event.js';
import type { AuditLog } from '../../../ports/audit-log.js';
import type { Database } from '../sqlite/guarded-database.js';
import { deleteInChunks } from '../sqlite/chunked-writes.js';
import { inTransaction } from '../sqlite/transaction.js';

interface AuditRecord {
  readonly id: string;
  readonly account_id: AccountId;
  readonly at: number;
  readonly type: AuditType;
  readonly by_kind: AuditActor['kind'];
  readonly by_address: string | null;
  readonly detail: string | null;
}

/** Sorts after every id. */
const LAST = '~';

/** Fewer than `CHUNK_ROWS`: a day's events lie on as many pages as there are accounts, so each costs a page. */
const PRUNED_ROWS = 50;

/** Writes events within the caller's transaction. */
export function auditWriter(db: Database): (events: readonly AuditEvent[]) => void {
  const insert = db.prepare(
    'INSERT INTO audit (account_id, id, at, type, by_kind, by_address, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (events) => {
    for (const { accountId, id, at, type, by, detail } of events) {
      insert.run(
        accountId,
        id,
        at.getTime(),
        type,
        by.kind,
        by.address,
        detail === undefined ? null : JSON.stringify(detail),
      );
    }
  };
}

export function createEmbeddedAuditLog(db: Database): AuditLog {
  const write = auditWriter(db);
  const page = db.prepare('SELECT * FROM audit WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?');
  const pruneSome = db.prepare(
    `DELETE FROM audit WHERE (account_id, id) IN (SELECT account_id, id FROM audit WHERE at < ? LIMIT ${PRUNED_ROWS})`,
  );
  return {
    async append(events) {
      inTransaction(db, () => write(events));
    },
    read: async (accountId, { before = LAST, limit }) =>
      (page.all(accountId, before, limit) as AuditRecord[]).map(eventOf),
    prune: (before) => deleteInChunks(db, () => pruneSome.run(before.getTime()).changes),
  };
}

function eventOf({
  id,
  account_id: accountId,
  at,
  type,
  by_kind: kind,
  by_address: address,
  detail,
}: AuditRecord): AuditEvent {
  return {
    id,
    accountId,
    at: new Date(at),
    type,
    by: { kind, address },
    ...(detail !== null && { detail: JSON.parse(detail) as AuditDetail }),
  };
}
