// Stores above tables of records, the same in every family.
import type { Tables } from '../platform/stores/tables.js';
import type { UsageHistory } from '../metering/usage-history.js';
import { createAccountStore } from '../accounts/account-store.records.js';
import { createAuditLog, type CarriedEntries } from '../accounts/audit-log.records.js';
import { createJobSlots } from '../platform/jobs/job-slots.records.js';
import { createMissingNames } from '../missing-names/missing-name-store.records.js';
import { createPasswordResetRequests } from '../accounts/password-reset-requests.records.js';
import { createOwnBrandTexts } from '../own-brands/own-brand-texts.records.js';
import { createPaymentEvents } from '../billing/payment-event-store.records.js';
import { createResponseHistory } from '../metering/response-history.records.js';

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
