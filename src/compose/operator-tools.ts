// Services of the commands about accounts and jobs.
import type { Env } from '../../config/env.js';
import type { JobParts } from '../jobs/job.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { Operator } from '../services/accounts/operator.js';
import { composeAccounts } from './accounts.js';
import { openCommandStores } from './open-stores.js';

export interface OperatorTools {
  readonly operator: Operator;
  readonly slots: JobSlots;
  readonly parts: JobParts;
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
  const parts = composeAccounts({ env, stores, now, onError, onHashLoss, mails: 'by the job' });
  return {
    operator: parts.operator,
    slots: stores.jobSlots,
    parts: { ...parts, visitorCounters: stores.visitorCounters, now },
    now,
    async close() {
      await parts.close();
      await stores.close();
    },
  };
}
