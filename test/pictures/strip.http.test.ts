// GET /v1/strip
import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { decode } from '../support/pictures.js';
import { pageKey } from '../support/page-keys.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

const SIZE = 48;
const GAP = 12;

describe('strip of logos over HTTP', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const get = (query: string, headers: Record<string, string> = {}) => server.get(`/v1/strip?${query}`, key, headers);
  const text = async (query: string) => {
    const response = await get(query);
    expect(response.status, query).to.equal(200);
    return response.text();
  };
  const png = async (query: string) => Buffer.from(await (await get(`format=png&${query}`)).arrayBuffer());

  it('has rows of cells, as SVG and as PNG', async () => {
    const query = 'icons=microsoft,figma,slack,github,react&perline=2&size=32&gap=8';
    const svg = await get(query);
    expect(svg.headers.get('content-type')).to.equal('image/svg+xml');
    expect(svg.headers.get('content-security-policy')).to.include('sandbox');
    expect(await svg.text()).to.match(/^<svg xmlns="[^"]*" width="72" height="112" viewBox="0 0 72 112">/);
    const { format, width, height } = await sharp(await png(query)).metadata();
    expect({ format, width, height }).to.deep.equal({ format: 'png', width: 72, height: 112 });
  });

  it('has rows of 15 cells of 48 px by default, with gaps of a quarter', async () => {
    const sixteen = `icons=${Array(16).fill('github').join()}`;
    expect(await text(sixteen)).to.match(/^<svg xmlns="[^"]*" width="888" height="108" /);
    expect(await text(`${sixteen}&size=66`)).to.match(/^<svg xmlns="[^"]*" width="1228" height="149" /);
  });

  it('gives drawings equal ink rather than equal boxes', async () => {
    // The entries include a full square, a disc, and outlines.
    const icons = ['microsoft', 'facebook', 'github', 'figma', 'slack', 'docker', 'linux'];
    const strip = await png(`icons=${icons.join()}&size=${SIZE}&gap=${GAP}`);
    const inStrip = await Promise.all(
      icons.map((_, index) =>
        inkOf(sharp(strip).extract({ left: index * (SIZE + GAP), top: 0, width: SIZE, height: SIZE })),
      ),
    );
    const inBoxes = await Promise.all(
      icons.map(async (icon) => {
        const response = await server.get(`/v1/png/${icon}?size=${SIZE}&trim=1&on=light`, key);
        return inkOf(sharp(Buffer.from(await response.arrayBuffer())));
      }),
    );
    expect(spread(inStrip)).to.be.lessThan(spread(inBoxes) / 2);
    expect(Math.max(...inStrip) / Math.min(...inStrip)).to.be.lessThan(2);
  });

  it('gives each drawing unique ids, even if one appears twice', async () => {
    const svg = await text('icons=figma,instagram,firefox,figma,instagram&theme=auto&fallback=skip&tile=circle');
    const ids = [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect(ids).to.have.length.greaterThan(2);
    expect(new Set(ids)).to.have.property('size', ids.length);
    const targets = [...svg.matchAll(/(?:url\(| href=")#([^")]*)/g)].map(([, id]) => id!);
    expect(ids).to.include.members(targets);
  });

  it('follows the color scheme only with `auto`, inside the SVG', async () => {
    const auto = await text('icons=github,docker');
    expect(auto).to.include('@media (prefers-color-scheme:dark)');
    expect(await text('icons=github,docker&theme=auto')).to.equal(auto);
    for (const theme of ['light', 'dark'])
      expect(await text(`icons=github,docker&theme=${theme}`)).not.to.include('<style>');
    const [light, dark] = await Promise.all(
      ['light', 'dark'].map(async (theme) => {
        const { rgba } = await decode(await png(`icons=github&theme=${theme}`));
        return rgba[rgba.findIndex((alpha, at) => at % 4 === 3 && alpha === 255) - 3];
      }),
    );
    expect(light).to.be.lessThan(60);
    expect(dark).to.be.greaterThan(200);
    await expectError(await get('icons=github&format=png&theme=auto'), 400, 'invalid_request');
  });

  it('has tiles behind the drawings', async () => {
    for (const tile of ['rounded', 'circle']) {
      const svg = await text(`icons=docker,figma&tile=${tile}&theme=light`);
      expect(svg.match(/<rect fill="#f1f3f5"/g), tile).to.have.length(2);
    }
    const { channels } = await sharp(await png('icons=docker&tile=circle&theme=dark&size=64')).stats();
    expect(channels[3]!.min, 'corners').to.equal(0);
  });

  it('has titles with `titles=1`, for SVG alone', async () => {
    expect(await text('icons=docker')).not.to.include('<title>');
    const svg = await text('icons=docker,github&titles=1');
    expect([...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).to.deep.equal(['Docker', 'GitHub']);
    await expectError(await get('icons=docker&titles=1&format=png'), 400, 'invalid_request');
    expect((await get('icons=docker&titles=0&format=png')).status).to.equal(200);
  });

  it('names unknown icons, unless there is a fallback', async () => {
    const { message } = await expectError(
      await get('icons=github,no-such-a,docker,no-such-b,no-such-a'),
      404,
      'not_found',
    );
    expect(message).to.include('"no-such-a", "no-such-b"').and.not.include('github');
    const many = Array.from({ length: 99 }, (_, index) => `no-${'such'.repeat(20)}-${index}`);
    const long = await expectError(await get(`icons=github,${many.join()}`), 404, 'not_found');
    expect(long.message).to.have.length.lessThan(2000).and.to.include('89 more');
    const skipped = await text('icons=github,no-such-a,docker&fallback=skip&titles=1');
    expect(skipped).to.equal(await text('icons=github,docker&titles=1'));
    const monogram = await text('icons=github,no-such-a&fallback=monogram&titles=1');
    expect(monogram).to.include('<title>no-such-a</title>');
    expect((await png('icons=no-such-a&fallback=monogram')).length).to.be.greaterThan(100);
    await expectError(await get('icons=no-such-a&fallback=skip'), 404, 'not_found');
  });

  it('counts one for each logo, in the bucket of the format', async () => {
    const customer = await server.key('free');
    const ask = (query: string, headers: Record<string, string> = {}) =>
      server.get(`/v1/strip?${query}`, customer, headers);
    const first = await ask('icons=github,docker,figma');
    expect(first.headers.get('ratelimit')).to.match(/^"svg-day";r=997;/);
    await ask('icons=github,docker&format=png');
    await ask('icons=github,no-such,docker&fallback=skip&format=png');
    expect(await server.used(customer)).to.include({ svg: 3, png: 4 });
    const held = await ask('icons=github,docker,figma', { 'If-None-Match': first.headers.get('etag')! });
    expect(held.status).to.equal(304);
    expect((await ask('icons=github,no-such')).status).to.equal(404);
    const since = await ask('icons=github,docker,figma', { 'If-Modified-Since': first.headers.get('last-modified')! });
    expect(since.status).to.equal(304);
    const head = await fetch(`${server.base}/v1/strip?icons=github,docker,figma`, {
      method: 'HEAD',
      headers: { 'X-API-Key': customer },
    });
    expect(head.headers.get('etag')).to.equal(first.headers.get('etag'));
    expect(await server.used(customer)).to.include({ svg: 3, png: 4 });
    await server.setUsed(customer, 'svg', 998);
    await expectError(await ask('icons=github,docker,figma'), 429, 'quota_exceeded');
    expect((await ask('icons=github,docker')).status).to.equal(200);
  });

  it("prefers the account's own brands to public ones, with the same measurement", async () => {
    const { apiKey } = await server.customer('pro');
    const put = (path: string, type: string, body: string) =>
      fetch(`${server.base}/v1/brands/${path}`, {
        method: 'PUT',
        headers: { 'X-API-Key': apiKey, 'Content-Type': type },
        body,
      });
    const square =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#0a64c8" fill-rule="evenodd" d="M0 0h10v10H0zm4 4v2h2V4z"/></svg>';
    for (const [slug, title] of [
      ['acme-works', 'Acme Works'],
      ['docker', 'Our Docker'],
    ] as const) {
      expect((await put(slug, 'application/json', JSON.stringify({ title }))).status).to.equal(201);
      expect((await put(`${slug}/variants/default`, 'image/svg+xml', square)).status).to.equal(201);
    }
    const strip = await server.get('/v1/strip?icons=acme-works,docker,figma&titles=1&size=100&theme=light', apiKey);
    const svg = await strip.text();
    expect(strip.status, svg).to.equal(200);
    expect([...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).to.deep.equal([
      'Acme Works',
      'Our Docker',
      'Figma',
    ]);
    // The drawing is nearly a full square. Its side is 71 % of the cell if its visible pixels cover half of the cell.
    expect(Number(/<svg x="[\d.]*" y="[\d.]*" width="([\d.]*)"/.exec(svg)?.[1])).to.be.within(70, 75);
    const icon = await server.get('/v1/favicon/acme-works/favicon.ico', apiKey);
    expect([icon.status, icon.headers.get('x-blazon-slug')]).to.deep.equal([200, 'acme-works']);
    for (const file of ['favicon.ico', 'icon.svg', 'icon-192.png', 'manifest.webmanifest', 'favicon.zip']) {
      const { headers } = await server.get(`/v1/favicon/acme-works/${file}`, apiKey);
      expect(headers.get('cache-control'), file).to.equal('private, no-cache');
    }
    await expectError(await get('icons=acme-works,figma'), 404, 'not_found');
  });

  it('accepts a publishable key, for all caches', async () => {
    const { raw } = await pageKey(server, { dailyLimit: 3 });
    const response = await server.get(`/v1/strip?icons=github,docker&key=${raw}`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('public, max-age=86400, stale-while-revalidate=604800');
    expect(response.headers.get('ratelimit')).to.match(/^"key-day";r=1;/);
    await expectError(await server.get(`/v1/strip?icons=github,docker&key=${raw}`), 429, 'quota_exceeded');
  });

  it('rejects unknown parameters by name', async () => {
    for (const [query, field] of [
      ['', 'icons'],
      ['icons=', 'icons'],
      ['icons=github,,docker', 'icons'],
      ['icons=git%20hub', 'icons'],
      [`icons=${'a,'.repeat(100)}a`, 'icons'],
      ['icons=github&format=webp', 'format'],
      ['icons=github&theme=sepia', 'theme'],
      ['icons=github&perline=0', 'perline'],
      ['icons=github&perline=51', 'perline'],
      ['icons=github&size=15', 'size'],
      ['icons=github&size=129', 'size'],
      ['icons=github&gap=129', 'gap'],
      ['icons=github&tile=hexagon', 'tile'],
      ['icons=github&fallback=transparent', 'fallback'],
      [`icons=${Array(50).fill('github').join()}&format=png&size=128&perline=50`, 'size'],
    ] as const) {
      const response = await get(query);
      if (query === '') await expectError(response, 400, 'invalid_request');
      else await expectInvalid(response, field);
    }
  });
});

/** Returns the sum of the alpha values. The unit is one opaque pixel. */
async function inkOf(picture: Sharp): Promise<number> {
  const { data } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  let sum = 0;
  for (let at = 3; at < data.length; at += 4) sum += data[at]!;
  return sum / 255;
}

function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) / mean;
}
