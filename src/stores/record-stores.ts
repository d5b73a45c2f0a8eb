// Stores above tables of records, the same in every family.
import type { Tables } from '../ports/tables.js';
import type { UsageHistory } from '../ports/usage-history.js';
import { createAccountStore } from './account-store.js';
import { createAuditLog, type CarriedEntries } from './audit-log.js';
import { createJobSlots } from './job-slots.js';
import { createMissingNames } from './missing-names.js';
import { createPasswordResetRequests } from './password-reset-requests.js';
import { createOwnBrandTexts } from './own-brand-texts.js';
import { createPaymentEvents } from './payment-events.js';
import { createResponseHistory } from './response-history.js';

interface Options {
  readonly table: Tables;
  readonly usage: Pick<UsageHistory, 'remove'>;
  /** ms since the epoch */
  readonly now: () => number;
  readonly carried?: CarriedEntries;
}

export function createRecordStores({ table, usage, now, carried }: Options) {
  const responses = createResponseHistory(table);
  const ownBrandTexts = createOwnBrandTexts(table);
  return {
    accounts: createAccountStore(table, [usage, responses, { remove: ownBrandTexts.removeAll }]),
    audit: createAuditLog(table, carried),
    jobSlots: createJobSlots(table, now),
    missingNames: createMissingNames(table),
    ownBrandTexts,
    paymentEvents: createPaymentEvents(table),
    resetRequests: createPasswordResetRequests(table, now),
    responses,
  };
}
