// The store of logo reports.
import type { FeatureRecords } from '../platform/feature.js';
import { exportedTable } from '../platform/stores/feature-stores.js';
import { createLogoReports, LOGO_REPORTS } from './logo-reports.records.js';

export const records: FeatureRecords = {
  tables: [exportedTable('logo reports', LOGO_REPORTS)],
  stores: ({ table }) => ({ logoReports: createLogoReports(table) }),
};
