// The service: opens its stores and workers, composes what answers requests from them, and closes them in reverse.
import { hash } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readBrandFacts } from '../../config/brand-domains.js';
import type { Env } from '../../config/env.js';
import { readPlans } from '../../config/plans.js';
import { mapNotFound } from '../actors/account-actors.js';
import { removeUnfinishedMails } from '../adapters/mail/mailer.js';
import type { Plans } from '../domain/metering/plan.js';
import { AppError } from '../errors.js';
import type { BrandFacts } from '../domain/brand/brand-index.js';
import { createPrometheusMetrics, type PrometheusMetrics } from '../adapters/prometheus/metrics.js';
import { createHttpApp } from '../http/app.js';
import { createMetricsServer } from '../http/metrics-server.js';
import { createAuthentication } from '../http/auth/authentication.js';
import { createBrowserCookies } from '../http/auth/cookies.js';
import { dashboardPage, dashboardSettings } from '../http/pages/dashboard-files.js';
import { allRoutes } from '../http/routes/index.js';
import type { Deployment, RouteServices } from '../http/route-services.js';
import { JOBS } from '../jobs/index.js';
import type { JobParts } from '../jobs/job.js';
import { openSchedule, type Schedule } from '../jobs/scheduler.js';
import type { PictureStore } from '../ports/picture-store.js';
import type { Rasterizer } from '../ports/rasterizer.js';
import { createAnalytics } from '../services/analytics.js';
import { createBrands } from '../services/brands.js';
import type { Catalog } from '../services/catalog/catalog.js';
import type { CatalogIndex } from '../services/catalog/indexes.js';
import { codingsPerAnswer, createCompression, createTaggedCodings } from '../services/compression.js';
import { bounded, createHealth, type Health } from '../services/health.js';
import { createPublishableKeys, type PublishableKeys } from '../services/accounts/publishable-keys.js';
import { createMetering, type Metering } from '../services/metering.js';
import { createPreviewLimits } from '../services/accounts/preview-limits.js';
import { openResponseCounts, type ResponseCounts } from '../services/response-counts.js';
import { createIconify } from '../services/iconify/iconify.js';
import type { IconSets } from '../services/iconify/icon-sets.js';
import type { GenerationIndex } from '../services/catalog/generation-index.js';
import { createSearch } from '../services/search.js';
import { createTurns } from '../services/turns.js';
import type { VisitorCounting } from '../services/visitor-counting.js';
import { composeAccounts, type AccountParts } from './accounts.js';
import { openPayments } from './billing.js';
import { composeVisitorCounting } from './counters.js';
import { composeImages, openDrawing, openPictures } from './images.js';
import { openIndexedCatalog, type FirstImport } from './indexed-catalog.js';
import { measuredStores } from './measured.js';
import { openServiceStores } from './open-stores.js';
import type { Stores } from './stores.js';

/** A job that takes longer to end is left to the process that takes it over: this one is to be gone within 10 s. */
const JOBS_END_LIMIT_MS = 3000;

export interface Service extends FirstImport {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** For METRICS_PORT; undefined without. */
  readonly metricsServer: Server | undefined;
  /** From now on this process runs jobs. */
  startJobs(): void;
  /** From now on not ready; requests that have begun are still answered. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Opens everything; `now` in ms since the epoch. The catalog may be empty: another process fills it, then
 * `refreshCatalog`. Throws ConfigError when the folder is taken.
 */
export async function compose(env: Env, log: Logger, now: () => number = Date.now): Promise<Service> {
  const onError = (error: unknown, what: string): void => log.warn({ err: error }, what);
  const metrics = env.METRICS_PORT === 0 ? undefined : createPrometheusMetrics();
  const stores = measuredStores(await openServiceStores(env, { now, onError }), metrics);
  removeUnfinishedMails(env.DATA_DIR);
  const brandFacts = readBrandFacts();
  // Both at once: the fence is tried in another process.
  const opening = [openDrawing(env, log, metrics), openIndexedCatalog(stores, brandFacts, log)] as const;
  const [rasterizer, { catalog, index, iconSets, firstImport, close }] = await Promise.all(opening);
  const pictures = openPictures(env, log);
  const health = composeHealth(stores, catalog, index);
  const account = composeAccounts({
    env,
    stores,
    payments: await openPayments(env, now, onError),
    now,
    onError,
    onHashLoss: (reason) => log.warn({ reason }, 'hashing failed; the next password has a new process'),
  });
  const counting = composeVisitorCounting(env, stores, now);
  const responses = composeResponseCounts(stores, now, onError);
  const handle = composeHttp({
    env,
    log,
    metrics,
    stores,
    account,
    counting,
    catalog,
    index,
    iconSets,
    rasterizer,
    pictures,
    health,
    brandFacts,
    now,
    responses,
    firstImport,
  });
  const jobs = composeJobs(stores, { ...account, visitorCounters: stores.visitorCounters, now }, { log, metrics });

  return {
    handle,
    metricsServer: metrics && createMetricsServer({ ...metrics, health }),
    ...firstImport,
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
      await Promise.all([rasterizer.close(), account.close(), closeResponses(responses, onError)]);
      await pictures?.close();
      await close();
      await stores.close();
    },
  };
}

function composeResponseCounts(
  { responses: history }: Stores,
  now: () => number,
  onError: (error: unknown, what: string) => void,
): ResponseCounts {
  const onFailure = (error: unknown) => onError(error, 'writing the counters of responses failed; trying again');
  return openResponseCounts({ history, now, onError: onFailure });
}

/** They are too little to keep the process from ending. */
async function closeResponses(
  responses: ResponseCounts,
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  await responses.close().catch((error: unknown) => onError(error, 'writing the counters of responses failed'));
}

function composeHealth(stores: Stores, catalog: Catalog, index: CatalogIndex): Health {
  const stored = Object.entries(stores.checks).map(([name, check]) => [name, bounded(check)] as const);
  return createHealth({
    ...Object.fromEntries(stored),
    catalog: async () => {
      if (!catalog.state())
        throw new Error('the catalog is empty: it is being imported, or run npm run catalog -- import');
    },
    search: async () => {
      if (!index.peek()?.generation) throw new Error('the index of search and brands is not built yet');
    },
  });
}

interface HttpParts {
  readonly env: Env;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics | undefined;
  readonly stores: Stores;
  readonly account: AccountParts;
  readonly counting: VisitorCounting;
  readonly catalog: Catalog;
  readonly index: CatalogIndex;
  readonly iconSets: GenerationIndex<IconSets>;
  readonly rasterizer: Rasterizer;
  readonly pictures: PictureStore | undefined;
  readonly health: Health;
  readonly brandFacts: BrandFacts;
  readonly now: () => number;
  readonly responses: ResponseCounts;
  readonly firstImport: Pick<FirstImport, 'isStarting' | 'importProgress'>;
}

function composeHttp(parts: HttpParts): Service['handle'] {
  const { env, log, metrics, stores, account, counting, catalog, index, health, brandFacts, now } = parts;
  const deployment = deploymentOf(env, account);
  const { origin, plans } = deployment;
  const metering = createMetering({ admissions: stores.admissions, plans });
  const compression = createCompression();
  const turns = createTurns();
  const images = composeImages(parts, compression);
  metrics?.gauge('mailbox_waiting', account.actors.waiting);
  const cookies = createBrowserCookies(origin);
  const fingerprint = hash('sha256', JSON.stringify([env.VERSION, origin, brandFacts]));
  const services: RouteServices = {
    ...account,
    deployment,
    findAccount: (id) => stores.accounts.find(id),
    now,
    cookies,
    metering,
    publishableKeys: composePublishableKeys(parts, metering, plans),
    counting,
    analytics: createAnalytics(stores),
    catalog,
    images,
    answerCodings: codingsPerAnswer(compression),
    taggedCodings: createTaggedCodings(compression),
    turns,
    search: createSearch({ index, turns }),
    iconify: createIconify({ sets: parts.iconSets, catalog, turns }),
    brands: createBrands({ index, catalog, turns }),
    health,
    // The index follows the catalog a moment later, and a withdrawal leaves `publishedAt` as it is.
    catalogVersion: () => {
      const { publishedAt = '', generation = 0 } = catalog.state() ?? {};
      return `${fingerprint} ${publishedAt} ${generation} ${index.peek()?.generation ?? 0}`;
    },
    previewLimits: createPreviewLimits(now),
  };
  const answer = createHttpApp({
    routes: allRoutes(deployment),
    services,
    startPage: parts.firstImport,
    notFoundPage: { html: dashboardPage('not-found', dashboardSettings(deployment)) },
    origin,
    responses: parts.responses,
    identify: createAuthentication({ sessions: account.sessions, cookies, origin: new URL(origin).origin }),
    log,
    trustedProxies: env.TRUST_PROXY,
    isDraining: health.isDraining,
    ...(metrics && { onAnswer: metrics.request }),
  }).callback();
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request could not be answered');
      response.destroy();
    });
  };
}

function composePublishableKeys(
  { account: { actors, rateLimits } }: HttpParts,
  metering: Metering,
  plans: Plans,
): PublishableKeys {
  return createPublishableKeys({
    actors: mapNotFound(() => new AppError('invalid_token'), actors),
    rateLimits,
    metering,
    plans,
  });
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
    securityContacts: env.SECURITY_CONTACT,
  };
}

function composeJobs({ jobSlots }: Stores, parts: JobParts, { log, metrics }: Pick<HttpParts, 'log' | 'metrics'>) {
  let schedule: Schedule | undefined;
  let ended: Promise<void> | undefined;
  return {
    start: (): void => {
      schedule ??= openSchedule({
        jobs: JOBS,
        slots: jobSlots,
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
    end: () => (ended ??= Promise.race([schedule?.close(), sleep(JOBS_END_LIMIT_MS, undefined, { ref: false })])),
  };
}
