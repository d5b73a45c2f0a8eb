// The store of missing names.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createMissingNames, MISSING_NAMES } from './missing-name-store.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('days of missing names', MISSING_NAMES, { isHistory: true })],
  stores: ({ table }) => ({ missingNames: createMissingNames(table) }),
};
