// Service: opens the stores, then each feature in the order of features.ts.
import type { RequestListener, Server } from 'node:http';
import type { Logger } from 'pino';
import type { Env } from '../config/env.js';
import { memoryShares, type MemoryShares } from '../config/memory.js';
import { readPasswordRules } from '../config/passwords.js';
import { readPlans } from '../config/plans.js';
import { createAuthentication } from './accounts/authentication/authentication.js';
import { limitsText } from './accounts/limits-text.js';
import type { FirstImport } from './catalog/first-import.js';
import type { ImportProgress } from './catalog/import/import-progress.js';
import { FEATURES } from './features.js';
import { waitAtMost } from './platform/concurrency/deadline.js';
import { createTurns } from './platform/concurrency/time-slices.js';
import type { Opened, Opening, Serving } from './platform/feature.js';
import { createMetricsServer } from './platform/http/connections/metrics-server.js';
import { bounded, createHealth } from './platform/http/health.js';
import { dashboardPage } from './platform/http/pages/dashboard-files.js';
import { dashboardSettings } from './platform/http/pages/pages.routes.js';
import { codingsPerAnswer, createCompression, createTaggedCodings } from './platform/http/response/compression.js';
import type { Route } from './platform/http/route.js';
import { jobsOf } from './platform/jobs/all.job.js';
import { openSchedule } from './platform/jobs/scheduler.js';
import { removeUnfinishedMails } from './platform/mail/mailers.js';
import { measuredStores } from './platform/metrics/measured-stores.js';
import { createPrometheusMetrics } from './platform/metrics/prometheus.js';
import { createMissingListeners } from './platform/not-found.js';
import { closeInReverse, openInOrder } from './platform/open-services.js';
import { openServiceFence } from './platform/processes/fence.js';
import type { ReportError } from './platform/report-error.js';
import { routesOf } from './platform/routes-of.js';
import type { Deployment, Services } from './platform/services.js';
import { openServiceStores } from './platform/stores/open-stores.js';
import { createHttpApp } from './serving/app.js';

/**
 * Maximum wait for running jobs in ms. The process must end within 10 s. Another process repeats a job that takes
 * longer.
 */
const JOBS_END_LIMIT_MS = 3000;

export interface Service extends FirstImport {
  readonly handle: RequestListener;
  /** Server on METRICS_PORT; undefined if metrics are off. */
  readonly metricsServer: Server | undefined;
  startJobs(): void;
  /** Makes the readiness check fail. Requests still get responses. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Opens all stores and features. `now` returns the time in ms since the epoch. The catalog may be empty. If another
 * process imports it later, `refreshCatalog` loads it. Throws ConfigError if another service uses the data folder.
 * `openFence`: returns the fence for worker processes. Tests share one fence between services.
 */
export async function compose(
  env: Env,
  log: Logger,
  now: () => number = Date.now,
  openFence = openServiceFence,
): Promise<Service> {
  const onError: ReportError = (error, what, fields) => log.warn({ err: error, ...fields }, what);
  // The log tells the operator to pass the mail on to its recipient, who waits for it.
  const onMailFile = (file: string): void =>
    log.warn({ file }, 'SMTP_URL is not set, so an e-mail was written to a file; give its link to the recipient');
  const metrics = env.METRICS_PORT === 0 ? undefined : createPrometheusMetrics();
  const shares = memoryShares(env);
  const maxClients = maxClientsOf(shares);
  const features = FEATURES;
  const stores = measuredStores(await openServiceStores(env, { features, now, onError, maxClients }), metrics);
  removeUnfinishedMails(env.DATA_DIR);

  const compression = createCompression();
  const services = {
    ...{ deployment: deploymentOf(env), now, turns: createTurns(), missing: createMissingListeners() },
    answerCodings: codingsPerAnswer(compression),
    taggedCodings: createTaggedCodings(compression, shares.compressedAnswers),
  } as Services;
  const opening: Opening = { env, features, stores, services, metrics, now, onError, mails: 'at once', onMailFile };
  const [fence, opened] = await Promise.all([
    openFence(env.DATA_DIR, log),
    openInOrder(opening, (feature) => feature.open?.()),
  ]);
  const serving: Serving = { ...opening, log, shares, maxClients, fence, compression };
  const served = await openInOrder(serving, (feature) => feature.serve?.());
  const stored = Object.entries(stores.checks).map(([name, check]) => [name, bounded(check)] as const);
  const ofFeatures = served.flatMap(({ checks = {} }) => Object.entries(checks));
  const health = createHealth(Object.fromEntries([...stored, ...ofFeatures]));
  Object.assign(services, { health });
  const routes = await routesOf(features, services.deployment);
  const firstImport = firstImportOf(services, served);
  const jobs = await openJobs(serving);

  return {
    handle: openHttp(serving, routes, firstImport),
    metricsServer: metrics && createMetricsServer({ ...metrics, health }),
    ...firstImport,
    startJobs() {
      for (const one of opened) one.startJobs?.();
      jobs.start();
    },
    drain() {
      health.drain();
      // Running jobs and active requests end at the same time, so that the service stops sooner.
      void jobs.end();
    },
    async close() {
      await jobs.end();
      // All features are closed at the same time, because closing one may take long, and the process must end within 10
      // s.
      await Promise.all(served.map(async (one) => one.close?.()));
      await closeInReverse(opened);
      await stores.close();
    },
  };
}

/** Memory in bytes of a map entry for a client: a token bucket, or the last use of a key. */
const BYTES_PER_CLIENT = 256;
/**
 * Number of maps with one entry per client. Three hold token buckets: for accounts, for client addresses and for
 * previews. The fourth holds the last uses of keys.
 */
const CLIENT_MAPS = 4;

function maxClientsOf({ clients }: MemoryShares): number {
  return Math.floor(clients / CLIENT_MAPS / BYTES_PER_CLIENT);
}

function deploymentOf(env: Env): Deployment {
  const plans = readPlans();
  const operatorContact = env.OPERATOR_CONTACT === '' ? null : env.OPERATOR_CONTACT;
  return {
    origin: env.PUBLIC_URL.replace(/\/$/, ''),
    version: env.VERSION,
    plans,
    limits: limitsText(plans),
    minPasswordCharacters: readPasswordRules().minCharacters,
    registration: env.REGISTRATION,
    gallery: env.GALLERY,
    billing: env.STRIPE_SECRET_KEY === '' ? 'off' : 'on',
    mail: env.SMTP_URL === '' ? 'off' : 'on',
    siteIcons: env.SITE_ICONS,
    operatorContact,
    siteOwnerContact: env.SECURITY_CONTACT[0] ?? operatorContact,
    operatorEmails: env.OPERATOR_EMAILS.map((address) => address.toLowerCase()),
    securityContacts: env.SECURITY_CONTACT,
  };
}

/** Returns the functions that report the state of the catalog, and that fill an empty catalog. */
function firstImportOf({ catalog, index, catalogUpdates }: Services, served: readonly Opened[]): FirstImport {
  let progress: ImportProgress | undefined;
  return {
    catalogIsEmpty: () => catalog.state() === undefined,
    isStarting: () => !catalog.state() || !index.peek()?.generation,
    async refreshCatalog() {
      for (const one of served) await one.refresh?.();
    },
    showImport: (shown) => void (progress = shown),
    importProgress: () => progress,
    ...catalogUpdates,
  };
}

function openHttp(
  { env, shares, log, metrics, services, now }: Serving,
  routes: readonly Route[],
  startPage: FirstImport,
): RequestListener {
  const { deployment, sessions, metering, cookies, health, responseCounts } = services;
  const { origin } = deployment;
  return createHttpApp({
    ...{ services, log, origin, routes, startPage },
    responses: responseCounts,
    notFoundPage: dashboardPage(undefined, dashboardSettings(deployment)),
    identify: createAuthentication({
      ...{ sessions, cookies, now, origin: new URL(origin).origin },
      verifyKey: (credential) => metering.verify(credential),
    }),
    trustedProxies: env.TRUST_PROXY,
    bounds: { uploadBytes: shares.uploads, addressBytes: shares.addresses },
    isDraining: health.isDraining,
    ...(metrics && { onAnswer: metrics.request }),
  });
}

async function openJobs({ features, stores, services, log, metrics, now }: Serving) {
  const jobs = await jobsOf(features);
  let schedule: ReturnType<typeof openSchedule> | undefined;
  let ended: Promise<void> | undefined;
  return {
    start(): void {
      schedule ??= openSchedule({
        jobs,
        slots: stores.jobSlots,
        parts: { ...stores, ...services, now },
        onDone: ({ name }, done) => {
          metrics?.job(name, 'done');
          log.debug({ job: name, done }, 'a job is done');
        },
        onFailure: (error, what, job) => {
          if (job) metrics?.job(job.name, 'failed');
          log.error({ err: error }, what);
        },
      });
    },
    /** Stops starting jobs. Resolves when running jobs have ended, or after a time limit. */
    end: () => (ended ??= waitAtMost(JOBS_END_LIMIT_MS, schedule ? schedule.close() : Promise.resolve())),
  };
}
