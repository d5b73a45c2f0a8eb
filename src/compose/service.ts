// The service: opens its stores and workers, composes what answers requests from them, and closes them in reverse.
import { hash } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { Logger } from 'pino';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import type { Env } from '../../config/env.js';
import { memoryShares, type MemoryShares } from '../../config/memory.js';
import { readLicenseTexts } from '../../config/licenses.js';
import { readPlans } from '../../config/plans.js';
import { removeUnfinishedMails } from '../platform/mail/mailers.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import type { Fence } from '../platform/processes/fence.js';
import { openSanitizer } from '../catalog/sanitizer.worker.js';
import { createPrometheusMetrics, type PrometheusMetrics } from '../platform/metrics/prometheus.js';
import { createMetricsServer } from '../platform/http/connections/metrics-server.js';
import { createAuthentication } from '../accounts/authentication/authentication.js';
import { createBrowserCookies } from '../accounts/authentication/cookies.js';
import { dashboardPage } from '../platform/http/pages/dashboard-files.js';
import { dashboardSettings } from '../platform/http/pages/pages.routes.js';
import { allRoutes } from './routes.js';
import type { Deployment, RouteServices } from '../platform/http/route-services.js';
import { createHttpApp } from '../platform/http/app.js';
import { commandText } from '../platform/installation.js';
import { JOBS } from './jobs.js';
import type { JobParts } from '../platform/jobs/job.js';
import { openSchedule, type Schedule } from '../platform/jobs/scheduler.js';
import { createAnalytics } from '../metering/analytics.js';
import { createBrands } from '../brands/brands.js';
import { createNotice } from '../catalog/write-notice.js';
import {
  codingsPerAnswer,
  createCompression,
  createTaggedCodings,
  type Compression,
} from '../platform/http/response/compression.js';
import { bounded, createHealth, type Health } from '../platform/http/health.js';
import { createPreviewLimits } from '../accounts/preview-limits.js';
import { openMissingCounts, type MissingCounts } from '../missing-names/missing-counts.js';
import { openResponseCounts } from '../metering/response-counts.js';
import { createIconify } from '../iconify/iconify.js';
import { Favicons } from '../pictures/favicons.js';
import { createOwnBrands } from '../own-brands/own-brands.js';
import { createUnpackingMemory } from '../own-brands/archive.js';
import { createDrawingUploads, type DrawingUploads } from '../own-brands/drawing-uploads.js';
import { createAccountCatalogs } from '../catalog/account-catalogs.js';
import type { Pictures } from '../pictures/pictures.js';
import { createStrips } from '../pictures/strips.js';
import type { ReportError } from '../platform/report-error.js';
import { createSearch } from '../search/search.js';
import { createTurns } from '../platform/concurrency/turns.js';
import { composeAccounts, type AccountParts } from './accounts.js';
import { openPayments } from './billing.js';
import { composeVisitorCounting } from './counters.js';
import { composePictures, openMeasuredRasterizer, openPictureStore } from './pictures.js';
import { openIndexedCatalog, type CatalogFacts, type FirstImport, type IndexedCatalog } from './indexed-catalog.js';
import { measuredStores } from './port-metrics.js';
import { openServiceStores } from './open-stores.js';
import type { Stores } from './stores.js';

/** A job that takes longer to end is left to the process that takes it over: this one is to be gone within 10 s. */
const JOBS_END_LIMIT_MS = 3000;
/** Processes that sanitize uploaded drawings; they end when nothing is uploaded. */
const UPLOAD_PROCESSES = 2;
const UPLOAD_TIMEOUT_MS = 5000;
const UPLOAD_IDLE_MS = 30_000;

export interface Service extends FirstImport {
  readonly handle: RequestListener;
  /** For METRICS_PORT; undefined without. */
  readonly metricsServer: Server | undefined;
  /** From now on this process runs jobs. */
  startJobs(): void;
  /** From now on not ready; requests that have begun are still answered. */
  drain(): void;
  close(): Promise<void>;
}

/** Everything that the parts of the service are composed of. */
interface Base {
  readonly env: Env;
  readonly shares: MemoryShares;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics | undefined;
  readonly stores: Stores;
  /** ms since the epoch */
  readonly now: () => number;
}

/**
 * Opens everything; `now` in ms since the epoch. The catalog may be empty: another process fills it, then
 * `refreshCatalog`. Throws ConfigError when the folder is taken.
 */
export async function compose(env: Env, log: Logger, now: () => number = Date.now): Promise<Service> {
  const onError: ReportError = (error, what, fields) => log.warn({ err: error, ...fields }, what);
  const metrics = env.METRICS_PORT === 0 ? undefined : createPrometheusMetrics();
  const shares = memoryShares(env);
  const maxClients = maxClientsOf(shares);
  const stores = measuredStores(await openServiceStores(env, { now, onError, maxClients }), metrics);
  const base = { env, shares, log, metrics, stores, now };
  removeUnfinishedMails(env.DATA_DIR);
  const facts = { brandFacts: readBrandFacts(), kinds: readKinds().kinds };
  const bounds = { entryBytes: shares.catalogEntries, drawingChars: shares.catalogDrawings };
  // Both at once: the fence is tried in another process.
  const opening = [
    openMeasuredRasterizer(env, log, metrics),
    openIndexedCatalog(stores, { facts, bounds, log }),
  ] as const;
  const [{ rasterizer, fence }, indexed] = await Promise.all(opening);
  const pictureStore = openPictureStore(env, shares, log);
  const health = composeHealth(stores, indexed);
  const account = composeAccounts({
    ...{ env, stores, now, onError },
    payments: await openPayments(env, now, onError),
    onHashLoss: (reason) => log.warn({ reason }, 'hashing failed; the next password has a new process'),
  });
  metrics?.gauge('mailbox_waiting', account.actors.waiting);
  const { responses, missing, closeCounts } = openCounts(base, onError);
  const compression = createCompression();
  const sanitizer = openUploadSanitizer(fence);
  const pictures = composePictures({
    ...{ env, shares, metrics, catalog: indexed.catalog },
    ...{ rasterizer, pictureStore, compression },
  });
  const services = routeServices(base, {
    ...{ account, indexed, pictures, compression, health, facts, missing },
    uploads: createDrawingUploads({ sanitizer, atOnce: UPLOAD_PROCESSES }),
  });
  const jobs = composeJobs(base, account);

  return {
    handle: composeHttp(base, services, { responses, startPage: indexed.firstImport }),
    metricsServer: metrics && createMetricsServer({ ...metrics, health }),
    ...indexed.firstImport,
    startJobs() {
      account.paymentEventProcessing.start();
      jobs.start();
    },
    drain() {
      health.drain();
      // While requests are still being answered, since both have a limit.
      void jobs.end();
    },
    async close() {
      await jobs.end();
      await Promise.all([rasterizer.close(), sanitizer.close(), account.close(), closeCounts()]);
      await pictureStore?.close();
      await indexed.close();
      await stores.close();
    },
  };
}

function openCounts({ shares, stores, now }: Base, onError: ReportError) {
  const responses = openResponseCounts({
    history: stores.responses,
    now,
    maxBytes: shares.responseCounts,
    onError: (error) => onError(error, 'writing the counters of responses failed; trying again'),
  });
  const missing = openMissingCounts({
    store: stores.missingNames,
    now,
    onError: (error) => onError(error, 'writing the names that were not found failed; trying again'),
  });
  return {
    responses,
    missing,
    /** Never rejects: counts are too little to keep the process from ending. */
    closeCounts: (): Promise<unknown> =>
      Promise.all([responses.close(), missing.close()]).catch((error: unknown) =>
        onError(error, 'writing the counters of responses failed'),
      ),
  };
}

/** Memory of a token bucket, or of the last use of a key, with its place in a map. */
const BYTES_PER_CLIENT = 256;
/** Token buckets of accounts, of client addresses, and of previews; last uses of keys. */
const CLIENT_MAPS = 4;

function maxClientsOf({ clients }: MemoryShares): number {
  return Math.floor(clients / CLIENT_MAPS / BYTES_PER_CLIENT);
}

function openUploadSanitizer(fence: Fence) {
  const limits = { drawingTimeoutMs: UPLOAD_TIMEOUT_MS, idleMs: UPLOAD_IDLE_MS };
  return openSanitizer({ processes: UPLOAD_PROCESSES, fence, ...limits });
}

function composeHealth(stores: Stores, { catalog, index }: IndexedCatalog): Health {
  const stored = Object.entries(stores.checks).map(([name, check]) => [name, bounded(check)] as const);
  return createHealth({
    ...Object.fromEntries(stored),
    catalog: async () => {
      if (!catalog.state())
        throw new Error(`the catalog is empty: it is being imported, or run ${commandText('catalog import')}`);
    },
    search: async () => {
      if (!index.peek()?.generation) throw new Error('the index of search and brands is not built yet');
    },
  });
}

interface ServiceParts {
  readonly account: AccountParts;
  readonly indexed: IndexedCatalog;
  readonly pictures: Pictures;
  readonly compression: Compression;
  readonly health: Health;
  readonly facts: CatalogFacts;
  readonly missing: MissingCounts;
  readonly uploads: DrawingUploads;
}

function routeServices({ env, shares, stores, now }: Base, parts: ServiceParts): RouteServices {
  const { account, pictures, compression, health, facts, missing, uploads } = parts;
  const { catalog, index, iconSets } = parts.indexed;
  const deployment = deploymentOf(env, account);
  const { version, origin } = deployment;
  const fingerprint = hash('sha256', JSON.stringify([version, origin, facts]));
  const turns = createTurns();
  const brands = createBrands({ index, turns });
  const accountCatalogs = createAccountCatalogs({
    ...{ catalog, texts: stores.ownBrandTexts, turns },
    bounds: { pageBytes: shares.ownBrands, drawingChars: shares.ownDrawings },
  });
  const unpackingMemory = createUnpackingMemory(shares.unpackedArchives);
  return {
    ...account,
    ...{ deployment, now, catalog, pictures, missing, health, turns },
    accountCatalogs,
    ownBrands: createOwnBrands({ ...account, catalogs: accountCatalogs, uploads, unpackingMemory }),
    cookies: createBrowserCookies(origin),
    notice: createNotice({ store: stores.catalog, state: () => catalog.state(), texts: readLicenseTexts() }),
    counting: composeVisitorCounting(env, stores, now),
    analytics: createAnalytics(stores),
    answerCodings: codingsPerAnswer(compression),
    taggedCodings: createTaggedCodings(compression, shares.compressedAnswers),
    search: createSearch({ index, turns, cacheBytes: shares.searches }),
    strips: createStrips({ catalog, pictures, brands }),
    favicons: new Favicons({ pictures }),
    iconify: createIconify({ sets: iconSets, catalog, turns, cacheBytes: shares.iconAnswers }),
    brands,
    // The index follows the catalog a moment later, and a withdrawal leaves `publishedAt` as it is.
    catalogVersion: () => {
      const { publishedAt = '', generation = 0 } = catalog.state() ?? {};
      return `${fingerprint} ${publishedAt} ${generation} ${index.peek()?.generation ?? 0}`;
    },
    previewLimits: createPreviewLimits(now, maxClientsOf(shares)),
  };
}

function deploymentOf(env: Env, { minPasswordCharacters }: AccountParts): Deployment {
  return {
    origin: env.PUBLIC_URL.replace(/\/$/, ''),
    version: env.VERSION,
    plans: readPlans(),
    minPasswordCharacters,
    registration: env.REGISTRATION,
    gallery: env.GALLERY,
    billing: env.STRIPE_SECRET_KEY === '' ? 'off' : 'on',
    operatorContact: env.OPERATOR_CONTACT === '' ? null : env.OPERATOR_CONTACT,
    securityContacts: env.SECURITY_CONTACT,
  };
}

function composeHttp(
  { env, shares, log, metrics }: Base,
  services: RouteServices,
  parts: Pick<Parameters<typeof createHttpApp>[0], 'responses' | 'startPage'>,
): RequestListener {
  const { deployment, sessions, metering, cookies, health, now } = services;
  const { origin } = deployment;
  return createHttpApp({
    ...{ ...parts, services, log, origin },
    routes: allRoutes(deployment),
    notFoundPage: dashboardPage(undefined, dashboardSettings(deployment)),
    identify: createAuthentication({ sessions, metering, cookies, origin: new URL(origin).origin, now }),
    trustedProxies: env.TRUST_PROXY,
    bounds: { uploadBytes: shares.uploads, addressBytes: shares.addresses },
    isDraining: health.isDraining,
    ...(metrics && { onAnswer: metrics.request }),
  });
}

function composeJobs({ stores: { jobSlots: slots }, log, metrics }: Base, parts: JobParts) {
  let schedule: Schedule | undefined;
  let ended: Promise<void> | undefined;
  return {
    start(): void {
      schedule ??= openSchedule({
        jobs: JOBS,
        slots,
        parts,
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
    /** No job begins any more; resolves when those that run have ended, or after a while. */
    end: () => (ended ??= waitAtMost(JOBS_END_LIMIT_MS, schedule ? schedule.close() : Promise.resolve())),
  };
}
