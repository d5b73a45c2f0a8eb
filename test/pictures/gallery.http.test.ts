// The picture routes of the dashboard return the same bytes as /v1. They respond only to pages of this service, limit
// the requests of each client, and do not count usage.
import { expect } from 'chai';
import { from } from '../support/auth.js';
import { PUBLIC_ORIGIN, suiteServer, type Customer } from '../support/server.js';
import { expectError } from '../support/expect-error.js';

const OWN = { 'Sec-Fetch-Site': 'same-origin' };

describe('the catalog for pages of this service', () => {
  let customer: Customer;
  /** The service's clock, ms since the epoch. */
  let nowMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => nowMs);
  before(async () => {
    customer = await server.customer('free');
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    server.get(path, undefined, { ...OWN, ...from('192.0.2.1'), ...headers });
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('has the bytes, tags and redirects of the API', async () => {
    for (const path of [
      'svg/github?color=brand&size=64',
      'png/github?size=32&background=fff',
      'webp/github?size=32&quality=80',
      'catalog/github',
      'logo/gist.github.com?format=svg&size=64',
      'strip?icons=github,stripe&tile=circle',
      'favicon/github/favicon.zip?background=fff',
      'favicon/github.com/icon.svg',
      'logo/unknown-of-all.example.com?format=svg&fallback=monogram',
    ]) {
      const api = await server.get(`/v1/${path}`, customer.apiKey);
      const preview = await get(`/dashboard/${path}`);
      expect(preview.status, path).to.equal(200);
      expect((await bytes(preview)).equals(await bytes(api)), path).to.equal(true);
      expect(preview.headers.get('etag')).to.equal(api.headers.get('etag'));
      expect((await get(`/dashboard/${path}`, { 'If-None-Match': preview.headers.get('etag')! })).status).to.equal(304);
    }
    const moved = await get('/dashboard/svg/github?v=000000000000');
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([308, '/dashboard/svg/github']);
    await expectError(await get('/dashboard/strip?icons=github&format=png'), 400, 'invalid_request');
    const alias = await get('/dashboard/favicon/k8s/icon.svg?on=dark');
    expect([alias.status, alias.headers.get('location')]).to.deep.equal([
      308,
      '/dashboard/favicon/kubernetes/icon.svg?on=dark',
    ]);
  });

  it('compares tags only, because another account may see another picture of the same date', async () => {
    for (const path of ['svg/github', 'png/github?size=16', 'logo/github.com?format=svg', 'favicon/github/icon.svg']) {
      const { headers } = await server.get(`/v1/${path}`, customer.apiKey);
      const since = { 'If-Modified-Since': headers.get('last-modified')! };
      expect((await server.get(`/v1/${path}`, customer.apiKey, since)).status, path).to.equal(304);
      expect((await get(`/dashboard/${path}`, since)).status, path).to.equal(200);
      const vary = (await get(`/dashboard/${path}`)).headers.get('vary');
      expect(vary, path).to.equal('Sec-Fetch-Site, Accept-Encoding');
    }
  });

  it('lists all entries without a query, as /v1/search does not', async () => {
    const all = (await (await get('/dashboard/search?limit=3')).json()) as {
      total: number;
      results: object[];
      nextCursor: string;
    };
    let entries = 0;
    for await (const { slug } of server.stores.catalog.entries()) entries += slug === '' ? 0 : 1;
    expect(all.total).to.equal(entries);
    expect(all.results).to.have.length(3);
    const next = (await (await get(`/dashboard/search?limit=3&cursor=${all.nextCursor}`)).json()) as {
      results: object[];
    };
    expect(next.results).to.have.length(3).and.not.deep.equal(all.results);
    await expectError(await server.get('/v1/search?limit=3', customer.apiKey), 400, 'invalid_request');
    await expectError(await get('/dashboard/search?limit=101'), 400, 'invalid_request');
  });

  it('counts nothing, and needs no quota', async () => {
    await server.setUsed(customer.apiKey, 'svg', 1000);
    expect((await get('/dashboard/svg/github', { Cookie: customer.cookie })).status).to.equal(200);
    expect((await server.used(customer.apiKey)).svg).to.equal(1000);
  });

  it('is for pages of this origin only, even in browsers that do not send the origin', async () => {
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }])
      await expectError(await get('/dashboard/svg/github', headers), 403, 'forbidden');
    const without = (headers: Record<string, string>) => server.get('/dashboard/svg/github', undefined, headers);
    await expectError(await without({}), 403, 'forbidden');
    await expectError(await without({ Referer: 'https://elsewhere.example/' }), 403, 'forbidden');
    await expectError(await without({ Referer: `${PUBLIC_ORIGIN}.elsewhere.example/` }), 403, 'forbidden');
    const own = await without({ Referer: `${PUBLIC_ORIGIN}/catalog` });
    expect(own.status).to.equal(200);
    expect(own.headers.get('cross-origin-resource-policy')).to.equal('same-origin');
    expect(own.headers.get('access-control-allow-origin')).to.equal(null);
    // Simulates a visitor who opens the picture in a new tab.
    expect((await get('/dashboard/svg/github', { 'Sec-Fetch-Site': 'none' })).status).to.equal(200);
  });

  it('shows visitors at most 512 px at scale 1, and accounts everything that the API has', async () => {
    nowMs += 60_000;
    const signedIn = { Cookie: customer.cookie };
    for (const format of ['svg', 'png', 'webp'])
      for (const [query, field, allowed] of [
        ['size=513', 'size', '8..512'],
        ['width=600&height=64', 'width', '8..512'],
        ['height=2048', 'height', '8..512'],
        ['size=64&scale=2', 'scale', '1'],
      ] as const) {
        const answer = await get(`/dashboard/${format}/github?${query}`);
        expect(answer.status, query).to.equal(400);
        const { details } = (await answer.json()) as { details: object[] };
        expect(details).to.deep.equal([{ field, reason: 'sign in to see larger pictures', allowed }]);
        expect((await get(`/dashboard/${format}/github?${query}`, signedIn)).status, query).to.equal(200);
      }
    for (const query of ['size=512', 'width=512&height=512', 'width=512', 'size=64&scale=1'])
      expect((await get(`/dashboard/png/github?${query}`)).status, query).to.equal(200);
  });

  it("limits the derived side of a visitor's picture to 512 px, too", async () => {
    const WIDE = 'digitalocean';
    const { variants } = (await (await get(`/dashboard/catalog/${WIDE}`)).json()) as {
      variants: { name: string; width: number; height: number }[];
    };
    const wide = variants.find(({ width, height }) => width > 2 * height)!;
    const path = `/dashboard/svg/${WIDE}?variant=${wide.name}&height=400`;
    const { details } = (await (await get(path)).json()) as { details: { field: string; reason: string }[] };
    expect(details[0]).to.have.property('field', 'height');
    expect(details[0]?.reason).to.match(/at most 512 px are allowed$/);
    expect((await get(path, { Cookie: customer.cookie })).status).to.equal(200);
  });

  it('limits each address and each account separately, and drawn pictures more strictly', async () => {
    nowMs += 60_000;
    const until429 = async (path: string, headers: Record<string, string>) => {
      for (let asked = 0; asked < 2000; asked++) {
        const response = await get(path, headers);
        await response.arrayBuffer();
        if (response.status === 429) return { asked, retryAfter: response.headers.get('retry-after') };
      }
      return undefined;
    };
    const stranger = from('192.0.2.7');
    expect(await until429('/dashboard/png/github?size=16', stranger)).to.deep.equal({ asked: 30, retryAfter: '1' });
    const limits = { 'favicon.ico': 30, 'favicon.zip': 30, 'icon-192.png': 30, 'icon.svg': 400 };
    for (const [at, [file, asked]] of Object.entries(limits).entries())
      expect((await until429(`/dashboard/favicon/github/${file}`, from(`192.0.2.${100 + at}`)))?.asked, file).to.equal(
        asked,
      );
    const hundred = Array.from({ length: 100 }, () => 'github').join();
    const crowd = from('192.0.2.77');
    expect((await until429(`/dashboard/strip?icons=${hundred}`, crowd))?.asked, 'ten tokens each').to.equal(40);
    expect(await until429('/dashboard/catalog/github', stranger)).to.deep.equal({ asked: 400, retryAfter: '1' });
    expect((await get('/dashboard/catalog/github', from('192.0.2.8'))).status).to.equal(200);
    const own = { ...stranger, Cookie: customer.cookie };
    expect((await get('/dashboard/catalog/github', own)).status).to.equal(200);
    expect((await until429('/dashboard/png/github?size=16', own))?.asked).to.equal(120);
    nowMs += 1000;
    expect((await get('/dashboard/catalog/github', stranger)).status).to.equal(200);
  });
});

describe('the catalog with GALLERY=off', () => {
  const server = suiteServer({ GALLERY: 'off' });

  it('is for live sessions only', async () => {
    const paths = [
      '/dashboard/search',
      '/dashboard/catalog/github',
      '/dashboard/svg/github',
      '/dashboard/logo/github.com',
    ];
    const { cookie, apiKey } = await server.customer('free');
    for (const path of paths) {
      await expectError(await server.get(path, undefined, OWN), 401, 'session_ended');
      await expectError(await server.get(path, undefined, { ...OWN, Cookie: `${cookie}x` }), 401, 'session_ended');
      await expectError(await server.get(path, apiKey, OWN), 401, 'session_ended');
      expect((await server.get(path, undefined, { ...OWN, Cookie: cookie })).status).to.equal(200);
    }
    expect(await (await server.get('/')).text()).to.include('&quot;gallery&quot;:&quot;off&quot;');
  });
});
