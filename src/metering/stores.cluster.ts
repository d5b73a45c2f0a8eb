// Stores of metering for a cluster: MongoDB and Redis.
import { readPlans } from '../../config/plans.js';
import type { Plans } from '../accounts/plan.js';
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { createMongoAccountSource } from './account-source.mongodb.js';
import { createAdmissionRecords } from './admission-records.redis.js';
import { invalidatingAccountStore } from './invalidating-account-store.records.js';
import { createRedisQuotaAdmissions } from './quota-admissions.redis.js';
import { createMongoUsageHistory } from './usage-history.mongodb.js';
import { createMongoUsageLedger } from './usage-ledger.mongodb.js';

export function openStores(
  { mongo, redis, clock, maxClients, onError, onClose, stores }: ClusterFamily,
  plans: Plans = readPlans(),
) {
  const admissions = createRedisQuotaAdmissions({
    redis,
    accounts: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    plans,
    maxClients,
    ...clock,
    onFlushError: (error) => onError(error, 'writing the usage counters failed'),
  });
  onClose(() => admissions.close().catch((error: unknown) => onError(error, 'writing the usage counters failed')));
  return {
    accounts: invalidatingAccountStore(stores.accounts, createAdmissionRecords(redis)),
    admissions,
    usage: createMongoUsageHistory({ mongo, live: (id) => admissions.liveUsage(id) }),
  };
}
