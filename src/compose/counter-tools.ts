// Services of the commands about visitor counters.
import { readCounters } from '../../config/counters.js';
import { createCounterOperator, type CounterOperator } from '../services/visitor-counting.js';
import { openCommandStores, type StoresEnv } from './open-stores.js';

export interface CounterTools {
  readonly counters: CounterOperator;
  close(): Promise<void>;
}

/** May be used beside a running service. */
export async function openCounterTools(
  env: StoresEnv,
  onError: (error: unknown, what: string) => void,
): Promise<CounterTools> {
  const config = readCounters();
  const stores = await openCommandStores(env, { now: Date.now, onError });
  return {
    counters: createCounterOperator({ store: stores.visitorCounters, config }),
    close: () => stores.close(),
  };
}
