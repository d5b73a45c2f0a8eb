// Parts for contracts of stores above tables of records, for every family.
import type { Tables } from '../../../src/platform/stores/tables.js';
import type { RecordStores } from '../../support/features.js';

export type { RecordStores };

export interface RecordsUnderTest {
  readonly stores: RecordStores;
  /** The same database, like another process or after a restart. */
  readonly beside: () => RecordStores | Promise<RecordStores>;
  readonly table: Tables;
  /** Writes text into a numeric field of a payment event. */
  readonly damage: (id: string, field: 'tries') => void | Promise<void>;
}
