// The contract suites of stores above tables of records: every family runs all of them.
import { auditLogContract } from './audit-log.contract.js';
import { jobSlotsContract } from './job-slots.contract.js';
import { missingNamesContract } from './missing-names.contract.js';
import { ownBrandTextsContract } from './own-brand-texts.contract.js';
import { passwordResetRequestsContract } from './password-reset-requests.contract.js';
import { paymentEventsContract } from './payment-events.contract.js';
import { responseHistoryContract } from './response-history.contract.js';
import { tablesContract } from './tables.contract.js';

export const RECORD_CONTRACTS = [
  auditLogContract,
  jobSlotsContract,
  missingNamesContract,
  ownBrandTextsContract,
  passwordResetRequestsContract,
  paymentEventsContract,
  responseHistoryContract,
  tablesContract,
] as const;
