// Ends of plans by the passing of time, and the daily sync of each paying account.
import type { Job } from './job.js';

export const settleBilling: Job = {
  name: 'settle-billing',
  schedule: '* * * * *',
  summary: 'Ends plans whose time is over; syncs each customer with the payment provider once a day.',
  run: async ({ billing }) => ({ accounts: await billing.settleDue() }),
};
