// Account store in SQLite.
import type { AccountId } from '../../../domain/account/account.js';
import type { AuditEvent } from '../../../domain/account/audit-event.js';
import { SYNC_EVERY_MS } from '../../../domain/account/changes/billing.js';
import { MAX_RETRY_DELAY_MS } from '../../../domain/account/pending-mail.js';
import { SESSION_ABSOLUTE_MS } from '../../../domain/account/session.js';
import { AppError } from '../../../errors.js';
import type { AccountStore } from '../../../ports/account-store.js';
import { accountOf, passwordRecordOf, recordOf, type AccountRecord } from './account-record.js';
import { auditWriter } from './audit-log.js';
import type { Database, Statement } from '../sqlite/guarded-database.js';
import { duplicateOf } from '../sqlite/sqlite-error.js';
import { inTransaction } from '../sqlite/transaction.js';

const COLUMNS = [
  'id',
  'email',
  'email_identity',
  'email_verified',
  'password_hash',
  'password_version',
  'tier',
  'operator_tier',
  'customer_id',
  'suspended',
  'deleting',
  'created_at',
  'key_hash',
  'key_hint',
  'key_created_at',
  'key_last_used_at',
  'publishable_keys',
  'state',
  'unlocks',
  'tidy_at',
  'mail_at',
  'billing_at',
  'version',
] as const satisfies readonly (keyof AccountRecord)[];

/** Conditions of `due`. A time further ahead than any valid one was written by a wrong clock, so it counts as due. */
const DUE = {
  expiry: `tidy_at <= :now OR tidy_at > :now + ${SESSION_ABSOLUTE_MS}`,
  mail: `mail_at <= :now OR mail_at > :now + ${MAX_RETRY_DELAY_MS}`,
  // Ends of plans wait for no daily sync.
  billing: `billing_at <= :now OR billing_at > :now + ${SYNC_EVERY_MS} ORDER BY billing_at`,
  deletion: 'deleting = 1 AND :now > 0',
} as const;

const REMOVALS = [
  'DELETE FROM usage WHERE account_id = ?',
  `DELETE FROM responses WHERE id BETWEEN ?1 || ':' AND ?1 || ':~'`,
];

export function createEmbeddedAccountStore(db: Database): AccountStore {
  const insert = db.prepare(
    `INSERT INTO accounts (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT (email_identity) DO NOTHING`,
  );
  // Admissions write the last use without a version, so a save overwrites it only together with the key.
  const assignments = COLUMNS.map((name) =>
    name === 'key_last_used_at'
      ? 'key_last_used_at = CASE WHEN key_hash IS :key_hash THEN key_last_used_at ELSE :key_last_used_at END'
      : `${name} = :${name}`,
  );
  const update = db.prepare(`UPDATE accounts SET ${assignments.join(', ')} WHERE id = :id AND version = :version - 1`);
  const byId = db.prepare('SELECT * FROM accounts WHERE id = ?');
  const byEmail = db.prepare('SELECT * FROM accounts WHERE email_identity = ?');
  const byCustomer = db.prepare('SELECT * FROM accounts WHERE customer_id = ?');
  const passwordByEmail = db.prepare(
    'SELECT id, password_hash, password_version, unlocks, deleting, version FROM accounts WHERE email_identity = ?',
  );
  const page = db.prepare('SELECT * FROM accounts WHERE id > ? ORDER BY id LIMIT ?');
  const remove = db.prepare('DELETE FROM accounts WHERE id = ? AND deleting = 1');
  const removeCounters = REMOVALS.map((sql) => db.prepare(sql));
  const due = Object.fromEntries(
    Object.entries(DUE).map(([work, condition]) => [
      work,
      db.prepare(`SELECT id FROM accounts WHERE ${condition} LIMIT :limit`),
    ]),
  ) as Record<keyof typeof DUE, Statement>;
  const writeAudit = auditWriter(db);

  /** Writes the events in one transaction with the account, and only if that was written. */
  function write(run: () => { readonly changes: number }, events: readonly AuditEvent[]): boolean {
    return inTransaction(db, () => {
      const written = run().changes === 1;
      if (written) writeAudit(events);
      return written;
    });
  }

  const found = (row: unknown) => (row === undefined ? undefined : accountOf(row as AccountRecord));

  return {
    async insert(account, events = []) {
      const record = recordOf(account);
      return write(() => insert.run(...COLUMNS.map((name) => record[name])), events) ? 'inserted' : 'email_taken';
    },

    find: async (id) => found(byId.get(id)),
    findByEmail: async (identity) => found(byEmail.get(identity)),
    findByCustomer: async (customerId) => found(byCustomer.get(customerId)),

    async passwordOf(identity) {
      const row = passwordByEmail.get(identity);
      return row === undefined ? undefined : passwordRecordOf(row as AccountRecord);
    },

    async save(account, events = []) {
      return orEmailTaken(() => write(() => update.run({ ...recordOf(account) }), events));
    },

    async remove(id) {
      inTransaction(db, () => {
        if (remove.run(id).changes === 1) for (const statement of removeCounters) statement.run(id);
      });
    },

    list: async ({ after = '', limit }) => (page.all(after, limit) as AccountRecord[]).map(accountOf),
    due: async (work, now, limit) =>
      (due[work].all({ now: now.getTime(), limit }) as { readonly id: AccountId }[]).map(({ id }) => id),
  };
}

function orEmailTaken<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (duplicateOf(error) === 'accounts.email_identity') throw new AppError('email_taken');
    throw error;
  }
}
