// Reads admission records from MongoDB: the account fields that decide whether a request is admitted.
import { accountSchema } from '../accounts/account.js';
import { admissionRecordOf } from './admission-record.js';
import { readRecord } from '../platform/stores/stored-record.js';
import type { AccountSource } from './admission-records.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { inTime } from '../platform/stores/mongodb/driver-error.js';

const PARTS = {
  key: true,
  tier: true,
  operatorTier: true,
  billing: true,
  suspended: true,
  publishableKeys: true,
  ownBrands: true,
  version: true,
} as const;
const OPTIONS = {
  projection: PARTS,
  // Not `majority`, because a majority read after an election may miss writes that the old primary had acknowledged.
  readConcern: { level: 'linearizable' },
} as const;
const schema = accountSchema.pick(PARTS);

/** A read that fails or takes too long rejects with AppError `unavailable`. */
export function createMongoAccountSource({ db }: Pick<MongoConnection, 'db'>): AccountSource {
  const accounts = db.collection<{ readonly _id: string; readonly deleting: boolean }>('accounts');
  return {
    async read(id) {
      const found = await inTime(() => accounts.findOne({ _id: id, deleting: false }, OPTIONS));
      return found ? admissionRecordOf(readRecord(schema, found, `the account ${id}`)) : undefined;
    },
  };
}
