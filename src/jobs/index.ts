// List of all jobs, from which the schedule, the command line and their tests are derived.
import { expireSessions } from './expire-sessions.js';
import { finishDeletions } from './finish-deletions.js';
import type { Job } from './job.js';
import { mailResetLinks } from './mail-reset-links.js';
import { processPaymentEvents } from './process-payment-events.js';
import { prune } from './prune-old-records.js';
import { sendMails } from './send-mails.js';
import { settleBilling } from './settle-billing.js';

export const JOBS: readonly Job[] = [
  expireSessions,
  finishDeletions,
  mailResetLinks,
  processPaymentEvents,
  prune,
  sendMails,
  settleBilling,
];
