// Services of the commands about accounts and jobs.
import type { Env } from '../../config/env.js';
import { composeAccounts } from './accounts.js';
import { openPayments } from './billing.js';
import type { ReportError } from '../platform/report-error.js';
import { openCommandStores } from './open-stores.js';

export type OperatorTools = Awaited<ReturnType<typeof openOperatorTools>>;

/**
 * May be used beside a running service, which applies every change at once: it reads accounts at each request. Mails
 * are left to its job.
 */
export async function openOperatorTools(env: Env, onError: ReportError) {
  const now = Date.now;
  const stores = await openCommandStores(env, { now, onError });
  const onHashLoss = (reason: string): void => onError(reason, 'hashing failed');
  const payments = await openPayments(env, now, onError);
  const parts = composeAccounts({ env, stores, payments, now, onError, onHashLoss, mails: 'by the job' });
  const { operator, billing, paymentEventProcessing } = parts;
  const { jobSlots: slots, accounts, paymentEvents } = stores;
  return {
    ...{ operator, slots, accounts, billing, paymentEvents, paymentEventProcessing, now },
    isBillingConfigured: payments.isConfigured,
    /** For jobs. */
    parts,
    async close(): Promise<void> {
      await parts.close();
      await stores.close();
    },
  };
}
