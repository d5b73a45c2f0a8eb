// Stores above tables of records, the same in every family.
import type { OpenTable } from '../ports/tables.js';
import { createJobSlots } from './job-slots.js';
import { createPasswordResetRequests } from './password-reset-requests.js';
import { createPaymentEvents } from './payment-events.js';
import { createResponseHistory } from './response-history.js';

/** `now`: ms since the epoch. */
export function createRecordStores(table: OpenTable, now: () => number) {
  return {
    jobSlots: createJobSlots(table, now),
    paymentEvents: createPaymentEvents(table),
    resetRequests: createPasswordResetRequests(table, now),
    responses: createResponseHistory(table),
  };
}
