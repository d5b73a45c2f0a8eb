// Processing of stored requests for password reset links: those of a crashed process, and those beyond the limit of
// what is processed at once.
import type { Job } from './job.js';

export const mailResetLinks: Job = {
  name: 'mail-reset-links',
  schedule: '* * * * *',
  summary: 'Processes pending requests for password reset links.',
  run: async ({ resets }) => ({ requests: await resets.drain() }),
};
