// Stores of metering that are the same code for SQLite and MongoDB.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createResponseHistory, RESPONSES } from './response-history.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('days of responses', RESPONSES, { isHistory: true })],
  stores: ({ table }) => ({ responses: createResponseHistory(table) }),
};
