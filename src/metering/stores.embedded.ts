// Stores of metering for a single process: SQLite.
import { readPlans } from '../../config/plans.js';
import type { EmbeddedFamily } from '../platform/stores/feature-stores.js';
import { openEmbeddedQuotaAdmissions } from './quota-admissions.sqlite.js';
import { createEmbeddedUsageHistory } from './usage-history.sqlite.js';

export function openStores({ db, now, maxClients, onError, onClose }: EmbeddedFamily) {
  const admissions = openEmbeddedQuotaAdmissions({
    ...{ db, now, maxClients, plans: readPlans() },
    onError: (error) => onError(error, 'writing the last use of keys failed'),
  });
  onClose(async () => admissions.close());
  return { admissions, usage: createEmbeddedUsageHistory(db) };
}
