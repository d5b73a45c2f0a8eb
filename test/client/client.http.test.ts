// The typed client with a real service.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';
import { Blazon, rateLimitOf, type BlazonOptions } from '../../src/client/blazon.js';
import { BlazonError } from '../../src/client/error.js';
import { logoUrl, pictureUrl } from '../../src/client/urls.js';
import { ROOT } from '../support/service-process.js';
import { suiteServer } from '../support/server.js';

const MAX_BYTES = 8 * 1024;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';

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

  it('calls routes by their types, and reads the remaining quota', async () => {
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

  it('sends drawings and archives as text, Blob or bytes, with the media type of the route or of the Blob', async () => {
    const blazon = client();
    const path = { slug: 'drawn', variant: 'default' as const };
    const put = (body: string | Blob | ArrayBuffer | ArrayBufferView, headers: Record<string, string> = {}) =>
      blazon.data(blazon.api.PUT('/v1/brands/{slug}/variants/{variant}', { params: { path }, body, headers }));
    await blazon.data(blazon.api.PUT('/v1/brands/{slug}', { params: { path }, body: { title: 'Drawn' } }));
    const bytes = strToU8(SVG);
    const type = 'image/svg+xml';
    for (const body of [SVG, bytes, bytes.buffer, Buffer.from(SVG), new Blob([SVG]), new Blob([SVG], { type })])
      expect((await put(body)).brand.variants[0]).to.include({ name: 'default' });
    expect((await put(SVG, { 'Content-Type': type })).brand.slug).to.equal('drawn');
    for (const body of [SVG, bytes, new Blob([SVG])]) {
      const preview = blazon.data(blazon.api.POST('/v1/drawings', { body, parseAs: 'text' }));
      expect(await preview).to.match(/^<svg/);
    }
    const bitmap = await rejected(put(new Blob([SVG], { type: 'image/png' })));
    expect(bitmap).to.include({ code: 'unsupported_media_type' });
    const zip = zipSync({ 'first.svg': bytes, 'second.svg': bytes });
    for (const body of [zip, new Blob([zip], { type: 'application/zip' })])
      expect(await blazon.data(blazon.api.PUT('/v1/brands', { body }))).to.include({ applied: true });
    const slugs: string[] = [];
    for await (const { slug } of blazon.brands()) slugs.push(slug);
    expect(slugs).to.deep.equal(['drawn', 'first', 'second']);
    // @ts-expect-error: an object is no archive.
    await rejected(blazon.data(blazon.api.PUT('/v1/brands', { body: {} })));
  });

  it('knows the media type of each route that does not accept JSON', async () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      readonly paths: Record<string, Record<string, { readonly requestBody?: { readonly content: object } }>>;
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const [media] = Object.keys(requestBody?.content ?? {});
        if (media === undefined || media === 'application/json') continue;
        let sent: string | null = null;
        const { api } = client({
          fetch: async ({ headers }) => {
            sent = headers.get('Content-Type');
            return Response.json({});
          },
        });
        await api.request(method as 'put', path as '/v1/brands', { body: SVG });
        expect(sent, path).to.equal(media);
      }
  });

  it('goes through the pages of own brands', async () => {
    const cursors: (string | null)[] = [];
    const blazon = client({
      fetch: async ({ url }) => {
        cursors.push(new URL(url).searchParams.get('cursor'));
        return Response.json({ brands: [{ slug: `brand-${cursors.length}` }], nextCursor: cursors[1] ?? 'next' });
      },
    });
    const slugs: string[] = [];
    for await (const { slug } of blazon.brands()) if (slugs.push(slug) === 3) break;
    expect(slugs).to.deep.equal(['brand-1', 'brand-2', 'brand-3']);
    expect(cursors).to.deep.equal([null, 'next', 'next']);
  });

  it('reads text as text, and rejects other responses that are not JSON', async () => {
    const blazon = client();
    const path = { slug: 'github' };
    expect(await blazon.data(blazon.api.GET('/v1/svg/{slug}', { params: { path } }))).to.match(/^<svg /);
    const error = await rejected(blazon.data(blazon.api.GET('/v1/png/{slug}', { params: { path } })));
    expect(error).to.be.instanceOf(BlazonError).and.include({ code: 'unknown', status: 200 });
    expect((error as Error).message).to.equal("The response is image/png instead of JSON. Use 'parseAs' to read it.");
    const head = await blazon.api.request('head' as 'get', '/v1/png/{slug}', { params: { path } });
    expect(head.response.status).to.equal(200);
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

  it('repeats safe requests after Retry-After, and stops when its signal aborts', async () => {
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

  it('builds URLs with parameters that the compiler checks', async () => {
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

  it('contains no module of Node, and less than 8 KB', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, 'dist/src/client/index.js')],
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
    });
    expect(gzipSync(outputFiles[0]!.contents).length).to.be.below(MAX_BYTES);
  });
});
