// The store of logo reports.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createLogoReports, LOGO_REPORTS } from './logo-reports.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('logo reports', LOGO_REPORTS)],
  stores: ({ table }) => ({ logoReports: createLogoReports(table) }),
};
