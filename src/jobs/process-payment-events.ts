// Processing of stored payment events that a crashed process has left.
import type { Job } from './job.js';

export const processPaymentEvents: Job = {
  name: 'process-payment-events',
  schedule: '*/10 * * * *',
  summary: 'Processes events of the payment provider that were not finished.',
  run: async ({ paymentEventProcessing }) => ({ events: await paymentEventProcessing.drain() }),
};
