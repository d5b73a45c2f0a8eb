// Response history in MongoDB: one document per account and day, to which one bulk write adds a batch.
import type { AnyBulkWriteOperation, Collection, Document, Filter } from 'mongodb';
import type { AccountId } from '../../../domain/account/account.js';
import { MAX_COUNTED_SLUGS, STATUS_CLASSES, type DayResponses } from '../../../domain/metering/day-responses.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type {
  AccountResponses,
  ResponseBatch,
  ResponseHistory,
  ResponsesOfDay,
} from '../../../ports/response-history.js';
import type { MongoConnection } from '../connection.js';
import { deleteInChunks } from '../deletion.js';
import { inTime, isDuplicatesOnly } from '../driver-error.js';
import type { AccountDocument } from './account-document.js';

interface ResponseDocument extends DayResponses {
  /** Account and day, `ID:DAY`. */
  readonly _id: string;
  readonly day: UtcDay;
  /** The latest batches that were added. */
  readonly batches: readonly string[];
}

/** More than processes that write between two tries of one. */
const KEPT_BATCHES = 16;
const PROJECTION = { day: 1, responses: 1, slugs: 1 } as const;

export function createMongoResponseHistory({ db }: Pick<MongoConnection, 'db'>): ResponseHistory {
  const history = db.collection<ResponseDocument>('responses');
  const accounts = db.collection<AccountDocument>('accounts');

  async function read(ids: Filter<ResponseDocument>): Promise<ResponsesOfDay[]> {
    const found = await inTime(() => history.find(ids, { projection: PROJECTION, sort: { _id: 1 } }).toArray());
    return found.map(({ day, responses, slugs }) => ({ day, responses, slugs }));
  }

  return {
    async add(batch) {
      const write = (upsert: boolean) =>
        history.bulkWrite(
          batch.accounts.map((each) => addition(batch, each, upsert)),
          { ordered: false },
        );
      const metDuplicates = await inTime(() => write(true).then(() => false, onlyDuplicates));
      // They have the batch already, or were created by another process just now: then they match.
      if (metDuplicates) await inTime(() => write(false));
      // Only now: an account that is there before may have been removed when this is written.
      const live = await liveAccounts(accounts, batch);
      const gone = batch.accounts.flatMap(({ accountId }) =>
        live.has(accountId) ? [] : [documentId(accountId, batch.day)],
      );
      if (gone.length > 0) await inTime(() => history.deleteMany({ _id: { $in: gone } }));
    },
    all: (accountId) => read(responsesOf(accountId)),
    range: (accountId, { from, to }) =>
      read({ _id: { $gte: documentId(accountId, from), $lte: documentId(accountId, to) } }),
    prune: (before) => deleteInChunks(history, { day: { $lt: before } }),
  };
}

/** Filter of an account's documents; `~` follows every digit. */
export function responsesOf(accountId: string): { readonly _id: { readonly $gte: string; readonly $lte: string } } {
  return { _id: { $gte: `${accountId}:`, $lte: `${accountId}:~` } };
}

function documentId(accountId: string, day: UtcDay): string {
  return `${accountId}:${day}`;
}

async function liveAccounts(
  accounts: Collection<AccountDocument>,
  batch: ResponseBatch,
): Promise<ReadonlySet<AccountId>> {
  const ids: string[] = batch.accounts.map(({ accountId }) => accountId);
  const found = await inTime(() =>
    accounts.find({ _id: { $in: ids }, deleting: { $ne: true } }, { projection: { _id: 1 } }).toArray(),
  );
  return new Set(found.map(({ _id }) => _id as AccountId));
}

/** One that has the batch already does not match: then the upsert meets its `_id`, and fails. */
function addition(
  { id, day }: ResponseBatch,
  { accountId, ...added }: AccountResponses,
  upsert: boolean,
): AnyBulkWriteOperation<ResponseDocument> {
  return {
    updateOne: {
      filter: { _id: documentId(accountId, day), batches: { $ne: id } },
      update: [
        {
          $set: {
            day,
            responses: Object.fromEntries(
              STATUS_CLASSES.map((name) => [name, sum(`$responses.${name}`, added.responses[name])]),
            ),
            slugs: { $sortArray: { input: summedSlugs(added), sortBy: { requests: -1, slug: 1 } } },
            batches: { $slice: [{ $concatArrays: [{ $ifNull: ['$batches', []] }, [id]] }, -KEPT_BATCHES] },
          },
        },
        { $set: { slugs: withoutExcess() } },
      ],
      upsert,
    },
  };
}

function sum(stored: string, added: number): Document {
  return { $add: [{ $ifNull: [stored, 0] }, added] };
}

/** The stored ones with what is added to each, then the new ones; as `mergeResponses`. */
function summedSlugs({ slugs }: DayResponses): Document {
  const stored = { $ifNull: ['$slugs', []] };
  const added = { $literal: slugs };
  const ofSame = { $filter: { input: added, as: 'added', cond: { $eq: ['$$added.slug', '$$stored.slug'] } } };
  const requests = { $add: ['$$stored.requests', { $sum: { $map: { input: ofSame, in: '$$this.requests' } } }] };
  const isNew = { $not: [{ $in: ['$$added.slug', { $ifNull: ['$slugs.slug', []] }] }] };
  return {
    $concatArrays: [
      { $map: { input: stored, as: 'stored', in: { slug: '$$stored.slug', requests } } },
      { $filter: { input: added, as: 'added', cond: isNew } },
    ],
  };
}

/** Of sorted slugs those that are kept, each less the first that is not. */
function withoutExcess(): Document {
  const excess = { $ifNull: [{ $arrayElemAt: ['$slugs.requests', MAX_COUNTED_SLUGS] }, 0] };
  const kept = {
    $map: {
      input: { $slice: ['$slugs', MAX_COUNTED_SLUGS] },
      as: 'each',
      in: { slug: '$$each.slug', requests: { $subtract: ['$$each.requests', '$$excess'] } },
    },
  };
  return {
    $let: { vars: { excess }, in: { $filter: { input: kept, as: 'each', cond: { $gt: ['$$each.requests', 0] } } } },
  };
}

function onlyDuplicates(error: unknown): true {
  if (!isDuplicatesOnly(error)) throw error;
  return true;
}
