// Stores of accounts for a cluster: MongoDB and Redis.
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { createRedisRateLimits } from './rate-limits.redis.js';

export const openStores = ({ redis, clock }: ClusterFamily) => ({ rateLimits: createRedisRateLimits(redis, clock) });
