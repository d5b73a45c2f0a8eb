// Services of the commands about accounts and jobs.
import type { Env } from '../../config/env.js';
import type { JobParts } from '../jobs/job.js';
import type { AccountStore } from '../ports/account-store.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { PaymentEvents } from '../ports/payment-events.js';
import type { Operator } from '../services/accounts/operator.js';
import type { BillingSync } from '../services/billing/billing-sync.js';
import type { PaymentEventProcessing } from '../services/billing/payment-events.js';
import { composeAccounts } from './accounts.js';
import { openPayments } from './billing.js';
import { openCommandStores } from './open-stores.js';

export interface OperatorTools {
  readonly operator: Operator;
  readonly slots: JobSlots;
  readonly accounts: Pick<AccountStore, 'find' | 'list'>;
  readonly parts: JobParts;
  readonly billing: BillingSync;
  readonly paymentEvents: PaymentEvents;
  readonly paymentEventProcessing: PaymentEventProcessing;
  readonly isBillingConfigured: boolean;
  /** ms since the epoch */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

/**
 * May be used beside a running service, which applies every change at once: it reads accounts at each request. Mails
 * are left to its job.
 */
export async function openOperatorTools(
  env: Env,
  onError: (error: unknown, what: string) => void,
): Promise<OperatorTools> {
  const now = Date.now;
  const stores = await openCommandStores(env, { now, onError });
  const onHashLoss = (reason: string): void => onError(reason, 'hashing failed');
  const payments = await openPayments(env, now, onError);
  const parts = composeAccounts({ env, stores, payments, now, onError, onHashLoss, mails: 'by the job' });
  return {
    operator: parts.operator,
    slots: stores.jobSlots,
    accounts: stores.accounts,
    billing: parts.billing,
    paymentEvents: stores.paymentEvents,
    paymentEventProcessing: parts.paymentEventProcessing,
    isBillingConfigured: payments.isConfigured,
    parts: { ...parts, visitorCounters: stores.visitorCounters, now },
    now,
    async close() {
      await parts.close();
      await stores.close();
    },
  };
}
