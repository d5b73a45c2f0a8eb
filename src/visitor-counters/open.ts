// Opens visitor counters, with their store, their configuration and the secret of the deployment.
import { createHmac } from 'node:crypto';
import { readCounters } from './read-counters.js';
import type { Serving } from '../platform/feature.js';
import { COUNTER_STORES } from './stores.js';
import { createCounterOperator, createVisitorCounting } from './visitor-counting.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';

/** Creates the counter service for requests. Throws ConfigError if the configuration is invalid. */
export function serveCounters({ env: { JWT_SECRET }, stores, now }: Serving) {
  const [first = stores.signingSecret()] = JWT_SECRET;
  const secret = createHmac('sha256', first).update('blazon visitor counters').digest('hex');
  const counting = createVisitorCounting({ store: stores.visitorCounters, config: readCounters(), secret, now });
  return { services: { counting } };
}

/** Opens the services for commands. Commands may use them while a service runs. */
export async function openCounterTools(env: StoresEnv, onError: (error: unknown, what: string) => void) {
  const config = readCounters();
  const stores = await openCommandStores(env, { features: [COUNTER_STORES], now: Date.now, onError });
  return {
    counters: createCounterOperator({ store: stores.visitorCounters, config }),
    close: () => stores.close(),
  };
}
