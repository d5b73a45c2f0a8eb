// Source of admission records: what admissions read of an account, as it is now.
import type { MongoConnection } from '../connection.js';
import { inTime } from '../driver-error.js';
import type { AccountDocument } from './account-document.js';
import { admissionRecordOf, type AccountSource } from './admission-records.js';

const OPTIONS = {
  projection: { 'key.hash': 1, tier: 1, suspended: 1, publishableKeys: 1, version: 1 },
  // A read of what the majority has may, of a primary just elected, miss what the one before it has acknowledged.
  readConcern: { level: 'linearizable' },
} as const;

/** Rejects with AppError `unavailable`. */
export function createMongoAccountSource({ db }: Pick<MongoConnection, 'db'>): AccountSource {
  const accounts = db.collection<AccountDocument>('accounts');
  return {
    async read(id) {
      const found = await inTime(() => accounts.findOne({ _id: id, deleting: false }, OPTIONS));
      if (!found) return undefined;
      const { publishableKeys = [] } = found;
      return admissionRecordOf({ ...found, publishableKeys });
    },
  };
}
