// Stores of alerts and webhooks.
import type { FeatureRecords } from '../platform/feature.js';
import { exportedTable } from '../platform/stores/feature-stores.js';
import { createWebhookDeliveries, DELIVERIES, QUEUES } from './webhook-deliveries.records.js';

export const records: FeatureRecords = {
  tables: [exportedTable('webhook deliveries', DELIVERIES), exportedTable('webhook queues', QUEUES)],
  stores: ({ table }) => ({ webhookDeliveries: createWebhookDeliveries(table) }),
};
