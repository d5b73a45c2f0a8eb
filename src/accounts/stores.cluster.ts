// Stores of accounts in the cluster family.
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { createRedisRateLimits } from './rate-limits.redis.js';

export const openStores = ({ redis, clock }: ClusterFamily) => ({ rateLimits: createRedisRateLimits(redis, clock) });
