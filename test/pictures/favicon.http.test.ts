// GET /v1/favicon/{name}/{file}
import { expect } from 'chai';
import decodeIco from 'decode-ico';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { pageKey } from '../support/page-keys.js';
import { decode } from '../support/pictures.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

const SET = [
  'favicon.ico',
  'icon.svg',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'icon-mask.png',
  'manifest.webmanifest',
  'head.html',
];

describe('icons of a site over HTTP', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const get = (path: string) => server.get(`/v1/favicon/${path}`, key);
  const bytes = async (path: string): Promise<Buffer> => {
    const response = await get(path);
    expect(response.status, path).to.equal(200);
    return Buffer.from(await response.arrayBuffer());
  };

  it('has a real ICO file with 16, 32 and 48 px', async () => {
    const response = await get('docker/favicon.ico');
    expect(response.headers.get('content-type')).to.equal('image/x-icon');
    const images = decodeIco(await bytes('docker/favicon.ico'));
    expect(images.map(({ width, height, type }) => [width, height, type])).to.deep.equal(
      [16, 32, 48].map((side) => [side, side, 'png']),
    );
    for (const { width, data } of images) {
      const picture = await server.get(`/v1/png/docker?size=${width}&trim=1&on=light`, key);
      expect(Buffer.compare(Buffer.from(data), Buffer.from(await picture.arrayBuffer())), String(width)).to.equal(0);
    }
  });

  it('have the sizes that their names state, with a background if needed', async () => {
    for (const [file, side, isOpaque] of [
      ['apple-touch-icon.png', 180, true],
      ['icon-192.png', 192, false],
      ['icon-512.png', 512, false],
      ['icon-mask.png', 512, true],
    ] as const) {
      const picture = await bytes(`docker/${file}`);
      const { width, height, format } = await sharp(picture).metadata();
      expect({ width, height, format }, file).to.deep.equal({ width: side, height: side, format: 'png' });
      const { isOpaque: opaque } = await sharp(picture).ensureAlpha().stats();
      expect(opaque, file).to.equal(isOpaque);
    }
    expect(await corner('docker/apple-touch-icon.png')).to.deep.equal([255, 255, 255, 255]);
    expect(await corner('docker/apple-touch-icon.png?on=dark')).to.deep.equal([13, 17, 23, 255]);
    expect(await corner('docker/icon-192.png?background=0a64c8')).to.deep.equal([10, 100, 200, 255]);
    expect((await corner('docker/icon-192.png'))[3]).to.equal(0);
  });

  it('keep the whole drawing in the safe zone of a mask', async () => {
    for (const slug of ['microsoft', 'docker', 'facebook', 'figma', 'airbnb']) {
      const { rgba, width } = await decode(await bytes(`${slug}/icon-mask.png`));
      let [outside, inside] = [0, 0];
      for (let at = 0; at < rgba.length; at += 4) {
        if (Math.min(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!) > 250) continue;
        const [x, y] = [((at / 4) % width) + 0.5 - width / 2, Math.floor(at / 4 / width) + 0.5 - width / 2];
        // Antialiasing may color one pixel beyond the circle.
        if (Math.hypot(x, y) > 0.4 * width + 1) outside += 1;
        else inside += 1;
      }
      expect(outside, slug).to.equal(0);
      expect(inside, slug).to.be.greaterThan(0.08 * width * width);
    }
  });

  it('contain an SVG with a form for dark pages, unless one is chosen', async () => {
    const svg = (await bytes('github/icon.svg')).toString();
    expect(svg)
      .to.match(/^<svg xmlns="[^"]*" viewBox="0 0 64 64">/)
      .and.include('@media (prefers-color-scheme:dark)');
    for (const query of ['on=dark', 'background=fff', 'color=f00', 'variant=mono&color=brand'])
      expect((await bytes(`github/icon.svg?${query}`)).toString(), query).not.to.include('<style>');
    expect((await bytes('github/icon.svg?background=0a64c8')).toString()).to.include('<rect fill="#0a64c8"');
    for (const color of ['ff0000', '00ff00'])
      expect((await bytes(`github/icon.svg?color=${color}`)).toString()).to.include(`#${color}`);
  });

  it('have a manifest with their URLs, including the query of the request', async () => {
    const response = await get('docker/manifest.webmanifest');
    expect(response.headers.get('content-type')).to.equal('application/manifest+json');
    const manifest = (await response.json()) as {
      name: string;
      icons: { src: string; sizes: string; purpose?: string }[];
    };
    expect(manifest.name).to.equal('Docker');
    expect(manifest.icons.map(({ src, sizes, purpose }) => [src, sizes, purpose])).to.deep.equal([
      ['icon-192.png', '192x192', undefined],
      ['icon-512.png', '512x512', undefined],
      ['icon-mask.png', '512x512', 'maskable'],
    ]);
    const { raw } = await pageKey(server);
    const inPage = await server.get(`/v1/favicon/docker/manifest.webmanifest?background=fff&key=${raw}`);
    const { icons } = (await inPage.json()) as typeof manifest;
    for (const { src } of icons) {
      expect(src).to.match(/\.png\?background=fff&key=blzp_/);
      expect((await fetch(new URL(src, inPage.url))).status).to.equal(200);
    }
  });

  it('are all in an archive, with the HTML to paste', async () => {
    const response = await get('docker/favicon.zip?background=fff');
    expect(response.headers.get('content-type')).to.equal('application/zip');
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="docker-favicon.zip"');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).to.deep.equal(SET);
    for (const name of SET) {
      if (name === 'manifest.webmanifest') continue;
      expect(Buffer.compare(files[name]!, await bytes(`docker/${name}?background=fff`)), name).to.equal(0);
    }
    const html = Buffer.from(files['head.html']!).toString();
    const linked = [...html.matchAll(/href="\/([^"]*)"/g)].map(([, name]) => name!);
    expect(SET).to.include.members(linked);
    expect((await get('docker/head.html')).headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const again = await bytes('docker/favicon.zip?background=fff');
    expect(response.headers.get('etag')).to.equal((await get('docker/favicon.zip?background=fff')).headers.get('etag'));
    expect(unzipSync(again)).to.deep.equal(files);
  });

  it('are cached like pictures, and the SVG cannot run scripts', async () => {
    const { raw } = await pageKey(server);
    for (const file of [...SET, 'favicon.zip']) {
      const { headers } = await get(`docker/${file}`);
      expect(headers.get('cache-control'), file).to.equal('private, max-age=86400, stale-while-revalidate=604800');
      expect(headers.get('vary'), file).to.match(/^X-API-Key(?:, Accept-Encoding)?$/);
      const inPage = await server.get(`/v1/favicon/docker/${file}?key=${raw}`);
      expect(inPage.headers.get('cache-control'), file).to.equal(
        'public, max-age=86400, stale-while-revalidate=604800',
      );
      expect(inPage.headers.get('vary') ?? '', file).to.not.match(/x-api-key/i);
      expect(inPage.headers.get('x-blazon-slug'), file).to.equal('docker');
    }
    expect((await get('docker/icon.svg')).headers.get('content-security-policy')).to.equal(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  it('keep the drawing 12 % away from the edge of a background in the SVG, and fill it without one', async () => {
    for (const [query, margin] of [
      ['', 0],
      ['?background=0a64c8', 0.12 * 64],
    ] as const) {
      const svg = (await bytes(`figma/icon.svg${query}`)).toString();
      const place = /<svg x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/.exec(svg)!.slice(1, 5).map(Number);
      const [x = 0, y = 0, width = 0, height = 0] = place;
      expect(Math.max(width, height), query).to.be.closeTo(64 - 2 * margin, 0.001);
      for (const middle of [x + width / 2, y + height / 2]) expect(middle, query).to.be.closeTo(32, 0.001);
    }
  });

  it('have a manifest in the archive whose URLs have no query, because its files have none', async () => {
    const files = unzipSync(new Uint8Array(await bytes('docker/favicon.zip?background=0a64c8')));
    const manifest = JSON.parse(Buffer.from(files['manifest.webmanifest']!).toString()) as {
      background_color: string;
      icons: { src: string }[];
    };
    expect(manifest.background_color).to.equal('#0a64c8');
    expect(manifest.icons.map(({ src }) => src)).to.deep.equal(['icon-192.png', 'icon-512.png', 'icon-mask.png']);
  });

  it('counts one in the PNG bucket, the archive five', async () => {
    const customer = await server.key('free');
    for (const file of SET) expect((await server.get(`/v1/favicon/docker/${file}`, customer)).status).to.equal(200);
    expect(await server.used(customer)).to.include({ png: SET.length, svg: 0 });
    const archive = await server.get('/v1/favicon/docker/favicon.zip', customer);
    expect(archive.status).to.equal(200);
    expect(await server.used(customer)).to.include({ png: SET.length + 5 });
    const conditions: readonly Record<string, string>[] = [
      { 'If-None-Match': archive.headers.get('etag')! },
      { 'If-Modified-Since': archive.headers.get('last-modified')! },
    ];
    for (const headers of conditions)
      expect((await server.get('/v1/favicon/docker/favicon.zip', customer, headers)).status).to.equal(304);
    expect(await server.used(customer)).to.include({ png: SET.length + 5 });
  });

  it('finds the brand of a domain, and redirects aliases', async () => {
    const byDomain = await get('gist.github.com/favicon.ico');
    expect(byDomain.headers.get('x-blazon-slug')).to.equal('github');
    expect(byDomain.headers.get('etag')).to.equal((await get('github/favicon.ico')).headers.get('etag'));
    const alias = await get('k8s/icon.svg?on=dark');
    expect(alias.status).to.equal(308);
    expect(alias.headers.get('location')).to.equal('/v1/favicon/kubernetes/icon.svg?on=dark');
    await expectError(await get('no-such-brand/favicon.ico'), 404, 'not_found');
    await expectError(await get('nobody-knows-this.com/favicon.ico'), 404, 'not_found');
  });

  it('reject unknown names and parameters by name', async () => {
    const { details } = await expectError(await get('docker/favicon.gif'), 400, 'invalid_request');
    expect(details).to.have.nested.property('[0].reason', 'not one of the allowed values');
    for (const [path, field] of [
      ['docker/favicon.gif', 'file'],
      ['a%20b/favicon.ico', 'name'],
      ['docker%5E/favicon.ico', 'name'],
      ['docker/favicon.ico?background=ffffff80', 'background'],
      ['docker/favicon.ico?background=transparent', 'background'],
      ['docker/favicon.ico?variant=no-such-variant', 'variant'],
      ['docker/favicon.ico?size=16', 'size'],
      ['docker/favicon.ico?on=grey', 'on'],
    ] as const)
      await expectInvalid(await get(path), field);
  });

  async function corner(path: string): Promise<number[]> {
    const { rgba } = await decode(await bytes(path));
    return [...rgba.slice(0, 4)];
  }
});
