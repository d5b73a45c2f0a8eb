// ETags: after a change, a URL must never return a new body with an old ETag, in any content coding.
import { expect } from 'chai';
import { drawingEtag } from '../../../src/catalog/drawing.js';
import type { Entry, Slug } from '../../../src/catalog/entry.js';
import { candidateOf, someEntry, someVariant, sourceOf } from '../../support/entries.js';
import { beginImport, each } from '../../support/catalog-imports.js';
import { startServer, type TestServer } from '../../support/server.js';
import { pageKey, type PageKey } from '../../support/page-keys.js';
import { ROUTES, nameOf } from '../../support/route-bench.js';

/** Returns a drawing that is long enough to be compressed in all responses. */
const drawing = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${Array.from({ length: 90 }, (_, at) => `<path fill="${fill}" d="M${at % 20} ${at % 7}h4v9z"/>`).join('')}</svg>`;

const ICONIFY = [
  ...['blazon.json?icons=zquaxo,old-zquaxo', 'blazon/zquaxo.svg', 'collections', 'collection?prefix=blazon&info=true'],
  ...['last-modified', 'version', 'search?query=zquaxo', 'search?query=zquaxo.com', 'search?query=databases'],
  'keywords?prefix=zqu',
];
const COMPAT = [
  ...['clearbit/zquaxo.com', 'logodev/zquaxo.com', 'logodev/name/Zquaxo', 'brandfetch/zquaxo.com/icon.png'],
  ...['google/s2/favicons?domain=zquaxo.com', 'google/faviconV2?url=http://zquaxo.com&size=32'],
  ...['bitwarden/zquaxo.com/icon.png', 'besticon/icon?url=zquaxo.com&size=32', 'duckduckgo/ip3/zquaxo.com.ico'],
];
const TEXTS = (key: string): readonly string[] => [
  ...[
    '/v1/svg/zquaxo',
    '/dashboard/svg/zquaxo',
    '/v1/logo/zquaxo.com?format=svg',
    '/dashboard/logo/zquaxo.com?format=svg',
  ],
  ...['/v1/strip?icons=zquaxo&titles=1', '/dashboard/strip?icons=zquaxo&titles=1'],
  ...['icon.svg', 'manifest.webmanifest', 'head.html'].map((file) => `/v1/favicon/zquaxo/${file}`),
  ...['/dashboard/favicon/zquaxo/icon.svg', '/v1/catalog/zquaxo', '/dashboard/catalog/zquaxo', '/v1/brands/zquaxo'],
  ...['/v1/search?q=zquaxo', '/v1/search?q=zquaxo.com', '/dashboard/search?q=zquaxo'],
  ...['/v1/brand?domain=zquaxo.com', '/v1/brand?name=Zquaxo', '/r/registry.json?q=zquaxo'],
  ...['react', 'vue', 'svelte'].map((framework) => `/r/zquaxo.json?framework=${framework}`),
  ...['/licenses', '/openapi.json', '/llms.txt'],
  ...ICONIFY.map((path) => `/iconify/${key}/${path}`),
  ...['clearbit/v1/companies/suggest?query=zquaxo', 'brandfetch/v2/search/zquaxo', 'skillicons/icons?i=zquaxo'].map(
    (path) => `/compat/${key}/${path}`,
  ),
  ...['', '/red', '/red/blue'].map((colors) => `/compat/${key}/simpleicons/zquaxo${colors}`),
];
const PIXELS = (key: string): readonly string[] => [
  ...['png', 'webp'].flatMap((format) => [`/v1/${format}/zquaxo?size=32`, `/dashboard/${format}/zquaxo?size=32`]),
  ...['favicon.ico', 'icon-192.png', 'favicon.zip'].map((file) => `/v1/favicon/zquaxo/${file}`),
  ...COMPAT.map((path) => `/compat/${key}/${path}`),
];

/** Returns true for routes whose responses depend only on the build or the configuration. */
const isPage = (name: string): boolean =>
  /^GET \/(?:[a-z-]*|docs|docs\/\{file\}|docs\/guides(?:\/.*)?|assets\/\{file\}|catalog\/\{slug\}|favicon\.ico)$/.test(
    name,
  );

describe('entity tags', () => {
  let server: TestServer;
  let key: PageKey;
  /** URL and ETag → first body with this ETag. */
  const seen = new Map<string, string>();
  before(async () => {
    server = await startServer({}, Date.now, 'none');
    key = await pageKey(server);
  });
  after(() => server.close());

  const LINK = 'https://zquaxo.com/brand';
  /** License with a text that is long enough to be compressed. */
  const APACHE = { type: 'Apache-2.0', url: null, redistributable: true };
  const BASE: Partial<Entry> = {
    ...{ title: 'Zquaxo', categories: ['database'], domain: 'zquaxo.com', domains: ['zquaxo.com'], license: APACHE },
  };

  async function publish(facts: Partial<Entry>, fill: string): Promise<void> {
    const svg = drawing(fill);
    const variants = [someVariant({ etag: drawingEtag(svg), colors: [fill], on: ['light', 'dark'] })] as const;
    const session = await beginImport(server.stores.catalog);
    const source = sourceOf('package:tests');
    await session.putDrawings([{ etag: variants[0].etag, svg }]);
    await session.putSource(source);
    await session.putCandidates(source.id, [candidateOf('zquaxo', { variants })]);
    // All versions of the entry have the same `updatedAt`, so that only the changed field can change an ETag.
    const entry = someEntry('zquaxo', { ...BASE, ...facts, variants });
    await session.publish(
      { entries: each([entry]), redirects: [['old-zquaxo' as Slug, 'zquaxo' as Slug]] },
      new Date(),
    );
    await session.close();
    await server.service.refreshCatalog();
  }

  /** Requests every URL with and without compression. Fails if a different body has an ETag that was used before. */
  async function check(change: string, paths = TEXTS(key.raw)): Promise<void> {
    await Promise.all(paths.map((path) => checkPath(path, change)));
  }

  const everything = () => [...TEXTS(key.raw), ...PIXELS(key.raw)];

  async function checkPath(path: string, change: string): Promise<void> {
    const credentials = /^\/(?:v1|r)\//.test(path) ? { 'X-API-Key': key.apiKey } : { 'Sec-Fetch-Site': 'same-origin' };
    const bodies = new Set<string>();
    for (const coding of ['identity', 'gzip']) {
      const response = await fetch(server.base + path, { headers: { ...credentials, 'Accept-Encoding': coding } });
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      const tag = response.headers.get('etag');
      if (response.status !== 200 || tag === null) continue;
      bodies.add(body);
      const known = seen.get(`${path} ${tag}`);
      expect(known === undefined || known === body, `${path} has an old tag after a change of ${change}`).to.equal(
        true,
      );
      seen.set(`${path} ${tag}`, body);
    }
    expect(bodies.size, `${path} differs by coding after a change of ${change}`).to.be.at.most(1);
  }

  it('are tested for every route that has them', () => {
    const tagged = ROUTES.filter((route) => route.responses[304] !== undefined && !isPage(nameOf(route)));
    const paths = [...TEXTS('{publishableKey}'), ...PIXELS('{publishableKey}')].map((path) => path.split('?')[0] ?? '');
    for (const route of tagged) {
      const pattern = route.path
        .split('/')
        .map((part) =>
          part
            .replace(/\{\+\w+\}/, '.+')
            .replace(/\{(?!publishableKey)\w+\}/g, '[^/]+')
            .replaceAll('{publishableKey}', '\\{publishableKey\\}'),
        )
        .join('/');
      expect(
        paths.some((path) => new RegExp(`^${pattern}$`).test(path)),
        nameOf(route),
      ).to.equal(true);
    }
  });

  it('change with the catalog', async () => {
    await publish({}, '#123456');
    await check('nothing', everything());
    const changes: Readonly<Record<string, Partial<Entry>>> = {
      title: { title: 'Zquaxo Two' },
      aliases: { aliases: ['zq'] },
      categories: { categories: ['cloud', 'database'] },
      hex: { hex: '#ABCDEF' },
      domains: { domains: ['zquaxo.com', 'zquaxo.org'] },
      website: { website: 'https://zquaxo.com/' },
      source: { source: LINK },
      guidelines: { guidelines: LINK },
      license: { license: { type: 'MIT', url: null, redistributable: true } },
      'license.url': { license: { ...APACHE, url: LINK } },
      redistributable: { license: { ...APACHE, redistributable: false } },
      provenance: { provenance: [{ package: 'tests', version: '2.0.0' }] },
    };
    for (const [change, facts] of Object.entries(changes)) {
      await publish(facts, '#123456');
      await check(change, change === 'hex' ? everything() : undefined);
    }
    await publish({}, '#654321');
    await check('drawing', everything());
    expect([...seen.keys()].filter((name) => name.includes('-gz"')).length).to.be.at.least(50);
  });

  it('change with own brands', async () => {
    const put = (method: string, path: string, type: string, body: string) =>
      fetch(`${server.base}/v1/brands/${path}`, {
        method,
        headers: { 'X-API-Key': key.apiKey, 'Content-Type': type },
        body,
      });
    const facts = { title: 'Zquaxo', domains: ['zquaxo.com'], categories: ['database'] };
    expect((await put('PUT', 'zquaxo', 'application/json', JSON.stringify(facts))).status).to.equal(201);
    const draw = async (fill: string) =>
      expect((await put('PUT', 'zquaxo/variants/default', 'image/svg+xml', drawing(fill))).ok).to.equal(true);
    await draw('#112233');
    await check('own', everything());
    for (const change of [
      ...[{ title: 'Zquaxo Two' }, { hex: '#ABCDEF' }, { aliases: ['zq'] }, { categories: ['cloud'] }],
      ...[
        { domains: ['zquaxo.com', 'nas.local'] },
        { guidelines: LINK },
        { links: { website: LINK } },
        { links: { source: LINK } },
      ],
    ]) {
      expect((await put('PATCH', 'zquaxo', 'application/merge-patch+json', JSON.stringify(change))).status).to.equal(
        200,
      );
      await check(JSON.stringify(change));
    }
    await draw('#332211');
    await check('own drawing', everything());
  });

  it('of one account are no answer to another: redirects are cached as long as its own brands allow', async () => {
    const lifetimes = async (caller: string) => {
      const cached = new Set<string | null>();
      for (let times = 0; times < 4; times++) {
        const response = await server.get('/v1/svg/old-zquaxo?size=32', caller);
        expect(response.status).to.equal(308);
        cached.add(response.headers.get('cache-control'));
      }
      return [...cached];
    };
    const stranger = await server.key();
    expect(await lifetimes(stranger)).to.deep.equal(['private, max-age=300']);
    expect(await lifetimes(key.apiKey)).to.deep.equal(['private, no-cache']);
    expect(await lifetimes(stranger)).to.deep.equal(['private, max-age=300']);
  });
});
