// Collections and indexes of accounts, events, usage, responses, password reset requests, payment events and job runs.
import type { Migration } from '../migrations.js';

/** Append only: a released step is never edited. */
export const ACCOUNT_MIGRATIONS: readonly Migration[] = [
  {
    id: 'accounts-1',
    async apply(db) {
      await db.collection('accounts').createIndexes([
        { key: { emailIdentity: 1 }, name: 'email', unique: true },
        // Only of accounts that have such work.
        { key: { tidyAt: 1 }, name: 'tidy', partialFilterExpression: { tidyAt: { $exists: true } } },
        { key: { mailAt: 1 }, name: 'mail', partialFilterExpression: { mailAt: { $exists: true } } },
        { key: { deleting: 1 }, name: 'deleting', partialFilterExpression: { deleting: true } },
        { key: { eventsAt: 1 }, name: 'events', partialFilterExpression: { eventsAt: { $exists: true } } },
      ]);
      // Its `_id` begins with the account, which is the order in which events are read.
      await db.collection('audit').createIndexes([{ key: { at: 1 }, name: 'age' }]);
      await db.collection('usage').createIndexes([
        { key: { accountId: 1, day: 1 }, name: 'account' },
        { key: { day: 1 }, name: 'age' },
      ]);
      await db.collection('passwordResetRequests').createIndexes([{ key: { requestedAt: 1, _id: 1 }, name: 'age' }]);
    },
  },
  {
    id: 'billing-1',
    async apply(db) {
      await db.collection('accounts').createIndexes([
        {
          key: { 'billing.customerId': 1 },
          name: 'customer',
          unique: true,
          partialFilterExpression: { 'billing.customerId': { $exists: true } },
        },
        { key: { billingAt: 1 }, name: 'billing', partialFilterExpression: { billingAt: { $exists: true } } },
      ]);
      await db.collection('paymentEvents').createIndexes([
        { key: { dueAt: 1 }, name: 'due', partialFilterExpression: { dueAt: { $exists: true } } },
        { key: { receivedAt: 1, _id: 1 }, name: 'age' },
        { key: { customerId: 1, receivedAt: 1 }, name: 'customer' },
      ]);
    },
  },
  {
    id: 'responses-1',
    async apply(db) {
      // Its `_id` is account and day, by which it is read.
      await db.collection('responses').createIndexes([{ key: { day: 1 }, name: 'age' }]);
    },
  },
  {
    id: 'operator-tier-1',
    async apply(db) {
      // Before billing, only the operator could set a tier.
      await db
        .collection('accounts')
        .updateMany({ operatorTier: { $exists: false } }, [
          { $set: { operatorTier: { $cond: [{ $eq: ['$tier', 'free'] }, null, '$tier'] } } },
        ]);
    },
  },
  {
    id: 'carried-events-1',
    async apply(db) {
      const accounts = db.collection('accounts');
      // Only of accounts whose events are not moved yet.
      await accounts.createIndexes([
        { key: { 'events.at': 1 }, name: 'carried', partialFilterExpression: { 'events.at': { $exists: true } } },
      ]);
      // The last use of an API key, of which there was one field.
      const id = { $substrCP: ['$keyUse.hash', 0, 16] };
      await accounts.updateMany({ keyUse: { $exists: true }, lastUses: { $exists: false } }, [
        { $set: { lastUses: { $arrayToObject: [[{ k: id, v: '$keyUse.at' }]] } } },
      ]);
    },
  },
];
