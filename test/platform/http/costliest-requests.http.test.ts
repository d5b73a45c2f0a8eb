// The costliest request of each metered route: its cost in burst tokens, and the iterations of the event loop that it
// takes.
import { expect } from 'chai';
import { addressBurst } from '../../../src/metering/burst.js';
import { costOf, isMetered, type MeteredRoute } from '../../../src/platform/http/route.js';
import { pageKey, type PageKey } from '../../support/page-keys.js';
import { suiteServer } from '../../support/server.js';
import { nameOf, ROUTES } from '../../support/route-bench.js';

interface Costliest {
  /** URL of the request. `KEY` is replaced by the publishable key. */
  readonly path: string;
  readonly body?: object;
  /** Expected cost of the request, in burst tokens. */
  readonly cost: number;
  /**
   * Minimum number of iterations of the event loop over which the work is divided. In each iteration, the service also
   * handles other requests.
   */
  readonly turns: number;
  readonly status?: number;
}

const WORDS = Array.from({ length: 50 }, (_, at) => 'abcdefghij'[at % 10]).join('+');
const NAMES = Array.from({ length: 100 }, (_, at) => `n${at}`);
const LETTERS = 'ab cd ef gh ij kl mn op qr st uv wx yz '.repeat(3).slice(0, 100).trim().replaceAll(' ', '+');

/**
 * Route → its costliest request. Add every new metered route. The pictures are small, because this test does not
 * measure drawing: other processes draw, and a queue limits their work.
 */
const COSTLIEST: Readonly<Record<string, Costliest>> = {
  'GET /v1/svg/{slug}': { path: '/v1/svg/github?greyscale=1', cost: 1, turns: 0 },
  'GET /v1/png/{slug}': { path: '/v1/png/github?size=256', cost: 1, turns: 0 },
  'GET /v1/webp/{slug}': { path: '/v1/webp/github?size=256', cost: 1, turns: 0 },
  'GET /v1/logo/{domain}': { path: '/v1/logo/github.com?size=256', cost: 1, turns: 0 },
  'GET /v1/strip': { path: `/v1/strip?fallback=skip&icons=github,${NAMES.slice(1).join()}`, cost: 10, turns: 0 },
  'GET /v1/favicon/{name}/{file}': { path: '/v1/favicon/github/favicon.zip', cost: 3, turns: 0 },
  'GET /v1/catalog/{slug}': { path: '/v1/catalog/github', cost: 1, turns: 0 },
  'POST /v1/catalog/batch': {
    path: '/v1/catalog/batch',
    body: { slugs: NAMES.map((name, at) => (at % 2 === 0 ? 'github' : name)) },
    cost: 20,
    turns: 10,
  },
  'GET /v1/search': { path: `/v1/search?q=${LETTERS}&limit=100`, cost: 7, turns: 20 },
  'GET /v1/brand': { path: `/v1/brand?name=${LETTERS}`, cost: 5, turns: 20, status: 404 },
  'GET /iconify/{publishableKey}/{prefix}.json': {
    path: `/iconify/KEY/blazon.json?pretty=1&icons=github,${NAMES.slice(1).join()}`,
    cost: 10,
    turns: 2,
  },
  'GET /iconify/{publishableKey}/{prefix}/{name}.svg': { path: '/iconify/KEY/blazon/github.svg', cost: 1, turns: 0 },
  'GET /iconify/{publishableKey}/collections': { path: '/iconify/KEY/collections?pretty=1', cost: 2, turns: 1 },
  'GET /iconify/{publishableKey}/collection': {
    path: '/iconify/KEY/collection?prefix=blazon&pretty=1&info=1&chars=1',
    cost: 10,
    turns: 2,
  },
  'GET /iconify/{publishableKey}/last-modified': { path: '/iconify/KEY/last-modified?pretty=1', cost: 2, turns: 1 },
  'GET /iconify/{publishableKey}/version': { path: '/iconify/KEY/version', cost: 1, turns: 0 },
  'GET /iconify/{publishableKey}/search': {
    path: `/iconify/KEY/search?query=${WORDS}&limit=999&pretty=1`,
    cost: 29,
    turns: 100,
  },
  'GET /compat/{publishableKey}/clearbit/{domain}': { path: '/compat/KEY/clearbit/github.com', cost: 1, turns: 0 },
  'GET /compat/{publishableKey}/clearbit/v1/companies/suggest': {
    path: `/compat/KEY/clearbit/v1/companies/suggest?query=${LETTERS}`,
    cost: 3,
    turns: 20,
  },
  'GET /compat/{publishableKey}/clearbit/v1/domains/find': {
    path: `/compat/KEY/clearbit/v1/domains/find?name=${LETTERS}`,
    cost: 5,
    turns: 20,
    status: 404,
  },
  'GET /compat/{publishableKey}/logodev/{domain}': { path: '/compat/KEY/logodev/github.com', cost: 1, turns: 0 },
  'GET /compat/{publishableKey}/logodev/name/{name}': {
    path: `/compat/KEY/logodev/name/${LETTERS.replaceAll('+', '%20')}?fallback=404`,
    cost: 5,
    turns: 20,
    status: 404,
  },
  'GET /compat/{publishableKey}/brandfetch/v2/search/{name}': {
    // The query differs from the query of /v1/search above, because search results are cached.
    path: `/compat/KEY/brandfetch/v2/search/zz%20${LETTERS.slice(6).replaceAll('+', '%20')}`,
    cost: 3,
    turns: 15,
  },
  'GET /compat/{publishableKey}/brandfetch/{+path}': { path: '/compat/KEY/brandfetch/github.com', cost: 1, turns: 0 },
  'GET /compat/{publishableKey}/google/s2/favicons': {
    path: '/compat/KEY/google/s2/favicons?domain=github.com',
    cost: 1,
    turns: 0,
  },
  'GET /compat/{publishableKey}/google/faviconV2': {
    path: '/compat/KEY/google/faviconV2?url=https://github.com',
    cost: 1,
    turns: 0,
  },
  'GET /compat/{publishableKey}/bitwarden/{domain}/icon.png': {
    path: '/compat/KEY/bitwarden/github.com/icon.png',
    cost: 1,
    turns: 0,
  },
  'GET /compat/{publishableKey}/besticon/icon': {
    path: '/compat/KEY/besticon/icon?url=github.com&size=32',
    cost: 1,
    turns: 0,
  },
  'GET /compat/{publishableKey}/duckduckgo/ip3/{domain}.ico': {
    path: '/compat/KEY/duckduckgo/ip3/github.com.ico',
    cost: 3,
    turns: 0,
  },
  'GET /compat/{publishableKey}/skillicons/icons': {
    path: `/compat/KEY/skillicons/icons?icons=github,${NAMES.slice(1).join()}`,
    cost: 10,
    turns: 0,
  },
  'GET /compat/{publishableKey}/simpleicons/{slug}': { path: '/compat/KEY/simpleicons/github', cost: 1, turns: 0 },
  'GET /compat/{publishableKey}/simpleicons/{slug}/{color}': {
    path: '/compat/KEY/simpleicons/github/0cf',
    cost: 1,
    turns: 0,
  },
  'GET /compat/{publishableKey}/simpleicons/{slug}/{color}/{darkColor}': {
    path: '/compat/KEY/simpleicons/github/0cf/fff',
    cost: 1,
    turns: 0,
  },
  'GET /r/registry.json': { path: `/r/registry.json?q=${LETTERS}&offset=10000`, cost: 24, turns: 15 },
  'GET /r/{name}.json': { path: '/r/github.json', cost: 1, turns: 0 },
  'POST /mcp': {
    path: '/mcp',
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search_icons', arguments: { query: `yy ${LETTERS.slice(6).replaceAll('+', ' ')}`, limit: 50 } },
    },
    cost: 5,
    turns: 15,
  },
  'GET /iconify/{publishableKey}/keywords': { path: '/iconify/KEY/keywords?keyword=ab&pretty=1', cost: 3, turns: 2 },
};

/**
 * Starts to count the calls of `setImmediate`, which platform/concurrency/time-slices.ts makes between slices. The
 * returned function stops and returns the number.
 */
function countTurns(): () => number {
  const { setImmediate } = globalThis;
  let turns = 0;
  const counting = (...given: Parameters<typeof setImmediate>) => {
    if (new Error('caller').stack?.includes('/time-slices.js') === true) turns++;
    return setImmediate(...given);
  };
  globalThis.setImmediate = Object.assign(counting, setImmediate);
  return () => {
    globalThis.setImmediate = setImmediate;
    return turns;
  };
}

/** Burst limit of the tier `free`, requests per second. */
const BURST = 50;

describe('the costliest request', () => {
  const METERED = ROUTES.filter(isMetered);
  let nowMs = Date.now();
  const server = suiteServer({}, () => nowMs);
  before(async () => {
    // Sends some requests first: the first request of a kind takes long, because it draws pictures or builds icon sets.
    // In this time, burst tokens would refill.
    const { raw, apiKey } = await pageKey(server);
    for (const { path } of Object.values(COSTLIEST).filter(({ cost }) => cost === 1))
      expect(
        (await server.get(path.replace('KEY', raw), path.includes('KEY') ? undefined : apiKey)).status,
        path,
      ).to.equal(200);
    await fetch(`${server.base}/iconify/${raw}/search?query=a`);
  });

  it('is listed for every metered route', () => {
    expect(Object.keys(COSTLIEST)).to.have.members(METERED.map(nameOf));
  });

  for (const route of METERED) {
    describe(`of ${nameOf(route)}`, () => {
      const { path, body, cost, turns, status = 200 } = COSTLIEST[nameOf(route)] ?? { path: '', cost: 0, turns: 0 };
      /** A client address with a publishable key gets only a share of the burst. */
      const burst = path.includes('KEY') ? addressBurst(BURST) : BURST;
      let key: PageKey;
      beforeEach(async () => {
        nowMs += 10_000;
        key = await pageKey(server, { tier: 'free' });
      });
      const send = (method: string = route.method) =>
        fetch(server.base + path.replace('KEY', key.raw), {
          method,
          headers: {
            ...(!path.includes('KEY') && { 'X-API-Key': key.apiKey }),
            ...(body && { 'Content-Type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
      /** Returns how many more requests with a cost of one token are admitted. */
      async function left(): Promise<number> {
        const ask = () =>
          path.includes('KEY')
            ? fetch(`${server.base}/iconify/${key.raw}/version`, { method: 'HEAD' })
            : fetch(`${server.base}/v1/svg/github`, { method: 'HEAD', headers: { 'X-API-Key': key.apiKey } });
        const answers = await Promise.all(Array.from({ length: BURST }, ask));
        return answers.filter((answer) => answer.status === 200).length;
      }

      it('charges its cost to the burst, and leaves others their turns', async () => {
        const taken = countTurns();
        expect((await send()).status).to.equal(status);
        expect(taken()).to.be.at.least(turns);
        expect(await left()).to.equal(Math.max(0, burst - cost));
      });

      if (route.method === 'GET') {
        it('charges the same for HEAD, and counts nothing', async () => {
          expect((await send('HEAD')).status).to.be.oneOf([200, status]);
          expect(await left()).to.equal(Math.max(0, burst - cost));
          expect(new Set(Object.values(await server.used(key.apiKey)))).to.deep.equal(new Set([0]));
        });
      }

      it('has the cost that the route states', () => {
        const query = Object.fromEntries(new URL(path, 'http://x').searchParams) as Record<string, unknown>;
        if (typeof query.icons === 'string') query.icons = query.icons.split(',');
        if (query.limit !== undefined) query.limit = Number(query.limit);
        expect(costOf(route, { query, body } as unknown as Parameters<MeteredRoute['handle']>[0])).to.equal(cost);
      });
    });
  }
});
