// Services of the commands about accounts and jobs.
import type { Env } from '../../config/env.js';
import { readPlans } from '../../config/plans.js';
import type { JobParts } from '../jobs/job.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { Operator } from '../services/accounts/operator.js';
import { composeAccounts } from './accounts.js';
import { openCommandStores } from './embedded-stores.js';

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
export function openOperatorTools(env: Env, onError: (error: unknown, what: string) => void): OperatorTools {
  const now = Date.now;
  const stores = openCommandStores({ dataDir: env.DATA_DIR, plans: readPlans(), now });
  const onHashLoss = (reason: string): void => onError(reason, 'hashing failed');
  const parts = composeAccounts({ env, stores, now, onError, onHashLoss, mails: 'by the job' });
  return {
    operator: parts.operator,
    slots: stores.jobSlots,
    parts: { ...parts, now },
    now,
    async close() {
      await parts.close();
      stores.close();
    },
  };
}
