// Delivery of pending mails: retries, and those left by a crashed process or by the operator's commands.
import type { Job } from './job.js';

export const sendMails: Job = {
  name: 'send-mails',
  schedule: '* * * * *',
  summary: 'Sends the mails that are due.',
  run: async ({ outbox }) => ({ mails: await outbox.drain() }),
};
