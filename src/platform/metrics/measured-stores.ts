// Stores that record the duration and the result of each call in the metrics.
import type { Stores } from '../stores/stores.js';
import type { Metrics } from './metrics.js';

/**
 * Names of stores that are not wrapped. Some have methods that return no promise. The others are measured by other
 * code.
 */
const UNMEASURED: readonly string[] = ['catalog', 'checks', 'jobSlots', 'locks', 'ownBrandTexts', 'resetRequests'];

/** Returns the wrapped stores, or the stores themselves if `metrics` is undefined. */
export function measuredStores(stores: Stores, metrics: Metrics | undefined): Stores {
  if (!metrics) return stores;
  const measured = Object.entries(stores as unknown as Readonly<Record<string, unknown>>)
    .filter(([name, store]) => typeof store === 'object' && !UNMEASURED.includes(name))
    .map(([name, store]) => [name, timed(labelOf(name), store as object, metrics)] as const);
  return {
    ...stores,
    ...Object.fromEntries(measured),
    locks: {
      async acquire(name, limits) {
        const beganMs = performance.now();
        try {
          return await stores.locks.acquire(name, limits);
        } finally {
          metrics.lockWait((performance.now() - beganMs) / 1000);
        }
      },
    },
  };
}

/** Returns the label of a store in the metrics: `missingNames` becomes `missing-names`. */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Wraps a store. All its methods must return promises. */
function timed<Port extends object>(name: string, port: Port, metrics: Metrics): Port {
  const methods = Object.entries(port).map(([method, call]: [string, unknown]) => {
    if (typeof call !== 'function') return [method, call] as const;
    const operation = `${name}.${method}`;
    return [method, (...values: readonly unknown[]) => observed(operation, metrics, () => call.apply(port, values))];
  });
  return Object.fromEntries(methods) as Port;
}

async function observed(operation: string, metrics: Metrics, call: () => unknown): Promise<unknown> {
  const beganMs = performance.now();
  let succeeded = false;
  try {
    const result = await call();
    succeeded = true;
    return result;
  } finally {
    metrics.store(operation, (performance.now() - beganMs) / 1000, succeeded);
  }
}
