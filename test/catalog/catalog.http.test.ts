// GET /v1/catalog/{slug}, POST /v1/catalog/batch, GET /v1/search, GET /v1/brand
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { eventually } from '../support/auth.js';
import { suiteServer } from '../support/server.js';
import { expectInvalid } from '../support/expect-error.js';

/** Waits until the condition holds, because the service takes a moment to notice changes by other processes. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await eventually(holds, 'change');
}

describe('catalog over HTTP', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const json = async (path: string): Promise<Record<string, unknown>> =>
    (await (await server.get(path, key)).json()) as Record<string, unknown>;
  const batch = async (body: unknown, customer = key) => {
    const response = await fetch(`${server.base}/v1/catalog/batch`, {
      method: 'POST',
      headers: { 'X-API-Key': customer, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as {
        results: { slug: string; status: number; entry?: Record<string, unknown>; error?: object }[];
        details?: { field: string }[];
      },
    };
  };

  it('returns an entry', async () => {
    const entry = await json('/v1/catalog/github');
    expect(entry).to.include({ slug: 'github', title: 'GitHub', domain: 'github.com', hex: '#181717' });
    expect(entry.license).to.have.property('redistributable', true);
    expect(entry).to.have.nested.property('variants[0].name', 'default');
    expect(entry)
      .to.have.nested.property('variants[0].urls.png')
      .that.matches(/^https:\/\/icons\.example\/v1\/png\/github\?v=[0-9a-f]{12}$/);
    expect(entry.provenance).to.be.an('array').with.length.of.at.least(2);
  });

  it('answers a batch in order, with duplicates and aliases, and counts one request', async () => {
    const customer = await server.key('free');
    const { status, body } = await batch(
      { slugs: ['stripe', 'no-such-brand', 'GitHub', 'stripe', 'nodedotjs'] },
      customer,
    );
    expect(status).to.equal(200);
    expect(body.results.map((result) => [result.slug, result.status])).to.deep.equal([
      ['stripe', 200],
      ['no-such-brand', 404],
      ['GitHub', 200],
      ['stripe', 200],
      ['nodedotjs', 200],
    ]);
    expect(body.results[2]?.entry).to.have.property('slug', 'github');
    expect(body.results[1]?.error).to.have.property('error', 'not_found');
    expect(await server.used(customer)).to.include({ batch: 1, catalog: 0 });
  });

  it('returns only the requested fields', async () => {
    const { body } = await batch({ slugs: ['github'], fields: ['title', 'slug'] });
    expect(body.results[0]?.entry).to.deep.equal({ slug: 'github', title: 'GitHub' });
  });

  it('rejects an invalid batch by field', async () => {
    for (const [wrong, field] of [
      [{ slugs: [] }, 'slugs'],
      [{ slugs: Array.from({ length: 101 }, () => 'github') }, 'slugs'],
      [{ slugs: 'github' }, 'slugs'],
      [{ slugs: ['github', 7] }, 'slugs.1'],
      [{ slugs: ['github', '../x'] }, 'slugs.1'],
      [{ slugs: ['github'], fields: ['nope'] }, 'fields.0'],
      [{ slugs: ['github'], fields: [] }, 'fields'],
    ] as const) {
      const { status, body } = await batch(wrong);
      expect(status, JSON.stringify(wrong)).to.equal(400);
      expect(body.details?.map((detail) => detail.field)).to.include(field);
    }
    expect((await batch({ slugs: Array.from({ length: 100 }, () => 'github') })).status).to.equal(200);
  });

  it('answers 410 with the reason for a withdrawn entry, on every route, without a restart', async () => {
    const store = server.stores.catalog;
    expect((await server.get('/v1/svg/dropbox', key)).status).to.equal(200);
    for (const query of ['', '?fallback=monogram'])
      expect((await server.get(`/v1/logo/dropbox.com${query}`, key)).headers.get('x-blazon-slug')).to.equal('dropbox');
    expect(await store.withdraw('dropbox' as Slug, 'the owner asked for it', new Date())).to.equal(true);
    await until(async () => (await server.get('/v1/svg/dropbox', key)).status === 410);
    for (const path of [
      '/v1/catalog/dropbox',
      '/v1/svg/dropbox',
      '/v1/png/dropbox?fallback=monogram',
      '/v1/webp/dropbox',
      '/v1/favicon/dropbox/favicon.ico',
    ]) {
      const response = await server.get(path, key);
      expect(response.status, path).to.equal(410);
      expect(await response.json())
        .to.have.property('message')
        .that.includes('the owner asked for it');
    }
    // The service has cached the responses to these logo URLs, because the test requested them above. It must not use
    // the cache now.
    expect((await server.get('/v1/logo/dropbox.com', key)).status).to.equal(404);
    const logo = await server.get('/v1/logo/dropbox.com?fallback=monogram', key);
    expect([logo.status, logo.headers.get('x-blazon-fallback'), logo.headers.get('x-blazon-slug')]).to.deep.equal([
      200,
      'monogram',
      null,
    ]);
    expect((await batch({ slugs: ['dropbox'] })).body.results[0]).to.deep.include({ slug: 'dropbox', status: 410 });
    const found = async () =>
      ((await json('/v1/search?q=dropbox')).results as { slug: string }[]).map(({ slug }) => slug);
    await until(async () => !(await found()).includes('dropbox'));
    expect((await server.get('/v1/brand?domain=dropbox.com', key)).status).to.equal(404);
    expect(await store.restore('dropbox' as Slug)).to.equal(true);
    await until(async () => (await server.get('/v1/svg/dropbox', key)).status === 200);
    await until(async () => (await found())[0] === 'dropbox');
  });

  it('answers 410 also for a URL that was cached before', async () => {
    const store = server.stores.catalog;
    expect((await server.get('/v1/svg/keybase?size=33', key)).status).to.equal(200);
    await store.withdraw('keybase' as Slug, 'a test', new Date());
    await until(async () => (await server.get('/v1/catalog/keybase', key)).status === 410);
    expect((await server.get('/v1/svg/keybase?size=33', key)).status).to.equal(410);
    // Waits until the search index is rebuilt, a moment after the change. Otherwise the new index would invalidate the
    // cursor of the next test.
    const found = async () => ((await json('/v1/search?q=keybase')).results as { slug: string }[])[0]?.slug;
    await until(async () => (await found()) !== 'keybase');
    await store.restore('keybase' as Slug);
    await until(async () => (await found()) === 'keybase');
  });

  it('echoes the query of the request, not a similar one from the cache', async () => {
    expect((await json('/v1/search?q=%20linear%20')).query).to.equal('linear');
    expect((await json('/v1/search?q=linear')).query).to.equal('linear');
  });

  it('searches with typing errors, filters, facets and pages', async () => {
    const page = await json('/v1/search?q=gihtub&limit=5');
    expect(page).to.have.nested.property('results[0].slug', 'github');
    expect(page).to.have.nested.property('results[0].match.field');
    expect(page.query).to.equal('gihtub');
    const seen = new Set<string>();
    let cursor: string | null = '';
    let total = 0;
    while (cursor !== null) {
      const next: Record<string, unknown> = await json(`/v1/search?q=git&limit=7${cursor && `&cursor=${cursor}`}`);
      expect(next, JSON.stringify(next)).to.have.property('results');
      total = next.total as number;
      for (const { slug } of next.results as { slug: string }[]) {
        expect(seen.has(slug), slug).to.equal(false);
        seen.add(slug);
      }
      cursor = next.nextCursor as string | null;
    }
    expect(seen.size).to.equal(total);
    expect(total).to.be.above(10);
    const filtered = await json('/v1/search?category=database&limit=100');
    for (const result of filtered.results as { categories: string[] }[])
      expect(result.categories).to.include('database');
  });

  it('rejects invalid searches and lookups by field', async () => {
    for (const [path, field] of [
      ['/v1/search', 'q'],
      ['/v1/search?limit=5', 'q'],
      ['/v1/search?q=', 'q'],
      [`/v1/search?q=${'x'.repeat(101)}`, 'q'],
      ['/v1/search?q=x&limit=0', 'limit'],
      ['/v1/search?q=x&limit=101', 'limit'],
      ['/v1/search?q=x&cursor=nonsense', 'cursor'],
      ['/v1/search?color=red', 'color'],
      ['/v1/brand?domain=-.com', 'domain'],
      ['/v1/brand?url=http://a%20b/', 'url'],
      ['/v1/brand?email=nope', 'email'],
      ['/v1/brand?domain=github.com&name=github', 'name'],
    ] as const) {
      await expectInvalid(await server.get(path, key), field);
    }
    expect((await server.get('/v1/brand', key)).status).to.equal(400);
  });

  it('sends with HEAD the Content-Length of GET, and counts nothing', async () => {
    const own = await server.key('free');
    const headers = { 'Accept-Encoding': 'identity' };
    const path = '/v1/search?q=git&limit=20';
    const head = await fetch(server.base + path, { method: 'HEAD', headers: { ...headers, 'X-API-Key': own } });
    expect((await server.used(own)).search).to.equal(0);
    const got = await server.get(path, own, headers);
    expect(head.headers.get('content-length')).to.equal(String((await got.arrayBuffer()).byteLength));
    const wrong = await fetch(`${server.base}/v1/search?q=x&cursor=nonsense`, {
      method: 'HEAD',
      headers: { 'X-API-Key': own },
    });
    expect(wrong.status).to.equal(400);
  });

  it('finds brands by domain, URL, e-mail address and name', async () => {
    for (const [query, slug, match] of [
      ['domain=github.com', 'github', 'domain'],
      ['domain=gist.github.com', 'github', 'subdomain'],
      ['url=https://aws.amazon.com/s3/', 'aws', 'domain'],
      ['email=ada@stripe.com', 'stripe', 'domain'],
      ['name=GitHub', 'github', 'name'],
      ['domain=mail.google.com', 'gmail', 'domain'],
    ] as const) {
      const answer = await json(`/v1/brand?${query}`);
      expect(answer, query).to.have.nested.property('brand.slug', slug);
      expect(answer.match, query).to.equal(match);
      expect(answer.query).to.equal(query.slice(query.indexOf('=') + 1));
    }
    expect((await server.get('/v1/brand?domain=no-such-brand-at-all.example.com', key)).status).to.equal(404);
  });
});
