// GET /v1/logo/{domain}
import { expect } from 'chai';
import sharp from 'sharp';
import { pageKey } from '../support/page-keys.js';
import { GLYPHS } from '../../src/pictures/glyphs.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

describe('logo of a domain over HTTP', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  const get = (path: string, headers: Record<string, string> = {}) => server.get(path, key, headers);
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('is the picture of the brand, PNG unless another format is requested', async () => {
    for (const [query, path, type] of [
      ['', '/v1/png/github', 'image/png'],
      ['?format=png', '/v1/png/github', 'image/png'],
      ['?format=svg&size=64', '/v1/svg/github?size=64', 'image/svg+xml'],
      ['?size=40&format=webp&quality=80', '/v1/webp/github?size=40&quality=80', 'image/webp'],
      ['?greyscale=1&fallback=monogram', '/v1/png/github?greyscale=1', 'image/png'],
      [
        '?variant=default&background=%23ff0000&padding=5',
        '/v1/png/github?variant=default&background=%23ff0000&padding=5',
        'image/png',
      ],
    ] as const) {
      const logo = await get(`/v1/logo/github.com${query}`);
      expect(logo.status, query).to.equal(200);
      expect(logo.headers.get('content-type'), query).to.equal(type);
      expect(logo.headers.get('content-location'), query).to.equal(path);
      expect(logo.headers.get('x-blazon-slug'), query).to.equal('github');
      const picture = await get(path);
      for (const name of [
        'etag',
        'last-modified',
        'cache-control',
        'vary',
        'content-length',
        'content-security-policy',
      ])
        expect(logo.headers.get(name), `${query} ${name}`).to.equal(picture.headers.get(name));
      expect(Buffer.compare(await bytes(logo), await bytes(picture)), query).to.equal(0);
    }
  });

  it('finds the same brands as GET /v1/brand', async () => {
    for (const domain of [
      'github.com',
      'GitHub.COM',
      'www.github.com',
      'gist.github.com',
      'aws.amazon.com',
      'mail.google.com',
      'google.de',
      'https://github.com/nodejs/node?tab=readme#top',
      'github.com:443',
      'gov.uk',
      'nhs.uk',
    ]) {
      const brand = await get(`/v1/brand?domain=${encodeURIComponent(domain)}`);
      const logo = await get(`/v1/logo/${encodeURIComponent(domain)}?format=svg`);
      expect(logo.status, domain).to.equal(brand.status);
      if (brand.status !== 200) continue;
      const { slug } = ((await brand.json()) as { brand: { slug: string } }).brand;
      expect(logo.headers.get('x-blazon-slug'), domain).to.equal(slug);
      expect(logo.headers.get('content-location'), domain).to.equal(`/v1/svg/${slug}`);
    }
  });

  it('accepts IDN in Unicode and in ASCII', async () => {
    const [unicode, ascii] = await Promise.all(
      ['münchen.example.com', 'xn--mnchen-3ya.example.com'].map((domain) =>
        get(`/v1/logo/${encodeURIComponent(domain)}?fallback=monogram`),
      ),
    );
    expect(unicode!.status).to.equal(200);
    expect(unicode!.headers.get('etag')).to.equal(ascii!.headers.get('etag'));
    const named = await get(`/v1/logo/${encodeURIComponent('例え.jp')}?fallback=monogram&download=1`);
    expect(named.status).to.equal(200);
    expect(named.headers.get('content-disposition')).to.equal('attachment; filename="xn--r8jz45g.jp.png"');
  });

  it('answers an unknown domain by its fallback', async () => {
    for (const query of ['', '?fallback=404', '?format=svg']) {
      await expectError(await get(`/v1/logo/shop.nobody-knows-this.com${query}`), 404, 'not_found');
    }
    const monogram = await get('/v1/logo/www.nobody-knows-this.com?fallback=monogram&format=svg&size=64');
    expect(monogram.status).to.equal(200);
    expect(monogram.headers.get('x-blazon-fallback')).to.equal('monogram');
    expect(monogram.headers.get('x-blazon-slug')).to.equal(null);
    expect(monogram.headers.get('content-location')).to.equal(null);
    const published = (await server.stores.catalog.state())!.publishedAt;
    expect(monogram.headers.get('last-modified')).to.equal(new Date(published).toUTCString());
    const svg = await monogram.text();
    // N and K are the initials of the first two words of the domain name.
    const letters = [...svg.matchAll(/<path [^>]*d="([^"]+)"/g)].map(([, path]) => path);
    expect(letters).to.deep.equal(['N', 'K'].map((letter) => GLYPHS[letter]!.replace(/^[^M]*/, '')));
    const sub = await get('/v1/logo/shop.nobody-knows-this.com?fallback=monogram&format=svg&size=64');
    expect(sub.headers.get('etag')).to.equal(monogram.headers.get('etag'));
    const transparent = await get('/v1/logo/nobody-knows-this.com?fallback=transparent&size=16');
    expect(transparent.headers.get('x-blazon-fallback')).to.equal('transparent');
    const { channels } = await sharp(await bytes(transparent))
      .ensureAlpha()
      .stats();
    expect(channels[3]!.max).to.equal(0);
    expect((await get('/v1/logo/github.com?fallback=monogram')).headers.get('x-blazon-fallback')).to.equal(null);
  });

  it('is JPEG on its background, by default on white, and counts as PNG', async () => {
    const customer = await server.key('free');
    for (const [query, ground] of [
      ['', [255, 255, 255]],
      ['&background=00f', [0, 0, 255]],
      ['&background=00f8', [119, 119, 255]],
    ] as const) {
      const response = await server.get(`/v1/logo/github.com?format=jpg&size=64&padding=20${query}`, customer);
      expect(response.headers.get('content-type'), query).to.equal('image/jpeg');
      expect(response.headers.get('content-location'), 'it has no other address').to.equal(null);
      expect(response.headers.get('x-blazon-slug')).to.equal('github');
      const { data, info } = await sharp(await bytes(response))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height, info.channels]).to.deep.equal([64, 64, 3]);
      for (const [channel, level] of ground.entries()) expect(data[channel], query).to.be.within(level - 3, level + 3);
    }
    expect(await server.used(customer)).to.include({ png: 3, svg: 0, webp: 0 });
    await expectInvalid(await get('/v1/logo/github.com?format=jpg&quality=80'), 'quality');
  });

  it("counts in the format's bucket, and names it", async () => {
    const customer = await server.key('free');
    for (const [query, bucket] of [
      ['', 'png'],
      ['?format=svg', 'svg'],
      ['?format=webp', 'webp'],
      ['?format=webp', 'webp'],
    ] as const) {
      const response = await server.get(`/v1/logo/github.com${query}`, customer);
      expect(response.headers.get('ratelimit')).to.match(new RegExp(`^"${bucket}-day";`));
    }
    expect(await server.used(customer)).to.include({ png: 1, svg: 1, webp: 2 });
    const etag = (await get('/v1/logo/github.com?format=svg')).headers.get('etag') ?? '';
    const fresh = await server.get('/v1/logo/github.com?format=svg', customer, { 'If-None-Match': etag });
    expect(fresh.status).to.equal(304);
    expect(fresh.headers.get('content-location')).to.equal('/v1/svg/github');
    expect((await server.get('/v1/logo/nobody-knows-this.com?format=svg', customer)).status).to.equal(404);
    expect(
      (await server.get('/v1/logo/nobody-knows-this.com?format=svg&color=f00&fallback=monogram', customer)).status,
    ).to.equal(200);
    expect(await server.used(customer)).to.include({ png: 1, svg: 2, webp: 2 });
    await server.setUsed(customer, 'svg', 1_000_000);
    const spent = await server.get('/v1/logo/github.com?format=svg', customer);
    expect(spent.status).to.equal(429);
    expect((await server.get('/v1/logo/github.com', customer)).status).to.equal(200);
  });

  it('is cached for a year with the revision, and redirects an outdated one to the URL without', async () => {
    const { revision } = (await (await get('/v1/catalog/github')).json()) as { revision: string };
    const current = await get(`/v1/logo/github.com?v=${revision}`);
    expect(current.headers.get('cache-control')).to.equal('private, max-age=31536000, immutable');
    expect(current.headers.get('content-location')).to.equal(`/v1/png/github?v=${revision}`);
    const old = await get('/v1/logo/github.com?v=0123456789ab&format=svg');
    expect(old.status).to.equal(308);
    expect(old.headers.get('location')).to.equal('/v1/logo/github.com?format=svg');
  });

  it('accepts a publishable key, which Content-Location omits', async () => {
    const { raw } = await pageKey(server, { dailyLimit: 5 });
    const response = await server.get(`/v1/logo/github.com?size=40&key=${raw}&format=svg`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-location')).to.equal('/v1/svg/github?size=40');
    expect(response.headers.get('x-blazon-slug')).to.equal('github');
    expect(response.headers.get('cache-control')).to.equal('public, max-age=86400, stale-while-revalidate=604800');
    expect(response.headers.get('vary') ?? '').not.to.match(/x-api-key/i);
    expect(response.headers.get('ratelimit'), 'of the key, not of the account').to.match(/^"key-day";/);
  });

  it('omits its own parameters from Content-Location, which names the same picture', async () => {
    const logo = await get('/v1/logo/github.com?format=png&size=40&fallback=site,monogram&wait=2&radius=5');
    const location = logo.headers.get('content-location') ?? '';
    expect(location).to.equal('/v1/png/github?size=40&radius=5');
    const picture = await get(location);
    expect(picture.status).to.equal(200);
    expect(Buffer.from(await picture.arrayBuffer()).equals(Buffer.from(await logo.arrayBuffer()))).to.equal(true);
  });

  it('rejects invalid domains by name', async () => {
    for (const domain of [
      '%20',
      'a%20b.com',
      '-.com',
      '%E0%A4%A',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(200)}com`,
      '..',
      'github..com',
    ]) {
      const response = await get(`/v1/logo/${domain === '..' ? '%2E%2E%2E' : domain}`);
      const { details } = await expectError(response, 400, 'invalid_request');
      expect(details, domain).to.have.nested.property('[0].field', 'domain');
    }
    // Unknown hosts get a fallback picture. Invalid hosts get status 400.
    expect((await get('/v1/logo/-.com?fallback=monogram')).status).to.equal(400);
  });

  for (const [host, reason] of [
    ['github', 'is a single label'],
    ['jira', 'is a single label'],
    ['nas.local', 'does not end in a known top-level domain'],
    ['a.b.invalid', 'does not end in a known top-level domain'],
    ['10.0.0.7', 'is an IP address'],
    ['10.0.0.7:8080', 'is an IP address'],
    ['[fd00::1]', 'is an IP address'],
    ['com', 'is a single label'],
    ['co.uk', 'is a public suffix'],
  ] as const)
    it(`answers 404 for ${host}, which no public brand can have, and draws its fallback`, async () => {
      const path = encodeURIComponent(host);
      for (const url of [
        `/v1/logo/${path}`,
        `/v1/brand?domain=${path}`,
        `/v1/brand?url=http%3A%2F%2F${path}%2Fx`,
        ...(host.includes(':') ? [] : [`/v1/brand?email=ada@${path}`]),
      ])
        expect((await expectError(await get(url), 404, 'not_found')).message, url).to.contain(` ${reason}`);
      const letter = await get(`/v1/logo/${path}?fallback=monogram&format=svg`);
      expect([letter.status, letter.headers.get('x-blazon-fallback')]).to.deep.equal([200, 'monogram']);
    });

  it('names a wrong parameter, and its allowed values', async () => {
    for (const [query, field] of [
      ['format=gif', 'format'],
      ['format=png&format=svg', 'format'],
      ['quality=80', 'quality'],
      ['format=svg&quality=80', 'quality'],
      ['variant=no-such-variant', 'variant'],
      ['domain=github.com', 'domain'],
    ] as const)
      await expectInvalid(await get(`/v1/logo/github.com?${query}`), field);
  });

  it('answers 422 for a color of several colors', async () => {
    expect((await get('/v1/logo/google.com?color=f00')).status).to.equal(422);
  });
});

describe('greyscale over HTTP', () => {
  let key: string;
  const server = suiteServer();
  before(async () => {
    key = await server.key();
  });

  it('is grey in every format, with a different tag, and 0 equals no parameter', async () => {
    for (const format of ['svg', 'png', 'webp']) {
      const [plain, zero, grey] = await Promise.all(
        ['', '&greyscale=0', '&greyscale=1'].map((more) =>
          server.get(`/v1/${format}/google?size=48&background=ff000080${more}`, key),
        ),
      );
      expect(zero!.headers.get('etag')).to.equal(plain!.headers.get('etag'));
      expect(grey!.headers.get('etag')).to.not.equal(plain!.headers.get('etag'));
      const { channels, isOpaque } = await sharp(Buffer.from(await grey!.arrayBuffer())).stats();
      expect(isOpaque).to.equal(false);
      expect(new Set(channels.slice(0, 3).map(({ sum }) => sum)).size, format).to.equal(1);
    }
  });

  it('applies to fallbacks, and does not allow a color for several', async () => {
    for (const more of ['', '&background=ff0000']) {
      const monogram = await server.get(`/v1/svg/no-such-brand?fallback=monogram&greyscale=1${more}`, key);
      const colors = (await monogram.text()).match(/#[0-9a-f]{6}/g) ?? [];
      expect(colors).to.have.length.greaterThan(1);
      for (const color of colors) expect(color, more).to.match(/^#(..)\1\1$/);
    }
    expect((await server.get('/v1/svg/google?color=f00&greyscale=1', key)).status).to.equal(422);
  });
});
