// Stores of metering above tables of records.
import type { FeatureRecords } from '../platform/feature.js';
import { createResponseHistory, RESPONSES } from './response-history.records.js';

export const records: FeatureRecords = {
  tables: [{ section: 'days of responses', definition: RESPONSES, isHistory: true }],
  stores: ({ table }) => ({ responses: createResponseHistory(table) }),
};
