// Lists the contract tests of stores that work with any implementation of `Tables`. Every family runs all of them.
import { auditLogContract } from '../../accounts/audit-log.contract.js';
import { jobSlotsContract } from '../jobs/job-slots.contract.js';
import { logoReportsContract } from '../../logo-reports/logo-reports.contract.js';
import { missingNamesContract } from '../../missing-names/missing-names.contract.js';
import { ownBrandTextsContract } from '../../own-brands/own-brand-texts.contract.js';
import { passwordResetRequestsContract } from '../../accounts/password-reset-requests.contract.js';
import { paymentEventsContract } from '../../billing/payment-events.contract.js';
import { responseHistoryContract } from '../../metering/response-history.contract.js';
import { siteIconStoreContract } from '../../site-icons/site-icon-store.contract.js';
import { webhookDeliveriesContract } from '../../webhooks/webhook-deliveries.contract.js';
import { tablesContract } from './tables.contract.js';

export const RECORD_CONTRACTS = [
  auditLogContract,
  jobSlotsContract,
  logoReportsContract,
  missingNamesContract,
  ownBrandTextsContract,
  passwordResetRequestsContract,
  paymentEventsContract,
  responseHistoryContract,
  siteIconStoreContract,
  tablesContract,
  webhookDeliveriesContract,
] as const;
