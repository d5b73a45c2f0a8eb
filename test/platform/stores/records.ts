// Parts of the contracts of stores above tables of records, the same in every family.
import type { Tables } from '../../../src/platform/stores/tables.js';
import type { createRecordStores } from '../../../src/compose/record-stores.js';

export type RecordStores = ReturnType<typeof createRecordStores>;

export interface RecordsUnderTest {
  readonly stores: RecordStores;
  /** The same database, as another process or a restart has it. */
  readonly beside: () => RecordStores | Promise<RecordStores>;
  readonly table: Tables;
  /** Writes a text into a field of a payment event in which there is a number. */
  readonly damage: (id: string, field: 'tries') => void | Promise<void>;
}
