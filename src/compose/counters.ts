// Visitor counting, composed from its store, the configuration and the secret of the deployment.
import { createHmac } from 'node:crypto';
import { readCounters } from '../../config/counters.js';
import type { Env } from '../../config/env.js';
import { createVisitorCounting, type VisitorCounting } from '../services/visitor-counting.js';
import type { Stores } from './stores.js';

type CountingStores = Pick<Stores, 'visitorCounters' | 'signingSecret'>;

/** `now`: ms since the epoch. Throws ConfigError. */
export function composeVisitorCounting(
  { JWT_SECRET: [first] }: Pick<Env, 'JWT_SECRET'>,
  stores: CountingStores,
  now: () => number,
): VisitorCounting {
  const secret = createHmac('sha256', first ?? stores.signingSecret())
    .update('blazon visitor counters')
    .digest('hex');
  return createVisitorCounting({ store: stores.visitorCounters, config: readCounters(), secret, now });
}
