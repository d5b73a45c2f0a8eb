// Visitor counters, composed from their store, the configuration and the secret of the deployment.
import { createHmac } from 'node:crypto';
import { readCounters } from '../../config/counters.js';
import type { Env } from '../../config/env.js';
import {
  createCounterOperator,
  createVisitorCounting,
  type VisitorCounting,
} from '../visitor-counters/visitor-counting.js';
import { openCommandStores, type StoresEnv } from './open-stores.js';
import type { Stores } from './stores.js';

/** `now`: ms since the epoch. Throws ConfigError. */
export function composeVisitorCounting(
  { JWT_SECRET: [first] }: Pick<Env, 'JWT_SECRET'>,
  stores: Pick<Stores, 'visitorCounters' | 'signingSecret'>,
  now: () => number,
): VisitorCounting {
  const secret = createHmac('sha256', first ?? stores.signingSecret())
    .update('blazon visitor counters')
    .digest('hex');
  return createVisitorCounting({ store: stores.visitorCounters, config: readCounters(), secret, now });
}

/** Services of the commands; may be used beside a running service. */
export async function openCounterTools(env: StoresEnv, onError: (error: unknown, what: string) => void) {
  const config = readCounters();
  const stores = await openCommandStores(env, { now: Date.now, onError });
  return {
    counters: createCounterOperator({ store: stores.visitorCounters, config }),
    close: () => stores.close(),
  };
}
