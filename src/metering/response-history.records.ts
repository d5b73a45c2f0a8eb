// Response history, for SQLite and MongoDB. It keeps one record per account and day in a table (`tables.ts`).
import { z } from 'zod';
import type { AccountId } from '../accounts/account-id.js';
import type { Slug } from '../platform/web/slug.js';
import { mergeResponses, NO_RESPONSES } from './day-responses.js';
import type { UtcDay } from '../platform/utc-day.js';
import { branded, type RecordOf } from '../platform/stores/stored-record.js';
import { AppError } from '../platform/errors.js';
import type { AccountResponses, ResponseBatch, ResponseHistory } from './response-history.js';
import type { Tables } from '../platform/stores/tables.js';
import { ACCOUNTS } from '../accounts/account-store.records.js';

export const RESPONSES = {
  name: 'responses',
  schema: z.object({
    /** Account and day, made by `recordId`. */
    id: z.string(),
    day: branded<UtcDay>(),
    responses: z.object({ '2xx': z.int(), '3xx': z.int(), '4xx': z.int(), '5xx': z.int() }),
    slugs: z.array(z.object({ slug: branded<Slug>(), requests: z.int() })),
    /** Ids of the last batches that were added. A repeated batch is recognized by its id and not added again. */
    batches: z.array(z.string()).default([]),
    version: z.int().default(1),
  }),
};
type DayRecord = RecordOf<typeof RESPONSES.schema>;

/**
 * Number of remembered batch ids. It must be greater than the number of processes that may write between two attempts
 * of one process.
 */
const KEPT_BATCHES = 16;
/** Maximum number of attempts to add a batch. An attempt fails if another process adds its batch at the same time. */
const MAX_TRIES = 50;

export function createResponseHistory(table: Tables): ResponseHistory {
  const days = table(RESPONSES);
  const accounts = table(ACCOUNTS);

  /**
   * Adds the batch to the records that do not contain it yet. Returns false if another process has changed one of these
   * records in the meantime.
   */
  async function addMissing(batch: ResponseBatch): Promise<boolean> {
    const ids = batch.accounts.map(({ accountId }) => recordId(accountId, batch.day));
    const found = await days.find({ where: { id: { in: ids } } });
    const stored = new Map(found.map((record) => [record.id, record]));
    const records = batch.accounts.flatMap((added) => {
      const before = stored.get(recordId(added.accountId, batch.day));
      return before?.batches.includes(batch.id) === true ? [] : [withBatch(before, batch, added)];
    });
    return days.putAll(records);
  }

  return {
    async add(batch) {
      for (let tries = 1; !(await addMissing(batch)); tries++)
        if (tries === MAX_TRIES)
          throw new AppError('unavailable', 'Too many processes are updating the response counters.');
      // Deletes the new records of accounts that were removed in the meantime. The accounts are checked after the
      // write. An earlier check would miss an account that is removed between the check and the write.
      const ids = batch.accounts.map(({ accountId }) => accountId);
      const live = new Set(await accounts.ids({ where: { id: { in: ids }, deleting: false } }));
      const gone = ids.filter((id) => !live.has(id)).map((id) => recordId(id, batch.day));
      if (gone.length > 0) await days.remove({ id: { in: gone } });
    },
    async range(accountId, { from, to }) {
      const id = { gte: recordId(accountId, from), lte: recordId(accountId, to) };
      const found = await days.find({ where: { id }, sort: { id: 'ascending' } });
      return found.map(({ day, responses, slugs }) => ({ day, responses, slugs }));
    },
    async remove(accountId) {
      // `~` is greater than every digit, so this range contains all days.
      await days.remove({ id: { gt: `${accountId}:`, lt: `${accountId}:~` } });
    },
    prune: (before) => days.remove({ day: { lt: before } }),
  };
}

function recordId(accountId: AccountId, day: UtcDay): string {
  return `${accountId}:${day}`;
}

function withBatch(
  before: DayRecord | undefined,
  { id: batch, day }: ResponseBatch,
  { accountId, ...added }: AccountResponses,
): DayRecord {
  return {
    id: recordId(accountId, day),
    day,
    ...mergeResponses(before ?? NO_RESPONSES, added),
    batches: [...(before?.batches ?? []), batch].slice(-KEPT_BATCHES),
    version: (before?.version ?? 0) + 1,
  };
}
