// Stores of alerts and webhooks.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createWebhookDeliveries, DELIVERIES, QUEUES } from './webhook-deliveries.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('webhook deliveries', DELIVERIES), exportTable('webhook queues', QUEUES)],
  stores: ({ table }) => ({ webhookDeliveries: createWebhookDeliveries(table) }),
};
