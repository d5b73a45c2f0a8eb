// The one list of jobs. The schedule, the command line and its tests are derived from it.
import { expireSessions } from './expire-sessions.js';
import { finishDeletions } from './finish-deletions.js';
import type { Job } from './job.js';
import { mailResetLinks } from './mail-reset-links.js';
import { prune } from './prune-old-records.js';
import { sendMails } from './send-mails.js';

export const JOBS: readonly Job[] = [expireSessions, finishDeletions, mailResetLinks, prune, sendMails];
