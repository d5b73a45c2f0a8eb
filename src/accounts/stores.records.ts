// Stores of accounts, the same code for SQLite and MongoDB.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { ACCOUNTS, createAccountStore } from './account-store.records.js';
import { AUDIT, createAuditLog } from './audit-log.records.js';
import { createPasswordResetRequests, RESET_REQUESTS } from './password-reset-requests.records.js';

export const records: FeatureRecords = {
  tables: [
    exportTable('accounts', ACCOUNTS),
    exportTable('security events', AUDIT, { isCarried: true }),
    exportTable('password reset requests', RESET_REQUESTS),
  ],
  stores: ({ table, carried, now, stores }, features) => ({
    accounts: createAccountStore(
      table,
      features.flatMap(({ removeAccount }) => (removeAccount ? [{ remove: (id) => removeAccount(stores, id) }] : [])),
    ),
    audit: createAuditLog(table, carried),
    resetRequests: createPasswordResetRequests(table, now),
  }),
};
