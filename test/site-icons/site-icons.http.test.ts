// Icons of sites in GET /v1/logo/{domain}.
import { expect } from 'chai';
import sharp from 'sharp';
import { eventually } from '../support/auth.js';
import { MINUTE_MS } from '../support/clock.js';
import { pageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';
import { png, startSite, svg, type Site } from './sites.js';

const HOST = 'unknown-site.example.org';
const MANY = Array.from({ length: 35 }, (_, at) => `many-${at}.example.org`);
const logo = (query: string, host = HOST) => `/v1/logo/${host}?${query}`;

describe('icons of sites', () => {
  let site: Site;
  let server: TestServer;
  let key: string;
  before(async () => {
    site = await startSite({});
    const hosts = [
      HOST,
      'bitmap.example.org',
      'turned.example.org',
      'none.example.org',
      'slow.example.org',
      'paged.example.org',
      'intranet',
      ...MANY,
    ];
    const origins = hosts.map((host) => `${host}=${site.origin}`).join();
    server = await startServer({ SITE_ICONS: 'on', SITE_ICON_ORIGINS: origins });
    key = await server.key();
  });
  after(async () => {
    await server.close();
    await site.close();
  });
  beforeEach(() => void site.requests.splice(0));

  it('answers with the drawing that a site declares, fetched once', async () => {
    site.answer({ '/': '<head><link rel="icon" href="/a.svg"></head>', '/a.svg': svg() });
    const first = await server.get(logo('format=svg&fallback=site,monogram'), key);
    expect(first.status).to.equal(200);
    expect(first.headers.get('x-blazon-fallback')).to.equal('site');
    expect(first.headers.get('x-blazon-source')).to.equal(`https://${HOST}/a.svg`);
    expect(first.headers.get('cache-control')).to.equal('private, max-age=3600');
    expect(first.headers.get('vary')).to.equal('X-API-Key, Accept-Encoding');
    expect(first.headers.get('content-security-policy'), 'it has no bitmap').to.equal(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(await first.text()).to.include('#2060d0');
    expect(site.requests).to.deep.equal(['/', '/a.svg']);
    const again = await server.get(logo('format=svg&fallback=site,monogram'), key);
    const etag = again.headers.get('etag') ?? '';
    expect(etag).to.equal(first.headers.get('etag')).and.to.match(/^"/);
    const same = await server.get(logo('format=svg&fallback=site,monogram'), key, { 'If-None-Match': etag });
    expect(same.status).to.equal(304);
    expect(site.requests, 'no further request').to.have.length(2);
    const pixels = await server.get(logo('format=png&size=64&fallback=site&background=white'), key);
    const { dominant } = await sharp(Buffer.from(await pixels.arrayBuffer())).stats();
    expect([dominant.r, dominant.g, dominant.b].map((value) => value >> 6)).to.not.deep.equal([0, 0, 0]);
    expect(site.heads[0]).to.include({ 'user-agent': 'Blazon/0.0.0 (+https://icons.example)', host: HOST });
    expect(site.heads[0]).to.not.have.any.keys('cookie', 'referer', 'authorization');
  });

  it('may be stored by shared caches if a web page asks, from the first answer on', async () => {
    site.answer({ '/': '<head><link rel="icon" href="/a.svg"></head>', '/a.svg': svg() });
    const { raw } = await pageKey(server);
    for (const time of ['fetched', 'stored']) {
      const { headers } = await server.get(logo(`format=png&size=32&fallback=site&key=${raw}`, 'paged.example.org'));
      expect(headers.get('x-blazon-fallback'), time).to.equal('site');
      expect(headers.get('x-blazon-source'), time).to.equal('https://paged.example.org/a.svg');
      expect(headers.get('cache-control'), time).to.equal('public, max-age=3600');
      expect(headers.get('vary') ?? '', time).to.not.match(/x-api-key/i);
    }
  });

  it('redirect an outdated revision to the URL without it, and are not fetched for visitors', async () => {
    const stale = await server.get(logo('format=svg&fallback=site,monogram&v=0123456789ab'), key);
    expect([stale.status, stale.headers.get('location')]).to.deep.equal([
      308,
      logo('format=svg&fallback=site,monogram'),
    ]);
    const path = `/dashboard/logo/${HOST}?format=svg&fallback=site,monogram`;
    const visited = await server.get(path, undefined, { 'Sec-Fetch-Site': 'same-origin' });
    expect([visited.status, visited.headers.get('x-blazon-fallback')]).to.deep.equal([200, 'monogram']);
    expect(site.requests).to.deep.equal([]);
  });

  it('must be revalidated by an account with own brands, because one may replace it', async () => {
    site.answer({ '/': '<head><link rel="icon" href="/a.svg"></head>', '/a.svg': svg() });
    const own = await server.key();
    const lifetime = async () => {
      const answer = await server.get(logo('format=svg&fallback=site'), own);
      expect(answer.headers.get('x-blazon-fallback')).to.equal('site');
      return answer.headers.get('cache-control');
    };
    expect(await lifetime()).to.equal('private, max-age=3600');
    const put = await fetch(`${server.base}/v1/brands/other`, {
      method: 'PUT',
      headers: { 'X-API-Key': own, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Other' }),
    });
    expect(put.status).to.equal(201);
    expect(await lifetime()).to.equal('private, no-cache');
  });

  it('answers with the next fallback beyond 30 new hosts a minute, without a request to the site', async () => {
    site.answer({ '/': '<head><link rel="icon" href="/a.svg"></head>', '/a.svg': svg() });
    const own = await server.key();
    const beganMs = performance.now();
    const fallbacks: (string | null)[] = [];
    for (const host of MANY) {
      const answer = await server.get(logo('format=svg&fallback=site,monogram', host), own);
      expect(answer.status).to.equal(200);
      fallbacks.push(answer.headers.get('x-blazon-fallback'));
    }
    const asked = () => site.requests.filter((path) => path === '/').length;
    await eventually(() => asked() >= 30, 'requests to 30 sites');
    // The limit is per minute. After more than a minute, the service may have fetched more than 30 icons.
    if (performance.now() - beganMs > MINUTE_MS) return;
    expect(asked()).to.equal(30);
    expect(fallbacks.slice(30)).to.deep.equal(MANY.slice(30).map(() => 'monogram'));
    expect(fallbacks).to.include('site');
  });

  it('counts in the bucket of the picture', async () => {
    const own = await server.key('free');
    const before = await server.used(own);
    expect((await server.get(logo('format=webp&fallback=site'), own)).status).to.equal(200);
    const { webp, png: pngs } = await server.used(own);
    expect([webp - before.webp, pngs - before.png]).to.deep.equal([1, 0]);
  });

  it('scales a bitmap down, puts it into an SVG, and never enlarges it more than twice', async () => {
    site.answer({ '/': '<link rel="icon" sizes="96x96" href="i.png">', '/i.png': await png(96) });
    const at = (query: string) => server.get(logo(`fallback=site,monogram&${query}`, 'bitmap.example.org'), key);
    for (const size of [16, 96, 192]) {
      const answer = await at(`size=${size}`);
      expect(answer.headers.get('x-blazon-fallback'), String(size)).to.equal('site');
      const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([width, height]).to.deep.equal([size, size]);
    }
    const large = await at('size=193');
    expect(large.headers.get('x-blazon-fallback')).to.equal('monogram');
    const inside = await at('format=svg&size=64');
    expect(inside.headers.get('content-security-policy')).to.include('img-src data:');
    expect(await inside.text()).to.include('href="data:image/png;base64,');
  });

  it('shows a photo upright, as its EXIF orientation says', async () => {
    const half = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
      .composite([{ input: half, gravity: 'south' }])
      .withMetadata({ orientation: 3 })
      .jpeg({ quality: 100 })
      .toBuffer();
    site.answer({ '/': '<link rel="icon" href="i.jpg">', '/i.jpg': photo });
    const answer = await server.get(logo('size=64&fallback=site', 'turned.example.org'), key);
    expect(answer.headers.get('x-blazon-fallback')).to.equal('site');
    const top = sharp(Buffer.from(await answer.arrayBuffer())).extract({ left: 0, top: 0, width: 64, height: 16 });
    const { dominant } = await sharp(await top.toBuffer()).stats();
    expect(dominant.b, 'blue, which the file stores at the bottom').to.be.above(200);
    expect(dominant.r).to.be.below(60);
  });

  it('answers with the next fallback if the site has no icon, and asks it once', async () => {
    site.answer({ '/': '<title>nothing</title>' });
    const at = (fallback: string) => server.get(logo(`fallback=${fallback}`, 'none.example.org'), key);
    expect((await at('site')).status).to.equal(404);
    const asked = site.requests.length;
    expect((await at('site,404')).status).to.equal(404);
    expect((await at('site,monogram')).headers.get('x-blazon-fallback')).to.equal('monogram');
    expect((await at('site,transparent,404')).headers.get('x-blazon-fallback')).to.equal('transparent');
    expect((await at('monogram,site')).headers.get('x-blazon-fallback')).to.equal('monogram');
    expect(site.requests).to.have.length(asked);
  });

  it('answers at once with wait=0, and fetches behind the answer', async () => {
    let release = (): void => undefined;
    const opened = new Promise<void>((resolve) => (release = resolve));
    site.answer((request, response) => {
      if (request.url === '/a.svg') return void response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(svg());
      void opened.then(() =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<link rel=icon href=a.svg>'),
      );
    });
    const at = () => server.get(logo('fallback=site,monogram&wait=0', 'slow.example.org'), key);
    const first = await at();
    expect(first.headers.get('x-blazon-fallback')).to.equal('monogram');
    expect(first.headers.get('cache-control')).to.equal('private, max-age=60');
    const { raw } = await pageKey(server);
    const inPage = await server.get(logo(`fallback=site,monogram&wait=0&key=${raw}`, 'slow.example.org'));
    expect(inPage.headers.get('cache-control')).to.equal('public, max-age=60');
    const withHeader = await server.get(logo('fallback=site,monogram&wait=0&format=svg', 'slow.example.org'), raw, {
      Origin: 'https://page.example',
    });
    expect(withHeader.headers.get('vary')).to.equal('X-API-Key, Accept-Encoding');
    release();
    for (let tries = 0; tries < 200; tries++) {
      if ((await at()).headers.get('x-blazon-fallback') === 'site') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect.fail('the icon did not arrive');
  });

  it('serves hosts of private networks that the operator named', async () => {
    site.answer({ '/': '<link rel=icon href=a.svg>', '/a.svg': svg() });
    expect((await server.get(logo('fallback=site', 'intranet'), key)).headers.get('x-blazon-fallback')).to.equal(
      'site',
    );
    expect((await server.get(logo('fallback=site', 'other.internal'), key)).status).to.equal(404);
    expect((await server.get(logo('fallback=site', '127.0.0.1'), key)).status).to.equal(404);
  });

  it('names the allowed values of wrong parameters', async () => {
    for (const query of [
      'fallback=',
      'fallback=site,',
      'fallback=icon',
      'fallback=site,site,site,site,site',
      'wait=6',
      'wait=-1',
    ])
      expect((await server.get(logo(query), key)).status, query).to.equal(400);
  });
});
