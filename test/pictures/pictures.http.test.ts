// GET /v1/svg|png|webp/{slug}
import { expect } from 'chai';
import sharp from 'sharp';
import { startServer, suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

interface Entry {
  readonly slug: string;
  readonly revision: string;
  readonly variants: readonly {
    readonly name: string;
    readonly recolorable: boolean;
    readonly urls: { readonly svg: string };
  }[];
}

describe('pictures over HTTP', () => {
  let key: string;
  let github: Entry;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
    github = (await (await server.get('/v1/catalog/github', key)).json()) as Entry;
  });

  const get = (path: string, headers: Record<string, string> = {}) => server.get(path, key, headers);

  it('sends SVG with headers that disable scripts and external resources', async () => {
    const response = await get('/v1/svg/github');
    expect(response.headers.get('content-type')).to.match(/^image\/svg\+xml/);
    expect(response.headers.get('content-security-policy')).to.equal(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    expect(response.headers.get('cache-control')).to.equal('private, max-age=86400, stale-while-revalidate=604800');
    expect(response.headers.get('vary')).to.equal('X-API-Key, Accept-Encoding');
    expect(Date.parse(response.headers.get('last-modified') ?? '')).to.be.a('number').and.not.NaN;
    const svg = await response.text();
    expect(svg).to.match(/^<svg [^>]*viewBox="/);
    expect(Number(response.headers.get('content-length'))).to.equal(Buffer.byteLength(svg));
  });

  it('sends PNG and WebP in the requested size', async () => {
    for (const [path, width, height] of [
      ['/v1/png/github', 256, 256],
      ['/v1/webp/github?size=64&scale=2', 128, 128],
      ['/v1/png/github?width=100&height=40', 100, 40],
      ['/v1/webp/github?quality=50&size=48', 48, 48],
    ] as const) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([picture.width, picture.height, picture.hasAlpha], path).to.deep.equal([width, height, true]);
      expect(response.headers.get('content-type')).to.equal(`image/${picture.format}`);
    }
  });

  it('cuts empty margins with trim=1, the same in all formats', async () => {
    const [whole, cut] = await Promise.all(
      ['', '&trim=1'].map(async (query) => {
        const response = await get(`/v1/png/fedex?height=60${query}`);
        return sharp(Buffer.from(await response.arrayBuffer())).metadata();
      }),
    );
    expect([whole?.width, whole?.height]).to.deep.equal([60, 60]);
    expect(cut?.height).to.equal(60);
    expect(cut?.width).to.be.greaterThan(120);
    const svg = await (await get('/v1/svg/fedex?trim=1')).text();
    const [, , width = 0, height = 1] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number);
    expect(width / height).to.be.closeTo((cut?.width ?? 0) / 60, 0.02);
  });

  it('leaves the paint of an SVG to its page with color=currentColor', async () => {
    expect(await (await get('/v1/svg/github?variant=mono&color=currentColor')).text()).to.include('currentColor');
    for (const format of ['png', 'webp'])
      expect((await get(`/v1/${format}/github?variant=mono&color=currentColor`)).status).to.equal(400);
    expect((await get('/v1/svg/slack?color=currentColor')).status).to.equal(422);
  });

  it('treat on together with variant as the version of that variant', async () => {
    const light = await (await get('/v1/svg/github?variant=mono&on=light')).text();
    const dark = await (await get('/v1/svg/github?variant=mono&on=dark')).text();
    expect(dark).to.equal(light.replaceAll('#000000', '#ffffff'));
  });

  it('accepts slugs in any case, and redirects aliases with their parameters', async () => {
    expect((await get('/v1/svg/GitHub')).status).to.equal(200);
    const moved = await get('/v1/png/nodedotjs?size=32&color=ff0000');
    expect(moved.status).to.equal(308);
    expect(moved.headers.get('location')).to.match(/^\/v1\/png\/[a-z0-9._-]+\?size=32&color=ff0000$/);
    expect(moved.headers.get('location')).to.not.include('nodedotjs');
  });

  it('are cached for a year with their revision, and an outdated one redirects to the URL without', async () => {
    const current = await get(`/v1/svg/github?size=32&v=${github.revision}`);
    expect(current.status).to.equal(200);
    expect(current.headers.get('cache-control')).to.equal('private, max-age=31536000, immutable');
    const old = await get('/v1/svg/github?size=32&v=0123456789ab');
    expect(old.status).to.equal(308);
    expect(old.headers.get('location')).to.equal('/v1/svg/github?size=32');
    expect((await get('/v1/svg/github?%76=0123456789ab')).headers.get('location')).to.equal('/v1/svg/github');
    expect(new URL(github.variants[0]!.urls.svg).pathname).to.equal('/v1/svg/github');
    for (const { urls } of github.variants) {
      const { pathname, search } = new URL(urls.svg);
      expect((await get(pathname + search)).headers.get('cache-control'), urls.svg).to.include('immutable');
    }
  });

  it('have one ETag for any spelling of the parameters', async () => {
    const tagsOf = (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag')));
    const same = await tagsOf([
      '/v1/png/github',
      '/v1/png/GITHUB?size=256',
      '/v1/png/github?padding=0&scale=1&download=1&fallback=monogram',
      '/v1/png/github?size=128&scale=2',
    ]);
    expect(new Set(same).size).to.equal(1);
    const others = [
      'svg/github',
      'webp/github',
      'webp/github?quality=80',
      'webp/github?quality=81',
      'png/github?size=255',
    ];
    const tags = [...same, ...(await tagsOf(others.map((path) => `/v1/${path}`)))];
    expect(new Set(tags).size).to.equal(1 + others.length);
  });

  it('recolors single-color variants, and answers 422 for the others', async () => {
    const mono = github.variants.find(({ recolorable }) => recolorable)!;
    const red = await get(`/v1/svg/github?variant=${mono.name}&color=f00`);
    expect(red.status).to.equal(200);
    expect(await red.text()).to.match(/#f00|#ff0000|red/);
    const response = await get('/v1/svg/google?color=f00');
    await expectError(response, 422, 'unprocessable');
  });

  it('sends the requested fallback for an unknown slug, and counts it', async () => {
    expect((await get('/v1/png/no-such-brand')).status).to.equal(404);
    expect((await get('/v1/png/no-such-brand?fallback=404')).status).to.equal(404);
    const customer = await server.key('free');
    for (const fallback of ['monogram', 'transparent']) {
      for (const format of ['svg', 'png', 'webp']) {
        const response = await server.get(`/v1/${format}/no-such-brand?fallback=${fallback}&size=64`, customer);
        expect(response.status).to.equal(200);
        expect(response.headers.get('x-blazon-fallback')).to.equal(fallback);
        if (format === 'svg') continue;
        const pixels = await sharp(await response.arrayBuffer())
          .ensureAlpha()
          .png()
          .toBuffer();
        const { channels } = await sharp(pixels).stats();
        expect(channels[3]!.max).to.equal(fallback === 'transparent' ? 0 : 255);
      }
    }
    expect((await server.used(customer)).svg).to.equal(2);
    expect((await get('/v1/png/github?fallback=monogram')).headers.get('x-blazon-fallback')).to.equal(null);
  });

  it('sends fallbacks with the date of the catalog that the slug is missing in', async () => {
    const published = Date.parse((await server.stores.catalog.state())!.publishedAt);
    const since = (ms: number) => ({ 'If-Modified-Since': new Date(ms).toUTCString() });
    for (const fallback of ['monogram', 'transparent'])
      for (const format of ['svg', 'png', 'webp']) {
        const path = `/v1/${format}/no-such-brand?fallback=${fallback}&size=16`;
        const date = (await get(path)).headers.get('last-modified');
        expect(date, path).to.equal(new Date(published).toUTCString());
        expect((await get(path, since(published))).status, path).to.equal(304);
        expect((await get(path, since(published - 1000))).status, path).to.equal(200);
      }
    expect((await get('/v1/svg/github', since(Date.now()))).status).to.equal(304);
  });

  it('suggests a file name for downloads', async () => {
    const response = await get('/v1/png/github?download=1&size=16');
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="github.png"');
    expect((await get('/v1/png/github?size=16')).headers.get('content-disposition')).to.equal(null);
  });

  it('name a wrong parameter, and its allowed values (test/pictures/picture-request.test.ts has all)', async () => {
    for (const [query, field] of [
      ['size=7', 'size'],
      ['size=64&width=64', 'size'],
      ['color=%2523ff0000', 'color'],
      ['variant=no-such-variant', 'variant'],
      ['quality=80', 'quality'],
      ['v=%00', 'v'],
    ] as const)
      await expectInvalid(await get(`/v1/svg/github?${query}`), field);
  });

  it('rejects an invalid slug', async () => {
    for (const slug of ['-github', '%20', 'a%2Fb', 'x'.repeat(101), '%E0%A4%A', 'caf%C3%A9']) {
      const { details } = await expectError(await get(`/v1/svg/${slug}`), 400, 'invalid_request');
      expect(details, slug).to.have.nested.property('[0].field', 'slug');
    }
  });

  it('answer busy with Retry-After when the queue is full, and count only sent pictures', async () => {
    const small = await startServer({ RENDER_QUEUE: '2', RENDER_THREADS: '1' });
    try {
      const customer = await small.key('enterprise');
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, index) => small.get(`/v1/png/github?size=${600 + index}`, customer)),
      );
      const statuses = responses.map(({ status }) => status);
      const answered = statuses.filter((status) => status === 200).length;
      expect(answered).to.be.at.least(3);
      expect(statuses.filter((status) => status === 503)).to.have.length(40 - answered);
      const busy = responses.find(({ status }) => status === 503)!;
      await expectError(busy, 503, 'busy');
      expect(busy.headers.get('retry-after')).to.equal('1');
      expect((await small.used(customer)).png).to.equal(answered);
    } finally {
      await small.close();
    }
  });
});
