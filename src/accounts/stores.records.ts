// Stores of accounts above tables of records.
import type { FeatureRecords } from '../platform/feature.js';
import { ACCOUNTS, createAccountStore } from './account-store.records.js';
import { AUDIT, createAuditLog } from './audit-log.records.js';
import { createPasswordResetRequests, RESET_REQUESTS } from './password-reset-requests.records.js';

export const records: FeatureRecords = {
  tables: [
    { section: 'accounts', definition: ACCOUNTS },
    { section: 'security events', definition: AUDIT, isCarried: true },
    { section: 'password reset requests', definition: RESET_REQUESTS },
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
