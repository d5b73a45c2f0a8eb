// Stores of accounts for a single process: SQLite.
import { emptyLog } from '../platform/stores/sqlite/database.js';
import type { EmbeddedFamily } from '../platform/stores/feature-stores.js';
import { createEmbeddedRateLimits } from './rate-limits.sqlite.js';

export function openStores({ db, now, stores: { accounts } }: EmbeddedFamily) {
  return {
    accounts: {
      ...accounts,
      async remove(id: Parameters<typeof accounts.remove>[0]) {
        await accounts.remove(id);
        emptyLog(db);
      },
    },
    rateLimits: createEmbeddedRateLimits(db, now),
  };
}
