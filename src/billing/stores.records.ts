// The store of billing.
import type { FeatureRecords } from '../platform/feature.js';
import { createPaymentEvents, PAYMENT_EVENTS } from './payment-event-store.records.js';

export const records: FeatureRecords = {
  tables: [{ section: 'payment events', definition: PAYMENT_EVENTS }],
  stores: ({ table }) => ({ paymentEvents: createPaymentEvents(table) }),
};
