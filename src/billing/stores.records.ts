// Store of billing for SQLite and MongoDB.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createPaymentEvents, PAYMENT_EVENTS } from './payment-event-store.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('payment events', PAYMENT_EVENTS)],
  stores: ({ table }) => ({ paymentEvents: createPaymentEvents(table) }),
};
