// Responses that need many reads from a slow catalog: the reads run concurrently and share one time limit.
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { buildIconSet } from '../../src/iconify/icon-set.js';
import { finish, createTurns } from '../../src/platform/concurrency/time-slices.js';
import { AppError } from '../../src/platform/errors.js';
import { beginReadLimit, READ_LIMIT_MS } from '../../src/platform/http/read-limit.js';
import type { ConditionalReply } from '../../src/platform/http/response/reply.js';
import { brandRoute } from '../../src/brands/brand.routes.js';
import { catalogRoutes } from '../../src/catalog/catalog.routes.js';
import { iconRoutes } from '../../src/iconify/icons.routes.js';
import { collectionRoutes } from '../../src/iconify/collections.routes.js';
import { iconSearchRoutes } from '../../src/iconify/search.routes.js';
import { isMetered, type Route } from '../../src/platform/http/route.js';
import type { Services } from '../../src/platform/services.js';
import { publicCatalog, type AccountCatalog } from '../../src/catalog/account-catalogs.js';
import { createBrands } from '../../src/brands/brands.js';
import { createIconify } from '../../src/iconify/iconify.js';
import { someEntry } from '../support/entries.js';
import { someClient } from '../support/pictures.js';
import { stoppedTimers, type StoppedTimers } from '../support/stopped-timers.js';

/** As many names as one request may contain. */
const NAMES = Array.from({ length: 100 }, (_, at) => `n${at}`);
const BOX = { width: 24, height: 24 };
const codings = { known: () => undefined, encode: () => Promise.resolve(undefined) };

describe('an answer from a slow catalog', () => {
  let timers: StoppedTimers;
  let slowMs: number;
  const routes: readonly Route[] = [
    ...catalogRoutes,
    brandRoute,
    ...iconRoutes,
    ...collectionRoutes,
    ...iconSearchRoutes,
  ];
  let services: Services;
  let callerCatalog: AccountCatalog;
  let isBuilt: boolean;
  beforeEach(() => {
    timers = stoppedTimers();
    isBuilt = true;
    const catalog = {
      find: (slug: Slug) => timers.resolved(slowMs, { kind: 'entry', entry: someEntry(slug) }),
      peek: () => undefined,
      drawing: () => timers.resolved(slowMs, '<path/>'),
    };
    callerCatalog = publicCatalog(catalog as never);
    const turns = createTurns();
    const set = finish(buildIconSet(material()));
    const sets = {
      generation: 1,
      version: '1',
      sets: new Map([['set', set]]),
      keywords: () => Promise.reject(new Error('not asked for')),
    };
    const owner = () => ({ slug: 'n0', match: 'domain', alternatives: NAMES.slice(1, 6) });
    const indexes = { generation: 1, search: {}, brands: { owner } };
    services = {
      ...{ catalog, turns, answerCodings: codings, taggedCodings: () => codings },
      deployment: { origin: 'https://x', version: '1' },
      iconify: createIconify({ sets: indexOf(sets), catalog, turns, cacheBytes: 2 ** 24 } as never),
      brands: createBrands({ index: indexOf(indexes), catalog, turns } as never),
      catalogVersion: () => '1',
    } as never;
  });

  const indexOf = (value: object) => ({ peek: () => (isBuilt ? value : undefined), current: async () => value });

  function material() {
    const icons = NAMES.map((name, at) => {
      const source = { etag: name, isDocument: false, hasBox: false };
      return { name, at, props: {}, source };
    });
    return { prefix: 'set', facts: { box: BOX }, icons, aliases: [], categories: new Map(), chars: new Map() } as never;
  }

  /**
   * Starts the request. The returned function returns the body or error code, or undefined until there is a response.
   */
  async function begin(path: string, call: object): Promise<() => string | undefined> {
    const route = routes.find((one) => one.path === path);
    const { make } = (await route!.handle(
      { params: {}, query: {}, body: {}, catalog: callerCatalog, ...call } as never,
      services,
    )) as ConditionalReply;
    let outcome: string | undefined;
    Promise.resolve(make({ ...someClient(), inTime: beginReadLimit(timers).within })).then(
      ({ body }) => (outcome = String(body)),
      (error: unknown) => (outcome = error instanceof AppError ? error.code : String(error)),
    );
    // Waits until the reads have started. Each iteration of the event loop starts some of them.
    for (let turns = 0; turns < 10; turns++) await timers.advance(0);
    return () => outcome;
  }

  it("starts its time limit after Iconify's sets are built", async () => {
    isBuilt = false;
    for (const route of routes.filter(({ path }) => path.startsWith('/iconify/')))
      expect(isMetered(route) && route.build?.(services), route.path).to.be.an.instanceOf(Promise);
  });

  for (const [what, path, call, last] of [
    ['a batch', '/v1/catalog/batch', { body: { slugs: NAMES } }, '"n99"'],
    ['a brand', '/v1/brand', { query: { domain: 'example.com' } }, '"n5"'],
    [
      'icons',
      '/iconify/{publishableKey}/{prefix}.json',
      { params: { prefix: 'set' }, query: { icons: NAMES } },
      '"n99"',
    ],
    ['an icon', '/iconify/{publishableKey}/{prefix}/{name}.svg', { params: { prefix: 'set', name: 'n1' } }, '<path/>'],
  ] as const) {
    it(`waits for all reads concurrently: ${what}`, async () => {
      slowMs = READ_LIMIT_MS - 1;
      const answer = await begin(path, call);
      await timers.advance(slowMs);
      for (let turns = 0; turns < 10; turns++) await timers.advance(0);
      expect(answer()).to.include(last);
    });

    it(`is 503 when the reads take longer: ${what}`, async () => {
      slowMs = READ_LIMIT_MS + 1;
      const answer = await begin(path, call);
      await timers.advance(READ_LIMIT_MS - 1);
      expect(answer()).to.equal(undefined);
      await timers.advance(1);
      expect(answer()).to.equal('unavailable');
    });
  }
});
