// Icons of sites in the /compat routes, which accept URLs of similar services, such as Clearbit.
import { expect } from 'chai';
import decodeIco from 'decode-ico';
import sharp from 'sharp';
import { pageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';
import { png, startSite, svg, type Site } from './sites.js';

const HOST = 'compat-site.example.org';
/** URL that returns the icon of a site → media type of the response. */
const ADDRESSES: Readonly<Record<string, string>> = {
  [`clearbit/${HOST}?size=64`]: 'image/png',
  [`logodev/${HOST}?size=64`]: 'image/jpeg',
  [`brandfetch/${HOST}/w/64/h/64/icon.png`]: 'image/png',
  [`google/s2/favicons?domain=${HOST}&sz=64`]: 'image/png',
  [`google/faviconV2?url=https://${HOST}&size=64`]: 'image/png',
  [`bitwarden/${HOST}/icon.png`]: 'image/png',
  [`besticon/icon?url=${HOST}&size=64`]: 'image/png',
  [`duckduckgo/ip3/${HOST}.ico`]: 'image/x-icon',
};

describe('icons of sites at addresses of other services', () => {
  let site: Site;
  let server: TestServer;
  let key: string;
  before(async () => {
    site = await startSite({ '/': '<link rel=icon href=a.png>', '/a.png': await png(64) });
    const none = `none.example.org=${site.origin}`;
    server = await startServer({ SITE_ICONS: 'on', SITE_ICON_ORIGINS: `${HOST}=${site.origin},${none}` });
    key = (await pageKey(server)).raw;
  });
  after(async () => {
    await server.close();
    await site.close();
  });

  it('answer where the original service fetches icons', async () => {
    for (const [address, type] of Object.entries(ADDRESSES)) {
      const answer = await server.get(`/compat/${key}/${address}`);
      expect([answer.status, answer.headers.get('content-type')], address).to.deep.equal([200, type]);
      expect(answer.headers.get('x-blazon-fallback'), address).to.equal('site');
      expect(answer.headers.get('x-blazon-source'), address).to.equal(`https://${HOST}/a.png`);
      expect(answer.headers.get('cache-control'), address).to.equal('public, max-age=3600');
      const again = await server.get(`/compat/${key}/${address}`);
      const etag = again.headers.get('etag') ?? '';
      const held = await server.get(`/compat/${key}/${address}`, undefined, { 'If-None-Match': etag });
      expect(held.status, address).to.equal(304);
    }
    expect(site.requests.filter((path) => path === '/a.png')).to.have.length(1);
  });

  it('contain the sides of an ICO file for which the icon is large enough', async () => {
    const answer = await server.get(`/compat/${key}/duckduckgo/ip3/${HOST}.ico`);
    const frames = decodeIco(Buffer.from(await answer.arrayBuffer()));
    expect(frames.map(({ width }) => width)).to.deep.equal([16, 32, 48]);
  });

  it('keep the fallbacks of the original for a site without an icon', async () => {
    site.answer({ '/': '<title>none</title>' });
    const at = (address: string) => server.get(`/compat/${key}/${address}`);
    expect((await at('clearbit/none.example.org')).status).to.equal(404);
    const globe = await at('google/s2/favicons?domain=none.example.org');
    expect([globe.status, globe.headers.get('content-type')]).to.deep.equal([404, 'image/png']);
    expect((await at('logodev/none.example.org')).headers.get('x-blazon-fallback')).to.equal('monogram');
    expect((await at('duckduckgo/ip3/none.example.org.ico')).status).to.equal(404);
    expect((await at('simpleicons/none.example.org')).status).to.equal(404);
  });

  it('show a brand if there is one, without a request to the site', async () => {
    const answer = await server.get(`/compat/${key}/clearbit/github.com`);
    expect(answer.headers.get('x-blazon-slug')).to.equal('github');
    expect(answer.headers.get('x-blazon-fallback')).to.equal(null);
  });
});

describe('greyscale icons of sites', () => {
  it('are grey in every format', async () => {
    const site = await startSite({ '/': '<link rel=icon href=a.png>', '/a.png': await png(64) });
    const hosts = { 'grey.example.org': site.origin };
    const origins = Object.entries(hosts).map((pair) => pair.join('='));
    const server = await startServer({ SITE_ICONS: 'on', SITE_ICON_ORIGINS: origins.join() });
    const key = await server.key();
    const logo = (query: string) => server.get(`/v1/logo/grey.example.org?fallback=site&greyscale=1&${query}`, key);
    const body = Buffer.from(await (await logo('size=64')).arrayBuffer());
    const { data } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([data[0], data[3]]).to.deep.equal([data[1], 255]);
    expect(data[0]).to.equal(data[2]);
    const drawn = await sharp(Buffer.from(await (await logo('format=svg&size=64')).arrayBuffer()))
      .ensureAlpha()
      .raw()
      .toBuffer();
    expect(Math.abs((drawn[0] ?? 0) - (drawn[2] ?? 0))).to.be.at.most(1);
    expect(Math.abs((drawn[0] ?? 0) - (data[0] ?? 0))).to.be.at.most(2);
    await server.close();
    await site.close();
  });

  it('are off by default, so that no answer causes a request', async () => {
    const site = await startSite({ '/': '<link rel=icon href=a.svg>', '/a.svg': svg() });
    const server = await startServer({ SITE_ICON_ORIGINS: `off.example.org=${site.origin}` });
    const key = await server.key();
    const answer = await server.get('/v1/logo/off.example.org?fallback=site,monogram', key);
    expect(answer.headers.get('x-blazon-fallback')).to.equal('monogram');
    expect((await server.get('/v1/logo/off.example.org?fallback=site', key)).status).to.equal(404);
    expect(site.requests).to.deep.equal([]);
    await server.close();
    await site.close();
  });
});
