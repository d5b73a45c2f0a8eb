// Queries that are a host, a URL or an e-mail address, in every route that searches or accepts the name of a brand.
import { expect } from 'chai';
import { pageKey, type PageKey } from '../support/page-keys.js';
import { suiteServer } from '../support/server.js';
import { expectError } from '../support/expect-error.js';

/** Searches with one of the routes. Returns the slugs of the results. */
type Search = (q: string) => Promise<readonly string[]>;

describe('a search for a host', () => {
  const server = suiteServer();
  let key: PageKey;
  before(async () => (key = await pageKey(server)));

  const json = async <Body>(path: string): Promise<Body> => {
    // Paths under /compat and /iconify contain the publishable key and need no other key.
    const response = await server.get(path, path.includes(key.raw) ? undefined : key.apiKey);
    expect(response.status, path).to.equal(200);
    return (await response.json()) as Body;
  };
  const search: Search = async (q) => {
    const { results } = await json<{ results: { slug: string }[] }>(`/v1/search?q=${encodeURIComponent(q)}`);
    return results.map(({ slug }) => slug);
  };

  const SEARCHES: Readonly<Record<string, Search>> = {
    'GET /v1/search': search,
    'GET /dashboard/search': async (q) => {
      const response = await fetch(`${server.base}/dashboard/search?q=${encodeURIComponent(q)}`, {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      });
      const { results } = (await response.json()) as { results: { slug: string }[] };
      return results.map(({ slug }) => slug);
    },
    'GET /r/registry.json': async (q) => {
      const { items } = await json<{ items: { name: string }[] }>(`/r/registry.json?q=${encodeURIComponent(q)}`);
      return items.map(({ name }) => name);
    },
    'GET /iconify/…/search': async (q) => {
      const { icons } = await json<{ icons: string[] }>(`/iconify/${key.raw}/search?query=${encodeURIComponent(q)}`);
      return icons.map((icon) => icon.replace(/^blazon:/, ''));
    },
    'GET /compat/…/clearbit/v1/companies/suggest': async (q) => {
      const path = `/compat/${key.raw}/clearbit/v1/companies/suggest?query=${encodeURIComponent(q)}`;
      return (await json<{ name: string }[]>(path)).map(({ name }) => name.toLowerCase());
    },
    'GET /compat/…/brandfetch/v2/search/…': async (q) => {
      const path = `/compat/${key.raw}/brandfetch/v2/search/${encodeURIComponent(q)}`;
      return (await json<{ brandId: string }[]>(path)).map(({ brandId }) => brandId);
    },
    'search_icons of POST /mcp': async (q) => {
      const params = { name: 'search_icons', arguments: { query: q } };
      const response = await fetch(`${server.base}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key.apiKey },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const { result } = (await response.json()) as {
        result: { structuredContent: { results: { slug: string }[] } };
      };
      return result.structuredContent.results.map(({ slug }) => slug);
    },
  };

  for (const [route, find] of Object.entries(SEARCHES)) {
    it(`finds the brand of the domain, by ${route}`, async () => {
      for (const q of ['github.com', 'https://www.github.com/features?x=1', 'docs.github.com', 'ada@github.com'])
        expect((await find(q))[0], q).to.equal('github');
    });

    it(`finds nothing for an unknown host, by ${route}`, async () => {
      for (const q of ['walmart.com', 'https://www.walmart.com/shop', 'ada@walmart.com', 'redis-python.com'])
        expect(await find(q), q).to.deep.equal([]);
    });

    it(`finds a brand with a dot in its name, by ${route}`, async () => {
      expect((await find('node.js'))[0]).to.match(/^nodejs$|^node\.js$/);
    });
  }

  it('names the domain by which it was found', async () => {
    const matchOf = async (q: string) => {
      const path = `/v1/search?q=${encodeURIComponent(q)}`;
      return (await json<{ total: number; results: { match: object }[] }>(path)).results[0]?.match;
    };
    const match = { field: 'domain', value: 'github.com', ranges: [[0, 10]] };
    expect(await matchOf('https://docs.github.com/en')).to.deep.equal(match);
    expect(await matchOf('github.com')).to.deep.equal(match);
  });

  it('keeps filters and pages', async () => {
    const page = await json<{ total: number; nextCursor: string | null }>('/v1/search?q=github.com&limit=1');
    expect(page.total).to.equal(1);
    expect(page.nextCursor).to.equal(null);
    expect(await json('/v1/search?q=github.com&variant=no-such-variant')).to.include({ total: 0 });
  });

  it("finds the account's own brand by any host of a private network", async () => {
    const put = (path: string, type: string, body: string) =>
      fetch(`${server.base}/v1/brands/${path}`, {
        method: 'PUT',
        headers: { 'X-API-Key': key.apiKey, 'Content-Type': type },
        body,
      });
    const domains = ['nas.local', '10.0.0.7', 'jira', 'intranet.corp', 'walmart.com'];
    await put('zquaxo', 'application/json', JSON.stringify({ title: 'Zquaxo', domains }));
    const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
    await put('zquaxo/variants/default', 'image/svg+xml', square);
    const hosts = ['nas.local', 'http://10.0.0.7:8080/', '10.0.0.7', 'http://jira/x', 'https://a.intranet.corp/'];
    for (const q of [...hosts, 'https://walmart.com']) expect(await search(q), q).to.deep.equal(['zquaxo']);
    expect(await search('http://other.local/')).to.deep.equal([]);
    const strip = await server.get('/v1/strip?icons=nas.local,jira&titles=1', key.apiKey);
    expect((await strip.text()).match(/<title>Zquaxo</g)).to.have.length(2);
  });
});

describe('a strip of domains', () => {
  const server = suiteServer();
  let key: string;
  before(async () => (key = await server.key()));
  const get = (query: string) => server.get(`/v1/strip?titles=1&${query}`, key);
  const titles = async (query: string) =>
    [...(await (await get(query)).text()).matchAll(/<title>([^<]*)</g)].map(([, title]) => title);

  it('shows the brand of each domain, in the order of the request', async () => {
    expect(await titles('icons=github.com,docker,WWW.Netflix.com,docs.github.com')).to.deep.equal([
      ...['GitHub', 'Docker', 'Netflix', 'GitHub'],
    ]);
  });

  it('follows `fallback` for a domain that no brand has, alone or beside others', async () => {
    for (const icons of ['walmart.com', 'github.com,walmart.com,docker']) {
      const { message } = await expectError(await get(`icons=${icons}`), 404, 'not_found');
      expect(message).to.include('"walmart.com"').and.to.include('fallback=monogram');
    }
    expect(await titles('icons=github.com,walmart.com,docker&fallback=skip')).to.deep.equal(['GitHub', 'Docker']);
    expect(await titles('icons=github.com,walmart.com&fallback=monogram')).to.deep.equal(['GitHub', 'walmart.com']);
  });

  it('draws the monogram of a domain like GET /v1/logo: the letter of its name', async () => {
    const strip = await (await get('icons=walmart.com&fallback=monogram&theme=light')).text();
    const logo = await (await server.get('/v1/logo/walmart.com?format=svg&fallback=monogram', key)).text();
    const [path] = / d="[^"]*"/.exec(logo) ?? [];
    expect(strip).to.include(path);
    expect(strip.match(/ d="/g)).to.have.length(1);
  });
});
