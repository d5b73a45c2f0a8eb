// Parts for contracts of stores that work with any tables, for every family.
import type { Tables } from '../../../src/platform/stores/tables.js';
import type { RecordStores } from '../../support/features.js';

export type { RecordStores };

export interface RecordsUnderTest {
  readonly stores: RecordStores;
  /** Opens the same database again, as another process or after a restart. */
  readonly beside: () => RecordStores | Promise<RecordStores>;
  readonly table: Tables;
  /** Writes text into a numeric field of a payment event. */
  readonly damage: (id: string, field: 'tries') => void | Promise<void>;
}
