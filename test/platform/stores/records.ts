// Stores that work with any implementation of `Tables`, for contract tests.
import type { Tables } from '../../../src/platform/stores/tables.js';
import type { RecordStores } from '../../support/features.js';

export type { RecordStores };

export interface RecordsUnderTest {
  readonly stores: RecordStores;
  /** Opens the same database again, like another process or a restarted one. */
  readonly beside: () => RecordStores | Promise<RecordStores>;
  readonly table: Tables;
  /** Damages a payment event: writes text into a numeric field. */
  readonly damage: (id: string, field: 'tries') => void | Promise<void>;
}
