// The store of missing names.
import type { FeatureRecords } from '../platform/feature.js';
import { createMissingNames, MISSING_NAMES } from './missing-name-store.records.js';

export const records: FeatureRecords = {
  tables: [{ section: 'days of missing names', definition: MISSING_NAMES, isHistory: true }],
  stores: ({ table }) => ({ missingNames: createMissingNames(table) }),
};
