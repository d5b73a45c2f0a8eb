// Carries out requests for password reset links that a dead process left behind, or that were too many to be carried
// out at once.
import type { Job } from './job.js';

export const mailResetLinks: Job = {
  name: 'mail-reset-links',
  schedule: '* * * * *',
  summary: 'Mails the password reset links that are still to be mailed.',
  run: async ({ resets }) => ({ requests: await resets.drain() }),
};
