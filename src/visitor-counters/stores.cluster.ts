// Store of visitor counters for a cluster: MongoDB and Redis.
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { createMongoCounterLedger } from './counter-ledger.mongodb.js';
import { createRedisVisitorCounters } from './visitor-counters.redis.js';

export function openStores({ mongo, redis, clock, onError, onClose }: ClusterFamily) {
  const onFlushError = (error: unknown): void => onError(error, 'writing the visitor counters failed');
  const ledger = createMongoCounterLedger(mongo);
  const visitorCounters = createRedisVisitorCounters({ redis, ledger, ...clock, onFlushError });
  onClose(() => visitorCounters.close().catch(onFlushError));
  return { visitorCounters };
}
