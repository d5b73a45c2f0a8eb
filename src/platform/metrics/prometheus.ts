// Metrics in Prometheus' format.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.js';

/** Seconds, from a picture in memory to the limit of a request. */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const DRAWING_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];
const LOCK_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Counted methods. Node accepts about thirty more, and a client that sends them all would create as many series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

const GAUGES = {
  mailbox_waiting: 'Account commands that wait for their turn in this process',
  pictures_waiting: 'Pictures that wait to be drawn in this process',
  pictures_bytes: 'Finished pictures in the memory of this process, bytes',
} as const;

export type PrometheusMetrics = ReturnType<typeof createPrometheusMetrics>;

export function createPrometheusMetrics() {
  const registry = new Registry();
  // Also collects event loop delay, memory and CPU time of this process.
  collectDefaultMetrics({ register: registry });
  const { requests, admissions, pictures, pictureWaits, drawings, stores, lockWaits, jobs } =
    createInstruments(registry);
  const metrics: Metrics = {
    request: ({ route, method, status, seconds }) =>
      requests.observe({ route, method: METHODS.has(method) ? method : 'other', status }, seconds),
    admission: (bucket, outcome) => admissions.inc({ bucket, outcome }),
    picture: (source) => pictures.inc({ source }),
    pictureWait: (seconds) => pictureWaits.observe(seconds),
    drawing: (seconds) => drawings.observe(seconds),
    store: (operation, seconds, succeeded) =>
      stores.observe({ operation, outcome: succeeded ? 'ok' : 'failed' }, seconds),
    lockWait: (seconds) => lockWaits.observe(seconds),
    job: (name, outcome) => jobs.inc({ name, outcome }),
    gauge(name, read) {
      new Gauge({
        name: `blazon_${name}`,
        help: GAUGES[name],
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
  /** `text`: returns all metrics in the text format. */
  return { ...metrics, contentType: registry.contentType, text: () => registry.metrics() };
}

function createInstruments(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'blazon_request_seconds',
      help: 'Time from the head of a request to its answer',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    admissions: new Counter({
      name: 'blazon_admissions_total',
      help: 'Key checks with their outcome',
      labelNames: ['bucket', 'outcome'] as const,
      registers,
    }),
    pictures: new Counter({
      name: 'blazon_pictures_total',
      help: 'PNG and WebP pictures by where they came from',
      labelNames: ['source'] as const,
      registers,
    }),
    pictureWaits: new Histogram({
      name: 'blazon_picture_wait_seconds',
      help: 'Wait of a picture in the queue before it is drawn',
      buckets: DRAWING_BUCKETS,
      registers,
    }),
    drawings: new Histogram({
      name: 'blazon_drawing_seconds',
      help: 'Time of one drawing, with a wait behind another in its process',
      buckets: DRAWING_BUCKETS,
      registers,
    }),
    stores: new Histogram({
      name: 'blazon_store_seconds',
      help: 'Time of one call of a store',
      labelNames: ['operation', 'outcome'] as const,
      buckets: STORE_BUCKETS,
      registers,
    }),
    lockWaits: new Histogram({
      name: 'blazon_lock_wait_seconds',
      help: "Wait for an account's lock",
      buckets: LOCK_BUCKETS,
      registers,
    }),
    jobs: new Counter({
      // The label is not `job`, because Prometheus sets a label with that name.
      name: 'blazon_jobs_total',
      help: 'Runs of background jobs in this process',
      labelNames: ['name', 'outcome'] as const,
      registers,
    }),
  };
}
