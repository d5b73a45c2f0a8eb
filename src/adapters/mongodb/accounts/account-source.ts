// Source of admission records: what admissions read of an account, as it is now.
import type { MongoConnection } from '../connection.js';
import { inTime } from '../driver-error.js';
import type { AccountDocument } from './account-document.js';
import { admissionRecordOf, type AccountSource } from './admission-records.js';

const FIELDS = { 'key.hash': 1, tier: 1, suspended: 1, publishableKeys: 1, version: 1 } as const;

/** Rejects with AppError `unavailable`. */
export function createMongoAccountSource({ db }: Pick<MongoConnection, 'db'>): AccountSource {
  const accounts = db.collection<AccountDocument>('accounts');
  return {
    async read(id) {
      const found = await inTime(() => accounts.findOne({ _id: id, deleting: false }, { projection: FIELDS }));
      if (!found) return undefined;
      const { publishableKeys = [] } = found;
      return admissionRecordOf({ ...found, publishableKeys });
    },
  };
}
