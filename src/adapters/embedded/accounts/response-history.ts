// Response history in SQLite: one row per account and day.
import type { Slug } from '../../../domain/catalog/entry.js';
import { mergeResponses, type DayResponses } from '../../../domain/metering/day-responses.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { ResponseHistory, ResponsesOfDay } from '../../../ports/response-history.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, firstRow, type Row } from '../sqlite/rows.js';
import { inTransaction } from '../sqlite/transaction.js';
import { createDayPruning } from './prune-days.js';

const COLUMNS = 'day, status_2xx, status_3xx, status_4xx, status_5xx, slugs';

export function createEmbeddedResponseHistory(db: Database): ResponseHistory {
  const all = db.prepare(`SELECT ${COLUMNS} FROM responses WHERE account_id = ? ORDER BY day`);
  const range = db.prepare(
    `SELECT ${COLUMNS} FROM responses WHERE account_id = ? AND day BETWEEN ? AND ? ORDER BY day`,
  );
  const ofDay = db.prepare(`SELECT ${COLUMNS} FROM responses WHERE account_id = ? AND day = ?`);
  const account = db.prepare('SELECT id FROM accounts WHERE id = ? AND deleting = 0');
  const write = db.prepare(`INSERT OR REPLACE INTO responses (account_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);

  return {
    async add({ day, accounts }) {
      inTransaction(db, () => {
        for (const { accountId, ...added } of accounts) {
          if (!firstRow(account, accountId)) continue;
          const stored = firstRow(ofDay, accountId, day);
          const { responses, slugs } = stored ? mergeResponses(responsesOf(stored), added) : added;
          const classes = [responses['2xx'], responses['3xx'], responses['4xx'], responses['5xx']];
          write.run(accountId, day, ...classes, JSON.stringify(slugs.map(({ slug, requests }) => [slug, requests])));
        }
      });
    },
    all: async (accountId) => allRows(all, accountId).map(dayOf),
    range: async (accountId, { from, to }) => allRows(range, accountId, from, to).map(dayOf),
    prune: createDayPruning(db, 'responses'),
  };
}

function dayOf(row: Row): ResponsesOfDay {
  return { day: row.text('day') as UtcDay, ...responsesOf(row) };
}

function responsesOf(row: Row): DayResponses {
  const slugs = JSON.parse(row.text('slugs')) as readonly (readonly [Slug, number])[];
  return {
    responses: {
      '2xx': row.number('status_2xx'),
      '3xx': row.number('status_3xx'),
      '4xx': row.number('status_4xx'),
      '5xx': row.number('status_5xx'),
    },
    slugs: slugs.map(([slug, requests]) => ({ slug, requests })),
  };
}
