// Metrics in the format of Prometheus.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.js';

/**
 * Upper bounds of the histogram of response times in seconds. They range from the time of a cached picture to the time
 * limit of a request.
 */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const DRAWING_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];
const LOCK_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const FETCH_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10];

/**
 * HTTP methods with their own time series. All other methods share one time series. With one for each method that Node
 * accepts, a client could create about thirty more time series.
 */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

const GAUGES = {
  mailbox_waiting: 'Account changes waiting in this process',
  pictures_waiting: 'Pictures waiting to be drawn in this process',
  pictures_bytes: 'Memory used by finished pictures in this process, in bytes',
  webhooks_sending: 'Requests to webhook endpoints in progress in this process',
} as const;

export type PrometheusMetrics = ReturnType<typeof createPrometheusMetrics>;

export function createPrometheusMetrics() {
  const registry = new Registry();
  // Adds metrics of the event loop delay, memory and CPU time of this process.
  collectDefaultMetrics({ register: registry });
  const {
    requests,
    admissions,
    pictures,
    pictureWaits,
    drawings,
    stores,
    lockWaits,
    jobs,
    webhookTries,
    siteIcons,
    siteIconTimes,
    siteIconLookups,
  } = createInstruments(registry);
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
    siteIconFetch(result, seconds) {
      siteIcons.inc({ result });
      siteIconTimes.observe(seconds);
    },
    siteIconLookup: (result) => siteIconLookups.inc({ result }),
    job: (name, outcome) => jobs.inc({ name, outcome }),
    webhookTry: (outcome, seconds) => webhookTries.observe({ outcome }, seconds),
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
  // `text` returns all metrics in the text format.
  return { ...metrics, contentType: registry.contentType, text: () => registry.metrics() };
}

function createInstruments(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'blazon_request_seconds',
      help: 'Time from request headers to response',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    admissions: new Counter({
      name: 'blazon_admissions_total',
      help: 'API key checks by result',
      labelNames: ['bucket', 'outcome'] as const,
      registers,
    }),
    pictures: new Counter({
      name: 'blazon_pictures_total',
      help: 'PNG and WebP pictures by source',
      labelNames: ['source'] as const,
      registers,
    }),
    pictureWaits: new Histogram({
      name: 'blazon_picture_wait_seconds',
      help: 'Time that pictures wait in the queue before they are drawn',
      buckets: DRAWING_BUCKETS,
      registers,
    }),
    drawings: new Histogram({
      name: 'blazon_drawing_seconds',
      help: 'Time to draw one picture, including the wait for its drawing process',
      buckets: DRAWING_BUCKETS,
      registers,
    }),
    stores: new Histogram({
      name: 'blazon_store_seconds',
      help: 'Duration of database calls',
      labelNames: ['operation', 'outcome'] as const,
      buckets: STORE_BUCKETS,
      registers,
    }),
    lockWaits: new Histogram({
      name: 'blazon_lock_wait_seconds',
      help: 'Time that requests wait for an account lock',
      buckets: LOCK_BUCKETS,
      registers,
    }),
    ...siteIconInstruments(registers),
    ...createWorkInstruments(registers),
  };
}

function createWorkInstruments(registers: Registry[]) {
  return {
    jobs: new Counter({
      // The label is named `name` instead of `job`, because Prometheus itself sets a label `job`.
      name: 'blazon_jobs_total',
      help: 'Job runs in this process',
      labelNames: ['name', 'outcome'] as const,
      registers,
    }),
    webhookTries: new Histogram({
      name: 'blazon_webhook_try_seconds',
      help: 'Time of one request to a webhook endpoint',
      labelNames: ['outcome'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
  };
}

function siteIconInstruments(registers: Registry[]) {
  return {
    siteIcons: new Counter({
      name: 'blazon_site_icon_fetches_total',
      help: 'Searches for the icon of a site by their result',
      labelNames: ['result'] as const,
      registers,
    }),
    siteIconLookups: new Counter({
      name: 'blazon_site_icon_lookups_total',
      help: 'Requests for the icon of a site by where the icon comes from',
      labelNames: ['result'] as const,
      registers,
    }),
    siteIconTimes: new Histogram({
      name: 'blazon_site_icon_fetch_seconds',
      help: 'Time of one search for the icon of a site',
      buckets: FETCH_BUCKETS,
      registers,
    }),
  };
}
