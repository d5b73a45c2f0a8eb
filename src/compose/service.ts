// The only file that knows both the core and the adapters: opens what is needed, in order, and closes it in reverse.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig, type CatalogConfig } from '../../config/catalog.js';
import type { Env } from '../../config/env.js';
import { readPlans } from '../../config/plans.js';
import { createEmbeddedQuotaAdmissions } from '../adapters/embedded/accounts/quota-admissions.js';
import { createEmbeddedCatalogStore } from '../adapters/embedded/catalog/catalog-store.js';
import { createEmbeddedJobSlots } from '../adapters/embedded/job-slots.js';
import { createWriteProbe } from '../adapters/embedded/sqlite/write-probe.js';
import { removeUnfinishedMails } from '../adapters/mail/mailer.js';
import { openRasterizer } from '../adapters/workers/rasterizer.js';
import { openSanitizer } from '../adapters/workers/sanitizer.js';
import { openIconifyPackage, openIconifySets, type IconifyOptions } from '../adapters/icon-sources/iconify.js';
import { openSimpleIcons } from '../adapters/icon-sources/simple-icons.js';
import { openSvgFolder, type SvgFolderOptions } from '../adapters/icon-sources/svg-folder.js';
import { openThesvg } from '../adapters/icon-sources/thesvg.js';
import { composeAccounts } from './accounts.js';
import { openServiceDatabase, openSharedDatabase, orDamaged } from './embedded-database.js';
import { createHttpApp } from '../http/app.js';
import { createBrowserCookies } from '../http/auth/cookies.js';
import { createAuthentication } from '../http/auth/authentication.js';
import { allRoutes } from '../http/routes/index.js';
import { JOBS } from '../jobs/index.js';
import { openSchedule, type Schedule } from '../jobs/scheduler.js';
import type { IconSource } from '../ports/catalog-sources.js';
import type { CatalogStore } from '../ports/catalog-store.js';
import { createBrands } from '../services/brands.js';
import {
  importCatalog,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
} from '../services/catalog/import-catalog.js';
import { openCatalogIndex } from '../services/catalog/indexes.js';
import { openCatalog } from '../services/catalog/catalog.js';
import { createCatalogListing, type CatalogListing } from '../services/catalog/catalog-listing.js';
import { createWithdrawals, type Withdrawals } from '../services/catalog/withdrawals.js';
import { bounded, createHealth } from '../services/health.js';
import { createImages } from '../services/images/images.js';
import { createMetering } from '../services/metering.js';
import { createSearch } from '../services/search.js';

/** Raise it when the same request would give other bytes than before. */
const RENDERER_VERSION = '3';
const MEGABYTE = 1024 * 1024;
/** A turn that takes longer to end is left to whoever takes it over: the process is to be gone within 10 s. */
const JOBS_END_LIMIT_MS = 3000;

export interface Service {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  catalogIsEmpty(): boolean;
  /** Takes up what another process imported, at once. */
  refreshCatalog(): Promise<void>;
  /** From now on this process takes its turns at the jobs. */
  startJobs(): void;
  /** From now on not ready; what is in flight goes on. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Opens everything; `now` in ms since the epoch. The catalog may be empty: another process fills it, then
 * `refreshCatalog`. Throws ConfigError when the folder is taken.
 */
export async function compose(env: Env, log: Logger, now: () => number = Date.now): Promise<Service> {
  const plans = readPlans();
  const brandFacts = readBrandFacts();
  const { db, close: closeDatabase } = openServiceDatabase(env.DATA_DIR);

  removeUnfinishedMails(env.DATA_DIR);
  const store = createEmbeddedCatalogStore(db);
  const onError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const catalog = await openCatalog({ store, onPollError: onError });
  // The index follows what the catalog service has noticed, so that both speak of the same generation.
  const followed = { state: async () => catalog.state(), entries: () => store.entries() };
  const index = openCatalogIndex({ catalog: followed, brandFacts, now: () => performance.now(), onError });
  // A part of a large file that the check at start left out, or bytes that it does not look at.
  await orDamaged(env.DATA_DIR, () => index.current());
  catalog.onGeneration(() => void index.refresh().catch(onError));
  const rasterizer = openRasterizer({
    worker: new URL('../../workers/raster/thread.js', import.meta.url),
    // One more, which cheap pictures find free while dear ones have all others.
    processes: env.RENDER_THREADS + 1,
    timeoutMs: env.RENDER_TIMEOUT_MS,
    onLoss: (reason) => log.warn({ reason }, 'drawing failed; the next picture has a new thread or process'),
  });
  const origin = env.PUBLIC_URL.replace(/\/$/, '');
  const deployment = hash('sha256', JSON.stringify([env.VERSION, origin, brandFacts]));
  const counting = createMetering({ admissions: createEmbeddedQuotaAdmissions({ db, plans, now }), plans });
  const probe = createWriteProbe(db, env.DATA_DIR, now);
  const fitness = createHealth({
    database: bounded(probe.database),
    disk: bounded(probe.disk),
    catalog: () =>
      catalog.state()
        ? Promise.resolve()
        : Promise.reject(new Error('the catalog is empty: it is being imported, or run npm run catalog -- import')),
    search: () =>
      index.peek()?.generation
        ? Promise.resolve()
        : Promise.reject(new Error('the index of search and brands is not built yet')),
  });

  const accountParts = composeAccounts({
    env,
    db,
    now,
    onError: (error, what) => log.warn({ err: error }, what),
    onHashLoss: (reason) => log.warn({ reason }, 'hashing failed; the next password has a new process'),
  });
  const cookies = createBrowserCookies(origin);
  const routes = allRoutes({
    ...accountParts,
    cookies,
    metering: counting,
    catalog,
    images: createImages({
      catalog,
      rasterizer,
      cacheBytes: env.RENDER_CACHE_MB * MEGABYTE,
      maxQueue: env.RENDER_QUEUE,
      rendererVersion: RENDERER_VERSION,
    }),
    search: createSearch({ index }),
    brands: createBrands({ index, catalog }),
    health: fitness,
    catalogVersion: () => `${deployment} ${catalog.state()?.publishedAt ?? ''} ${index.peek()?.generation ?? 0}`,
    origin,
    version: env.VERSION,
  });
  let schedule: Schedule | undefined;
  let jobsEnd: Promise<void> | undefined;
  const endJobs = () =>
    (jobsEnd ??= Promise.race([schedule?.close(), sleep(JOBS_END_LIMIT_MS, undefined, { ref: false })]));
  const identify = createAuthentication({ sessions: accountParts.sessions, cookies, origin: new URL(origin).origin });
  const answer = createHttpApp({
    routes,
    metering: counting,
    identify,
    log,
    trustedProxies: env.TRUST_PROXY,
    isDraining: fitness.isDraining,
  }).callback();

  return {
    handle(request, response) {
      answer(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'a request could not be answered');
        response.destroy();
      });
    },
    catalogIsEmpty: () => catalog.state() === undefined,
    async refreshCatalog() {
      await catalog.refresh();
      await index.refresh();
    },
    startJobs() {
      schedule ??= openSchedule({
        jobs: JOBS,
        slots: createEmbeddedJobSlots(db, now),
        parts: { ...accountParts, now },
        onDone: ({ name }, done) => log.debug({ job: name, done }, 'a job is done'),
        onFailure: (error, what) => log.error({ err: error }, what),
      });
    },
    drain() {
      fitness.drain();
      // While requests are still being answered, since both have a limit.
      void endJobs();
    },
    async close() {
      await endJobs();
      await Promise.all([rasterizer.close(), accountParts.close()]);
      await index.close();
      catalog.close();
      closeDatabase();
    },
  };
}

const PACKAGES: Readonly<Record<CatalogConfig['packages'][number], () => Promise<IconSource>>> = {
  'simple-icons': openSimpleIcons,
  '@thesvg/icons': openThesvg,
  '@iconify-json/logos': () => openIconifyPackage('@iconify-json/logos', { kind: 'brands' }),
};

export interface CatalogTools {
  readonly store: CatalogStore;
  readonly listing: CatalogListing;
  readonly withdrawals: Withdrawals;
  /** The packages named, or those of config/catalog.json. */
  importPackages(
    onProgress: (progress: ImportProgress) => void,
    names?: readonly CatalogConfig['packages'][number][],
  ): Promise<ImportSummary>;
  importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
  ): Promise<ImportSummary>;
  /** The Iconify sets in a file or folder, for `importSources`. */
  openIconify(path: string, options: IconifyOptions): ImportOptions['sources'];
  openFolder(options: SvgFolderOptions): Promise<IconSource>;
  close(): void;
}

/** The catalog alone; may be used beside a running service. */
export function openCatalogTools(dataDir: string): CatalogTools {
  const policy = { ...readCatalogConfig(), hosts: readBrandFacts().hosts };
  const db = openSharedDatabase(dataDir);
  const store = createEmbeddedCatalogStore(db);
  const withdrawals = createWithdrawals({ store, now: Date.now });

  async function importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
  ): Promise<ImportSummary> {
    const sanitizer = openSanitizer();
    try {
      return await importCatalog({ sources, store, sanitizer, policy, onProgress });
    } finally {
      await sanitizer.close();
    }
  }

  return {
    store,
    listing: createCatalogListing({ store, withdrawals }),
    withdrawals,
    importSources,
    async importPackages(onProgress, names = policy.packages) {
      return importSources(onProgress, await Promise.all(names.map((name) => PACKAGES[name]())));
    },
    openIconify: openIconifySets,
    openFolder: openSvgFolder,
    close: () => db.close(),
  };
}
