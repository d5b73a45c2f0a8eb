// Migrations of the database: collections and their indexes. Collections without an index in this file are searched
// only by `_id`.
import type { CreateIndexesOptions, Db, IndexDescription } from 'mongodb';
import type { Migration } from './migrate.js';

/** Returns a partial index. It contains only documents that have the field, such as accounts with due work. */
const ofSome = (field: string, name: string, options: CreateIndexesOptions = {}): IndexDescription => ({
  key: { [field]: 1 },
  name,
  partialFilterExpression: { [field]: { $exists: true } },
  ...options,
});

/**
 * Indexes by collection. Reads of audit events and responses need no index, because their `_id` starts with the account
 * id.
 */
const FIRST_INDEXES: Readonly<Record<string, IndexDescription[]>> = {
  accounts: [
    { key: { emailIdentity: 1 }, name: 'email', unique: true },
    { key: { deleting: 1 }, name: 'deleting', partialFilterExpression: { deleting: true } },
    ofSome('tidyAt', 'tidy'),
    ofSome('mailAt', 'mail'),
    ofSome('billingAt', 'billing'),
    ofSome('billing.customerId', 'customer', { unique: true }),
    // Index of accounts with events that are not yet moved to the log.
    ofSome('events.at', 'carried'),
  ],
  audit: [{ key: { at: 1 }, name: 'age' }],
  usage: [
    { key: { accountId: 1, day: 1 }, name: 'account' },
    { key: { day: 1 }, name: 'age' },
  ],
  passwordResetRequests: [{ key: { requestedAt: 1, _id: 1 }, name: 'age' }],
  paymentEvents: [
    ofSome('dueAt', 'due'),
    { key: { receivedAt: 1, _id: 1 }, name: 'age' },
    { key: { customerId: 1, receivedAt: 1 }, name: 'customer' },
  ],
  responses: [{ key: { day: 1 }, name: 'age' }],
  missingNames: [{ key: { day: 1 }, name: 'age' }],
  ownBrandTexts: [{ key: { accountId: 1 }, name: 'account' }],
};

const WEBHOOK_INDEXES: Readonly<Record<string, IndexDescription[]>> = {
  accounts: [ofSome('featuresAt', 'features')],
  webhookDeliveries: [
    {
      key: { endpointId: 1, dueAt: 1, _id: 1 },
      name: 'due',
      partialFilterExpression: { dueAt: { $exists: true } },
    },
    { key: { createdAt: 1 }, name: 'age' },
  ],
  webhookQueues: [ofSome('dueAt', 'due')],
};

async function createIndexes(db: Db, indexes: Readonly<Record<string, IndexDescription[]>>): Promise<void> {
  for (const [name, ofCollection] of Object.entries(indexes)) await db.collection(name).createIndexes(ofCollection);
}

/** Released steps must not be changed or removed. New steps are appended. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: '0.1.0',
    replaces: [
      ...[
        'accounts-1',
        'billing-1',
        'responses-1',
        'operator-tier-1',
        'carried-events-1',
        'catalog-candidates-by-asset',
      ],
      ...['catalog-rows-1', 'missing-names-1', 'own-brands-1'],
    ],
    apply: (db) => createIndexes(db, FIRST_INDEXES),
  },
  { id: 'webhooks-1', apply: (db) => createIndexes(db, WEBHOOK_INDEXES) },
  {
    id: 'site-icons-1',
    async apply(db) {
      await db
        .collection('siteIcons')
        .createIndexes([
          ofSome('dueAt', 'due'),
          { key: { usedAt: 1 }, name: 'used', partialFilterExpression: { dueAt: { $exists: true } } },
          { key: { bytes: 1 }, name: 'bytes' },
        ]);
    },
  },
];
