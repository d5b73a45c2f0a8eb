// Sends mails that could not be sent at once, that a dead process left behind, or that the operator's commands saved.
import type { Job } from './job.js';

export const sendMails: Job = {
  name: 'send-mails',
  schedule: '* * * * *',
  summary: 'Sends the mails that are due.',
  run: async ({ outbox }) => ({ mails: await outbox.drain() }),
};
