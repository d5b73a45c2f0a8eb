// Store of payment events for SQLite and MongoDB. It keeps events as records in a table (`tables.ts`).
import { expectationId, paymentEventSchema } from './payment-event.js';
import { MAX_POSTPONE_MS, type PaymentEvents } from './payment-event-store.js';
import type { Tables } from '../platform/stores/tables.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { claimDue } from '../platform/stores/claim-due.js';

export const PAYMENT_EVENTS = { name: 'paymentEvents', schema: paymentEventSchema };

export function createPaymentEvents(table: Tables): PaymentEvents {
  const events = table(PAYMENT_EVENTS);

  return {
    async add(event, receivedAt) {
      const state =
        event.customerId === null ? { dueAt: null, finishedAt: receivedAt } : { dueAt: receivedAt, finishedAt: null };
      const { id, type, customerId, createdAt } = event;
      const stored = { id, type, customerId, createdAt, receivedAt, ...state, tries: 0, error: null, version: 1 };
      return (await events.insert([stored])) === 'inserted' ? 'stored' : 'duplicate';
    },

    async expectEvent({ subscriptionId, customerId, foundAt, dueAt }) {
      const times = { createdAt: foundAt, receivedAt: foundAt, dueAt, finishedAt: null };
      const rest = { customerId, tries: 0, error: null, version: 1 };
      await events.insert([{ id: expectationId(subscriptionId), type: 'subscription.found', ...times, ...rest }]);
    },

    claim: (now, limits) =>
      claimDue(events, now, { ...limits, maxAheadMs: MAX_POSTPONE_MS }, (until) => ({ dueAt: until })),

    async finish(id, at, problem = null) {
      await changeRecord(events, id, (event) => event && { ...event, dueAt: null, finishedAt: at, error: problem });
    },

    async postpone(id, { dueAt, error }) {
      await changeRecord(events, id, (event) =>
        event?.dueAt ? { ...event, dueAt, error, tries: event.tries + 1 } : undefined,
      );
    },

    async replay(id, at) {
      const changed = await changeRecord(events, id, (event) => event && { ...event, dueAt: at, finishedAt: null });
      return changed !== undefined;
    },

    latest: ({ limit, customerId }) =>
      events.find({
        ...(customerId !== undefined && { where: { customerId } }),
        sort: { receivedAt: 'descending', id: 'descending' },
        limit,
      }),

    unfinished: () => events.count({ dueAt: { ne: null } }),
    prune: (before) => events.remove({ receivedAt: { lt: before }, dueAt: null }),
  };
}
