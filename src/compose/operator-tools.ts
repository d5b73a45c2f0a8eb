// What the commands about accounts and jobs need; may be used beside a running service.
import type { Env } from '../../config/env.js';
import { createEmbeddedJobSlots } from '../adapters/embedded/job-slots.js';
import { composeAccounts } from './accounts.js';
import { openSharedDatabase } from './embedded-database.js';
import type { JobParts } from '../jobs/job.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { Operator } from '../services/accounts/operator.js';

export interface OperatorTools {
  readonly operator: Operator;
  readonly slots: JobSlots;
  readonly parts: JobParts;
  /** ms since the epoch */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

/** The service acts on every change at once: it reads accounts at each request. Mails are left to its job. */
export function openOperatorTools(env: Env, onError: (error: unknown, what: string) => void): OperatorTools {
  const now = Date.now;
  const db = openSharedDatabase(env.DATA_DIR);
  const parts = composeAccounts({
    env,
    db,
    now,
    onError,
    onHashLoss: (reason) => onError(reason, 'hashing failed'),
    mails: 'by the job',
  });
  return {
    operator: parts.operator,
    slots: createEmbeddedJobSlots(db, now),
    parts: { ...parts, now },
    now,
    async close() {
      await parts.close();
      db.close();
    },
  };
}
