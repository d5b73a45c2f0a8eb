// URLs under /compat/{publishableKey}/, which have the formats of other logo services.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import decodeIco from 'decode-ico';
import sharp from 'sharp';
import { compatAddresses, compatPath } from '../support/compat-addresses.js';
import { pageKey, type PageKey } from '../support/page-keys.js';
import { PUBLIC_ORIGIN, suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';
import { publishableKey } from '../support/route-calls.js';

interface Company {
  readonly name: string;
  readonly domain: string;
  readonly logo: string;
}

describe('addresses of other services', () => {
  let key: PageKey;
  const server = suiteServer();
  before(async () => {
    key = await pageKey(server);
  });

  const get = (path: string, headers: Record<string, string> = {}, { raw }: PageKey = key) =>
    server.get(`/compat/${raw}${path}`, undefined, headers);
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const plain = (path: string) => server.get(path, key.apiKey);
  const used = async ({ apiKey }: PageKey) =>
    Object.fromEntries(Object.entries(await server.used(apiKey)).filter(([, count]) => count > 0));
  async function sameAs(path: string, plainPath: string): Promise<void> {
    const [ours, theirs] = await Promise.all([get(path), plain(plainPath)]);
    expect(ours.status, path).to.equal(200);
    expect(ours.headers.get('content-type'), path).to.equal(theirs.headers.get('content-type'));
    expect(Buffer.compare(await bytes(ours), await bytes(theirs)), `${path} ${plainPath}`).to.equal(0);
  }

  describe('as their documentation has them', () => {
    for (const address of compatAddresses()) {
      it(`${address.service} ${address.address}`, async () => {
        const response = await server.get(compatPath(address, key.raw), undefined);
        const body = await bytes(response);
        expect(response.status, body.toString('utf8').slice(0, 500)).to.equal(address.status);
        expect(response.headers.get('content-type')?.split(';')[0]).to.equal(address.type);
        expect(response.headers.get('access-control-allow-origin')).to.equal('*');
        if (address.slug !== undefined) expect(response.headers.get('x-blazon-slug')).to.equal(address.slug);
        if (address.size === undefined) return;
        const { width, height } = await sharp(body).metadata();
        expect(`${width}x${height}`).to.equal(address.size);
      });
    }
  });

  it('are the same pictures as in the routes of this service', async () => {
    for (const [path, plainPath] of [
      ['/clearbit/github.com?size=64', '/v1/logo/github.com?size=64'],
      ['/clearbit/github.com?greyscale=true', '/v1/logo/github.com?size=128&greyscale=1'],
      ['/clearbit/gist.github.com?format=jpg', '/v1/logo/github.com?size=128&format=jpg'],
      ['/logodev/github.com?theme=dark&format=webp', '/v1/logo/github.com?size=128&on=dark&format=webp'],
      ['/logodev/github.com?theme=auto&format=svg', '/v1/logo/github.com?size=128&format=svg'],
      ['/logodev/github.com?theme=dark', '/v1/logo/github.com?size=128&on=dark&background=000&format=jpg'],
      // In Brandfetch's URLs, `theme` is the color of the logo. In Blazon's URLs, `on` is the color of the page.
      ['/brandfetch/github.com/theme/light/w/64/h/64/icon.png', '/v1/logo/github.com?width=64&height=64&on=dark'],
      ['/brandfetch/github.com/symbol.png/h/64/theme/dark', '/v1/logo/github.com?height=64&on=light'],
      ['/google/s2/favicons?domain=github.com&sz=32', '/v1/png/github?size=32'],
      ['/bitwarden/github.com/icon.png', '/v1/png/github?size=64'],
      ['/besticon/icon?url=github.com&size=80&formats=svg', '/v1/svg/github?size=80'],
      ['/simpleicons/github/f00?size=32', '/v1/svg/github?variant=mono&color=f00&size=32'],
      ['/simpleicons/github', '/v1/svg/github?variant=mono&color=brand'],
      ['/simpleicons/github?viewbox=auto&size=48', '/v1/svg/github?variant=mono&color=brand&trim=1&height=48'],
    ] as const)
      await sameAs(path, plainPath);
  });

  it('show a wordmark for a logo type, and the default if there is none', async () => {
    await sameAs('/brandfetch/stripe.com/w/256/logo.png', '/v1/png/stripe?variant=wordmark&width=256');
    await sameAs('/brandfetch/v0.dev/w/64/h/64/logo.png', '/v1/png/v0?width=64&height=64');
  });

  it('clamp sizes and ignore unknown parameters', async () => {
    for (const [path, side] of [
      ['/clearbit/github.com?size=99999', 2048],
      ['/clearbit/github.com?size=1', 8],
      ['/clearbit/github.com?size=many&size=3&colour=x&__proto__=1', 128],
      ['/logodev/github.com?size=5000&token=pk_x&access_token=y&key=z&api_key=a', 800],
      ['/logodev/github.com?format=tiff&fallback=nothing&theme=purple', 128],
      ['/google/s2/favicons?domain=github.com&sz=-3', 16],
      ['/besticon/icon?url=github.com&size=1..4..9', 8],
    ] as const) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect((await sharp(await bytes(response)).metadata()).width, path).to.equal(side);
    }
  });

  it('ignore a credential for the other service, and reject a key of this one', async () => {
    expect((await get('/clearbit/github.com', { Authorization: 'Basic c2tfeDo=' })).status).to.equal(200);
    expect((await get('/brandfetch/github.com', { Authorization: 'Bearer x' })).status).to.equal(200);
    expect((await get('/clearbit/github.com', { 'X-API-Key': key.apiKey })).status).to.equal(400);
    await expectError(await get(`/logodev/github.com?token=${key.apiKey}`), 400, 'invalid_request');
    await expectError(await get('/clearbit/github.com', {}, { ...key, raw: 'blzp_nonsense' }), 401, 'invalid_api_key');
  });

  it('reject invalid values by name', async () => {
    await expectInvalid(await get('/clearbit/-.com'), 'domain');
    await expectError(await get('/clearbit/127.0.0.1'), 404, 'not_found');
    await expectInvalid(await get('/besticon/icon?url=github.com'), 'size');
    await expectInvalid(await get('/besticon/icon?url=github.com&size=big'), 'size');
    await expectInvalid(await get('/besticon/icon?size=32'), 'url');
    await expectInvalid(await get('/google/faviconV2'), 'url');
    await expectInvalid(await get('/clearbit/v1/companies/suggest?query='), 'query');
    await expectError(await get('/nothing/github.com'), 404, 'route_not_found');
  });

  describe('of docs/migrate-from.md', () => {
    const text = readFileSync(new URL('../../../docs/migrate-from.md', import.meta.url), 'utf8');

    it('answer', async () => {
      const table = [...text.matchAll(/^\| `https:\S+` \| `BASE(\S+)` \|$/gm)].map(([, path = '']) => path);
      expect(table).to.have.length.above(10);
      for (const path of table) expect((await get(path)).status, path).to.equal(200);
    });

    it('are the URLs of its loader for next/image, in the requested widths', async () => {
      const [code = ''] = /^export default function blazonLoader[^]*?^\}/m.exec(text) ?? [];
      const here = code.replace('https://icons.example/compat/blzp_…', `${server.base}/compat/${key.raw}`);
      const { default: loader } = (await import(`data:text/javascript,${encodeURIComponent(here)}`)) as {
        default: (image: { readonly src: string; readonly width: number }) => string;
      };
      for (const width of [32, 96, 640]) {
        const response = await fetch(loader({ src: 'stripe.com', width }));
        expect(response.status).to.equal(200);
        expect((await sharp(await bytes(response)).metadata()).width).to.equal(width);
      }
    });
  });

  describe('of a brand that is unknown', () => {
    const UNKNOWN = 'no-such-company.example.com';

    it('are a globe with the status 404 for Google', async () => {
      const customer = await pageKey(server, { tier: 'free' });
      for (const path of [
        `/google/s2/favicons?domain=${UNKNOWN}&sz=32`,
        `/google/faviconV2?url=http://127.0.0.1&size=32`,
        '/google/s2/favicons?domain=co.uk&sz=32',
      ]) {
        const response = await get(path, {}, customer);
        expect(response.status, path).to.equal(404);
        expect(response.headers.get('content-type'), path).to.equal('image/png');
        expect(response.headers.get('etag'), path).to.equal(null);
        expect((await sharp(await bytes(response)).stats()).channels[3]!.max, path).to.equal(255);
      }
      expect((await server.get(`/compat/${customer.raw}/google/faviconV2?url=x.example`, undefined)).status).to.equal(
        404,
      );
      expect(await used(customer)).to.deep.equal({});
    });

    it('are a letter for logo.dev, Brandfetch and besticon', async () => {
      await sameAs(`/logodev/${UNKNOWN}?format=png`, `/v1/logo/${UNKNOWN}?size=128&fallback=monogram`);
      const letter = await get(`/brandfetch/${UNKNOWN}/icon.png`);
      expect(letter.headers.get('x-blazon-fallback')).to.equal('monogram');
      expect(letter.headers.get('x-blazon-slug')).to.equal(null);
      const empty = await get(`/brandfetch/${UNKNOWN}/logo.png`);
      expect(empty.headers.get('x-blazon-fallback')).to.equal('transparent');
      const { dominant } = await sharp(
        await bytes(await get(`/besticon/icon?url=${UNKNOWN}&size=64&fallback_icon_color=ff0000`)),
      ).stats();
      expect(dominant.r).to.be.above(200);
      expect(dominant.g).to.be.below(60);
      const known = await get('/besticon/icon?url=github.com&size=64&fallback_icon_color=ff0000');
      expect(Buffer.compare(await bytes(known), await bytes(await plain('/v1/png/github?size=64')))).to.equal(0);
      expect((await get('/besticon/icon?url=http://10.0.0.7/&size=64')).status).to.equal(200);
    });

    it('are a letter on hosts of a private network too, without being counted as missing', async () => {
      for (const path of [
        '/logodev/nas.local?format=svg',
        '/logodev/nas.local%3A8080?format=svg',
        '/logodev/10.0.0.7?format=svg',
        '/logodev/%5Bfd00::1%5D?format=svg',
        // Public host names contain no underscore, but hosts in private networks may.
        '/logodev/my_host?format=svg',
        '/brandfetch/nas.local/icon.svg',
        '/brandfetch/domain/github/icon.svg',
      ]) {
        const letter = await get(path);
        expect([letter.status, letter.headers.get('x-blazon-fallback')], path).to.deep.equal([200, 'monogram']);
      }
      expect((await get('/brandfetch/nas.local/fallback/404')).status).to.equal(404);
      await expectError(await get('/logodev/nas.local?fallback=404'), 404, 'not_found');
      await expectInvalid(await get('/logodev/a%20b'), 'domain');
    });

    it('explain that a name is too long', async () => {
      for (const [path, field] of [
        ['/logodev/name/', 'name'],
        ['/simpleicons/', 'slug'],
      ] as const) {
        const { details } = await expectError(await get(path + 'x'.repeat(101)), 400, 'invalid_request');
        expect(details).to.deep.equal([
          { field, reason: 'longer than 100 characters', allowed: '1 to 100 characters' },
        ]);
      }
    });

    it('are an error if the URL says so', async () => {
      for (const path of [
        `/clearbit/${UNKNOWN}`,
        `/logodev/${UNKNOWN}?fallback=404`,
        `/brandfetch/${UNKNOWN}/fallback/404`,
        `/bitwarden/${UNKNOWN}/icon.png`,
        '/simpleicons/no-such-icon',
      ])
        await expectError(await get(path), 404, 'not_found');
    });
  });

  describe('of simple-icons', () => {
    it('have the colors of light and of dark pages in one SVG', async () => {
      const both = await (await get('/simpleicons/github/0cf/fff')).text();
      expect(both).to.include('currentColor');
      expect(both).to.match(
        /<style>\.(ink-\S+?)\{color:#00ccffff\}@media \(prefers-color-scheme:dark\)\{\.\1\{color:#ffffffff\}\}<\/style>/,
      );
      expect(both).to.match(/^<svg [^>]*class="ink-/);
      // Two equal colors count as one color.
      expect(await (await get('/simpleicons/github/blue/0000ff')).text()).to.not.include('<style>');
      const brand = await (await get('/simpleicons/github/_/eee')).text();
      expect(brand.toLowerCase()).to.include('#181717ff').and.include('#eeeeeeff');
    });

    it('accept the spellings of the CDN', async () => {
      for (const [slug, entry] of [
        ['nodedotjs', 'nodejs'],
        ['Node.js', 'nodejs'],
        ['GITHUB', 'github'],
      ] as const) {
        const { headers, status } = await get(`/simpleicons/${slug}`);
        expect(status, slug).to.equal(200);
        expect(headers.get('x-blazon-slug'), slug).to.equal(entry);
      }
    });
  });

  it('are ICO files of three sizes for DuckDuckGo, and a globe in one', async () => {
    const sizesOf = (file: Buffer) => decodeIco(file).map(({ width, height }) => `${width}x${height}`);
    expect(sizesOf(await bytes(await get('/duckduckgo/ip3/github.com.ico')))).to.deep.equal([
      '16x16',
      '32x32',
      '48x48',
    ]);
    const customer = await pageKey(server, { tier: 'free' });
    const globe = await get('/duckduckgo/ip3/no-such-company.example.com.ico', {}, customer);
    expect(globe.status).to.equal(404);
    expect(sizesOf(await bytes(globe))).to.deep.equal(['32x32']);
    expect(await used(customer)).to.deep.equal({});
  });

  it('are a strip of tiles for skillicons, which counts its icons', async () => {
    const customer = await pageKey(server, { tier: 'free' });
    const row = await get('/skillicons/icons?i=js,ts,zzqxj,github', {}, customer);
    const svg = await row.text();
    // Three tiles of 48 px with two gaps of 8.25 px. The strip omits the unknown icon.
    expect(svg).to.match(/^<svg [^>]*width="160.5" height="48"/);
    expect(svg.match(/<rect[^>]* fill="#242938"/g)).to.have.length(3);
    expect(await used(customer)).to.deep.equal({ svg: 3 });
    const rows = await (await get('/skillicons/icons?i=js,ts,github&perline=2&theme=light')).text();
    expect(rows).to.match(/^<svg [^>]*width="104.25" height="104.25"/);
    expect(rows.match(/<rect[^>]* fill="#f4f2ed"/g)).to.have.length(3);
    await expectError(await get('/skillicons/icons?i=zzqxj'), 404, 'not_found');
    await expectInvalid(await get(`/skillicons/icons?i=${'js,'.repeat(100)}js`), 'i');
  });

  describe('that search', () => {
    it('return companies with their logos here', async () => {
      const response = await get('/clearbit/v1/companies/suggest?query=git');
      const companies = (await response.json()) as readonly Company[];
      expect(companies).to.have.length.within(1, 5);
      for (const company of companies) {
        expect(company).to.have.all.keys('name', 'domain', 'logo');
        expect(company.logo).to.equal(`${PUBLIC_ORIGIN}/compat/${key.raw}/clearbit/${company.domain}`);
      }
      expect(companies.map(({ domain }) => domain)).to.include('github.com');
      expect(response.headers.get('cache-control')).to.match(/^public, /);
      const [first] = companies;
      expect((await get(`/clearbit/${first!.domain}`)).status).to.equal(200);
    });

    it('return brands with ids that Brandfetch URLs accept', async () => {
      const results = (await (await get('/brandfetch/v2/search/github?c=x')).json()) as readonly Record<
        string,
        string
      >[];
      expect(results[0]).to.include({ name: 'GitHub', domain: 'github.com', brandId: 'github', claimed: false });
      expect(new URL(results[0]!.icon!).pathname).to.match(/^\/compat\/blzp_\w+\/brandfetch\/github\.com\//);
      expect((await get(new URL(results[0]!.icon!).pathname.slice(`/compat/${key.raw}`.length))).status).to.equal(200);
      await sameAs('/brandfetch/github/w/64/h/64/icon.png', '/v1/png/github?width=64&height=64');
    });

    it('find a logo by a name, and no certain one for a name that nobody has', async () => {
      await sameAs('/logodev/name/GitHub%20Inc?format=png', '/v1/png/github?size=128');
      const letter = await get('/logodev/name/Zzqxj%20Unlimited?format=png');
      expect(letter.headers.get('x-blazon-fallback')).to.equal('monogram');
      expect((await get(`/logodev/name/${encodeURIComponent('株式会社')}?format=png`)).status).to.equal(200);
      const found = (await (await get('/clearbit/v1/domains/find?name=GitHub')).json()) as Company;
      expect(found).to.include({ name: 'GitHub', domain: 'github.com' });
    });

    it("answer an unknown name as Clearbit's client expects it, and do not count it", async () => {
      const customer = await pageKey(server, { tier: 'free' });
      const response = await get('/clearbit/v1/domains/find?name=Zzqxj%20Unlimited', {}, customer);
      expect(response.status).to.equal(404);
      expect(await response.json()).to.have.nested.property('error.type', 'unknown_record');
      expect(await used(customer)).to.deep.equal({});
    });
  });

  it('show own brands to their account, on hosts that are no full domain too', async () => {
    const customer = await server.customer('pro');
    const { key: raw } = await publishableKey(customer, server);
    const own = { raw, apiKey: customer.apiKey };
    const write = (path: string, type: string, body: string) =>
      fetch(`${server.base}${path}`, {
        method: 'PUT',
        headers: { 'X-API-Key': customer.apiKey, 'Content-Type': type },
        body,
      });
    const facts = { title: 'Our NAS', domains: ['nas.local', 'intranet', 'files.acme-tools.com'] };
    expect((await write('/v1/brands/our-nas', 'application/json', JSON.stringify(facts))).status).to.equal(201);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#c00" d="M0 0h24v24z"/></svg>';
    const drawn = await write('/v1/brands/our-nas/variants/default', 'image/svg+xml', svg);
    expect(drawn.status, await drawn.text()).to.be.oneOf([200, 201]);
    const addresses = [
      '/clearbit/nas.local',
      '/clearbit/files.acme-tools.com',
      '/logodev/nas.local?fallback=404',
      '/brandfetch/nas.local/fallback/404',
      '/brandfetch/intranet',
      '/brandfetch/domain/intranet/w/64/icon.png',
      '/google/faviconV2?url=http://nas.local:5000/x&size=32',
      '/bitwarden/nas.local/icon.png',
      '/besticon/icon?url=http://nas.local&size=32',
      '/duckduckgo/ip3/nas.local.ico',
      '/simpleicons/our-nas',
    ];
    for (const path of addresses) {
      const mine = await get(path, {}, own);
      expect([mine.status, mine.headers.get('x-blazon-slug')], path).to.deep.equal([200, 'our-nas']);
      expect((await get(path)).headers.get('x-blazon-slug'), `${path} of a stranger`).to.equal(null);
    }
    expect((await get('/skillicons/icons?i=our-nas', {}, own)).status).to.equal(200);
    expect((await get('/skillicons/icons?i=our-nas')).status).to.equal(404);
    const suggest = async (one: PageKey) =>
      ((await (await get('/clearbit/v1/companies/suggest?query=our-nas', {}, one)).json()) as readonly Company[]).map(
        ({ name }) => name,
      );
    expect(await suggest(own)).to.include('Our NAS');
    expect(await suggest(key)).to.not.include('Our NAS');
  });

  it('count in the bucket of their response, and are cached like pictures of pages', async () => {
    const customer = await pageKey(server, { tier: 'free' });
    for (const [path, bucket] of [
      ['/clearbit/github.com', 'png'],
      ['/clearbit/github.com?format=jpg', 'png'],
      ['/logodev/github.com?format=webp', 'webp'],
      ['/brandfetch/github.com/icon.svg', 'svg'],
      ['/brandfetch/github.com', 'webp'],
      ['/simpleicons/github', 'svg'],
    ] as const) {
      const before = (await used(customer))[bucket] ?? 0;
      const response = await get(path, {}, customer);
      expect(response.headers.get('cache-control'), path).to.equal(
        'public, max-age=86400, stale-while-revalidate=604800',
      );
      expect(response.headers.get('vary') ?? '', path).to.not.match(/x-api-key/i);
      expect((await used(customer))[bucket], path).to.equal(before + 1);
      const etag = response.headers.get('etag')!;
      expect((await get(path, { 'If-None-Match': etag }, customer)).status, path).to.equal(304);
      expect((await used(customer))[bucket], path).to.equal(before + 1);
    }
    await get('/clearbit/v1/companies/suggest?query=git', {}, customer);
    await get('/clearbit/v1/domains/find?name=GitHub', {}, customer);
    expect(await used(customer)).to.deep.equal({ svg: 2, png: 2, webp: 2, search: 1, domain: 1 });
  });

  it('are only for pages of the key, unlike programs without an Origin', async () => {
    const bound = await pageKey(server, { origins: ['example.com'] });
    expect((await get('/clearbit/github.com', { Origin: 'https://example.com' }, bound)).status).to.equal(200);
    expect((await get('/clearbit/github.com', { Referer: 'https://example.com/a' }, bound)).status).to.equal(200);
    await expectError(await get('/clearbit/github.com', {}, bound), 403, 'forbidden');
    await expectError(await get('/clearbit/github.com', { Origin: 'https://a.example' }, bound), 403, 'forbidden');
  });
});
