// Stores that record the time and result of each call in the metrics.
import type { Stores } from '../stores/stores.js';
import type { Metrics } from './metrics.js';

/**
 * Stores that are not measured, because not all of their methods return promises, or because they are measured
 * elsewhere.
 */
const UNMEASURED: readonly string[] = ['catalog', 'checks', 'jobSlots', 'locks', 'ownBrandTexts', 'resetRequests'];

/** Returns the measured stores. If `metrics` is undefined, returns the same stores. */
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

/** `missingNames` is `missing-names` in the metrics. */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Wraps a store. Every method must return a promise. */
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
