// Completion of account deletions that were interrupted.
import { forEachDueAccount } from './for-each-due-account.js';
import type { Job } from './job.js';

export const finishDeletions: Job = {
  name: 'finish-deletions',
  schedule: '*/10 * * * *',
  summary: 'Removes accounts whose deletion was interrupted.',
  async run({ accounts, now }) {
    return { accounts: await forEachDueAccount({ accounts, what: 'deletion', now }, (id) => accounts.remove(id)) };
  },
};
