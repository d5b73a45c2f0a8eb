// Ports as they are, with the time and outcome of each call in the metrics.
import type { Metrics } from '../platform/metrics/metrics.js';
import type { Admission, QuotaAdmissions } from '../metering/quota-admissions.js';
import type { Rasterizer } from '../pictures/rasterizer.js';
import type { Stores } from './stores.js';

/** Undefined: nothing is measured, and the ports are the same objects. */
export function measuredStores(stores: Stores, metrics: Metrics | undefined): Stores {
  if (!metrics) return stores;
  return {
    ...stores,
    accounts: timed('accounts', stores.accounts, metrics),
    audit: timed('audit', stores.audit, metrics),
    missingNames: timed('missing-names', stores.missingNames, metrics),
    paymentEvents: timed('payment-events', stores.paymentEvents, metrics),
    rateLimits: timed('rate-limits', stores.rateLimits, metrics),
    responses: timed('responses', stores.responses, metrics),
    usage: timed('usage', stores.usage, metrics),
    visitorCounters: timed('visitor-counters', stores.visitorCounters, metrics),
    admissions: measuredAdmissions(stores.admissions, metrics),
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

export function measuredRasterizer(rasterizer: Rasterizer, metrics: Metrics | undefined): Rasterizer {
  if (!metrics) return rasterizer;
  return {
    ...rasterizer,
    async rasterize(job) {
      const beganMs = performance.now();
      try {
        return await rasterizer.rasterize(job);
      } finally {
        metrics.drawing((performance.now() - beganMs) / 1000);
      }
    },
  };
}

function measuredAdmissions(admissions: QuotaAdmissions, metrics: Metrics): QuotaAdmissions {
  const rest = timed('admissions', admissions, metrics);
  return {
    ...rest,
    async admit(request) {
      let admission: Admission;
      try {
        admission = await rest.admit(request);
      } catch (error) {
        metrics.admission(request.bucket, 'failed');
        throw error;
      }
      metrics.admission(request.bucket, admission.rejected ?? 'admitted');
      return admission;
    },
  };
}

/** Every method returns a promise. */
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
