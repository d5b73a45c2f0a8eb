// The client for other programs, by the service it is for.
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { Blazon, BlazonError, rateLimitOf, type BlazonOptions } from '../../src/client/blazon.js';
import { logoUrl, pictureUrl } from '../../src/client/urls.js';
import { ROOT } from '../support/service-process.js';
import { suiteServer } from '../support/server.js';

const MAX_BYTES = 8 * 1024;

describe('the client', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key('free');
  });

  const client = (options: Partial<BlazonOptions> = {}) => new Blazon({ url: server.base, key, ...options });
  const rejected = async (call: Promise<unknown>) => {
    const error: unknown = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error;
  };

  it('calls routes by their types, and reads what is left of the quota', async () => {
    const blazon = client();
    const call = blazon.api.GET('/v1/catalog/{slug}', { params: { path: { slug: 'github' } } });
    expect(await blazon.data(call)).to.include({ slug: 'github', title: 'GitHub' });
    const limit = rateLimitOf((await call).response);
    expect(limit).to.include({ bucket: 'catalog' });
    expect(limit!.remaining).to.be.below(limit!.limit);
    const batch = blazon.api.POST('/v1/catalog/batch', { body: { slugs: ['github', 'nothing'] } });
    expect((await blazon.data(batch)).results.map(({ status }) => status)).to.deep.equal([200, 404]);
  });

  it('calls routes without content, with text, and with a key in their path', async () => {
    const blazon = client();
    const path = { slug: 'acme' };
    await blazon.data(blazon.api.PUT('/v1/brands/{slug}', { params: { path }, body: { title: 'Acme' } }));
    await blazon.data(blazon.api.DELETE('/v1/brands/{slug}', { params: { path } }));
    const svg = blazon.api.GET('/v1/svg/{slug}', { params: { path: { slug: 'github' } }, parseAs: 'text' });
    expect(await blazon.data(svg)).to.match(/^<svg /);
    const { accessToken } = await server.customer('free');
    const { publishableKey } = await blazon.data(
      new Blazon({ url: server.base, token: accessToken }).api.POST('/auth/publishable-keys', {
        body: { name: 'Website' },
      }),
    );
    const at = { publishableKey: publishableKey.key, path: 'github.com/w/32/h/32' };
    const picture = blazon.api.GET('/compat/{publishableKey}/brandfetch/{path}', {
      params: { path: at },
      parseAs: 'arrayBuffer',
    });
    expect((await blazon.data(picture)).byteLength).to.be.above(100);
  });

  it('rejects with the code of an error', async () => {
    const blazon = client();
    const error = await rejected(
      blazon.data(blazon.api.GET('/v1/catalog/{slug}', { params: { path: { slug: 'no-such-brand' } } })),
    );
    expect(error).to.be.instanceOf(BlazonError);
    expect(error).to.include({ code: 'not_found', status: 404 });
    const elsewhere = client({ fetch: async () => new Response('<html>', { status: 502 }) });
    expect(
      await rejected(elsewhere.data(elsewhere.api.GET('/v1/search', { params: { query: { q: 'git' } } }))),
    ).to.include({ code: 'unknown', status: 502 });
  });

  it('rejects with the address of a service that cannot be reached, and with the reason of a signal', async () => {
    const get = (signal?: AbortSignal) => {
      const blazon = client({ url: 'http://127.0.0.1:9', key: process.env.NO_SUCH_VARIABLE });
      const path = { slug: 'github' };
      return rejected(
        blazon.data(blazon.api.GET('/v1/catalog/{slug}', { params: { path }, ...(signal && { signal }) })),
      );
    };
    const error = await get();
    expect(error).to.be.instanceOf(BlazonError).and.include({ code: 'network', status: 0 });
    expect(error).to.have.property('cause').that.is.instanceOf(Error);
    expect((error as Error).message).to.match(/^http:\/\/127\.0\.0\.1:9 cannot be reached \(.+\)\.$/);
    expect(await get(AbortSignal.abort())).to.have.property('name', 'AbortError');
  });

  it('goes through the pages of a search', async () => {
    const found: string[] = [];
    for await (const { slug } of client().search({ q: 'git', limit: 1 })) found.push(slug);
    expect(found).to.include('github').and.have.length.above(1);
    expect(new Set(found)).to.have.property('size', found.length);
  });

  it('repeats what is safe to repeat, as Retry-After says, and stops with its signal', async () => {
    const calls: string[] = [];
    const answering = (status: number, retryAfter: string) =>
      client({
        fetch: async ({ method }) => {
          calls.push(`${method} ${status}`);
          if (calls.length > 1) return Response.json({ slug: 'github' });
          return Response.json({ error: 'busy' }, { status, headers: { 'Retry-After': retryAfter } });
        },
      });
    const get = (blazon: Blazon, signal?: AbortSignal) =>
      blazon.api.GET('/v1/catalog/{slug}', { params: { path: { slug: 'github' } }, ...(signal && { signal }) });
    const post = (blazon: Blazon) => blazon.api.POST('/v1/catalog/batch', { body: { slugs: ['github'] } });
    const counted = async (call: Promise<unknown>) => {
      await call.catch(() => undefined);
      return calls.splice(0).length;
    };
    expect(await counted(get(answering(503, '0')))).to.equal(2);
    expect(await counted(get(answering(429, '0')))).to.equal(2);
    expect(await counted(post(answering(429, '0')))).to.equal(2);
    expect(await counted(post(answering(503, '0')))).to.equal(1);
    expect(await counted(get(answering(503, '31')))).to.equal(1);
    expect(await counted(get(answering(500, '0')))).to.equal(1);
    const leaving = new AbortController();
    const call = get(answering(503, '20'), leaving.signal);
    setTimeout(() => leaving.abort(), 20);
    expect(await rejected(call)).to.have.property('name', 'AbortError');
  });

  it('writes addresses whose parameters are checked by the compiler', async () => {
    expect(pictureUrl('https://icons.example/', 'png', 'github', { size: 64, on: 'dark' })).to.equal(
      'https://icons.example/v1/png/github?size=64&on=dark',
    );
    expect(logoUrl(server.base, 'github.com', { format: 'svg' })).to.equal(
      `${server.base}/v1/logo/github.com?format=svg`,
    );
    const url = pictureUrl(server.base, 'webp', 'github', { size: 32, quality: 50 });
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).headers.get('content-type')).to.equal('image/webp');
    // @ts-expect-error: PNG has no quality.
    pictureUrl(server.base, 'png', 'github', { quality: 50 });
    // @ts-expect-error: there is no such ground.
    logoUrl(server.base, 'github.com', { on: 'red' });
  });

  it('has no module of Node, and less than 8 KB', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, 'dist/src/client/index.js')],
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
    });
    expect(gzipSync(outputFiles[0]!.contents).length).to.be.below(MAX_BYTES);
  });
});
