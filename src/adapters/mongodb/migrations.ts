// Migrations of the database: its collections and their indexes. Those that are not named here are searched by `_id` alone.
import type { Migration } from './migrate.js';

/** Append only: a released step is never edited. */
export const MIGRATIONS: readonly Migration[] = [
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
  // An index of a collection that is no longer used.
  { id: 'catalog-candidates-by-asset', apply: async () => undefined },
  {
    id: 'catalog-rows-1',
    async apply(db) {
      const copy = (from: string, fields: object, filter: object = {}) =>
        db
          .collection(from)
          .aggregate([
            { $match: filter },
            { $project: fields },
            { $merge: { into: 'catalogRows', whenMatched: 'keepExisting' } },
          ])
          .toArray();
      const rowId = (...segments: readonly object[]) => ({
        $concat: segments.flatMap((one) => [one, '/']).slice(0, -1),
      });
      const text = (value: unknown) => ({ $toString: value });
      const generation = '$_id.generation';
      const slug = (kind: string) => rowId({ $literal: kind }, text(generation), text('$_id.slug'));
      await copy('catalog_slugs', { _id: slug('entry'), text: '$body', generation }, { body: { $exists: true } });
      await copy(
        'catalog_slugs',
        { _id: slug('redirect'), text: '$target', generation },
        { target: { $exists: true } },
      );
      await copy('catalog_sources', {
        _id: rowId({ $literal: 'source' }, text(generation), text('$_id.id')),
        text: { $concat: ['{"given":', text('$given'), ',"source":', '$body', '}'] },
        generation,
      });
      const escape = (input: object, find: string, replacement: string) => ({
        $replaceAll: { input, find, replacement },
      });
      const source = escape(escape(text('$_id.source'), '%', '%25'), '/', '%2F');
      const candidate = (kind: string) => rowId({ $literal: kind }, text('$_id.given'), source, text('$_id.key'));
      const given = '$_id.given';
      await copy('catalog_candidates', { _id: candidate('candidate'), text: '$body', generation: given });
      const etags = { $reduce: { input: '$etags', initialValue: '', in: { $concat: ['$$value', ' ', '$$this'] } } };
      await copy('catalog_candidates', { _id: candidate('use'), text: etags, generation: given });
      await copy('catalog_assets', {
        _id: rowId({ $literal: 'drawing' }, text('$_id')),
        text: '$svg',
        generation: '$generation',
      });
      await db
        .collection('catalog_state')
        .aggregate([
          { $set: { generation: '$version', version: 1, import: null } },
          { $unset: 'writeId' },
          { $merge: { into: 'catalogState', whenMatched: 'keepExisting' } },
        ])
        .toArray();
    },
  },
  {
    id: 'missing-names-1',
    async apply(db) {
      await db.collection('missingNames').createIndexes([{ key: { day: 1 }, name: 'age' }]);
    },
  },
  {
    id: 'own-brands-1',
    async apply(db) {
      await db.collection('ownBrandTexts').createIndexes([{ key: { accountId: 1 }, name: 'account' }]);
    },
  },
];
