// Own brands: every route that serves brands also serves them. They are managed at /v1/brands.
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { DRAWING_REJECTIONS } from '../../src/platform/drawing-rejections.js';
import { PASSWORD } from '../support/accounts.js';
import { ask } from '../support/auth.js';
import { entryOfBrand, type OwnBrand } from '../../src/own-brands/own-brand.js';
import { variantNamed } from '../support/entries.js';
import { someBrand } from '../support/own-brands.js';
import { suiteServer, type Customer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';
import { publishableKey } from '../support/route-calls.js';

interface ErrorBody {
  readonly details: readonly object[];
}

const TEXT_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<text y="9">Acme</text></svg>';
const { what, advice } = DRAWING_REJECTIONS.text;
const TEXT_DETAIL = {
  ...{ reason: `${what} (<text>, line 2)`, code: 'text', element: 'text', line: 2 },
  ...{ advice, help: '/docs/guides/drawings#text' },
};

export const svgOf = (fill: string, side = 24): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path fill="${fill}" d="M0 0h${side}v${side}z"/>` +
  `<circle cx="6" cy="18" r="4" fill="#f7df1e"/></svg>`;

const DOT = strToU8(svgOf('#ff0000', 8));

interface Brand {
  readonly slug: string;
  readonly version: number;
  readonly revision: string | null;
  readonly variants: readonly { readonly name: string; readonly derived?: true; readonly etag: string }[];
}

describe('own brands', () => {
  const server = suiteServer();
  let customer: Customer;
  /**
   * Archives, packed before the first request. Packing takes seconds, and the server would close idle connections in
   * the meantime.
   */
  const packed = new Map<string, Uint8Array<ArrayBuffer>>();
  before(() => {
    const pack = (count: number, bytes: Uint8Array) =>
      zipSync(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.svg`, bytes] as const)), {
        level: 1,
      });
    packed.set('too many', pack(1001, new Uint8Array()));
    packed.set('too large', pack(128, new Uint8Array(2 ** 20 + 1)));
  });
  beforeEach(async () => {
    customer = await server.customer('pro');
  });

  const send = (path: string, options: Partial<Parameters<typeof ask>[2]> = {}, who = customer) =>
    ask(server, path, { method: 'PUT', ...options, headers: { 'X-API-Key': who.apiKey, ...options.headers } });
  const response = (path: string, { method = 'PUT', body, headers = {} }: Options = {}, who = customer) =>
    fetch(`${server.base}${path}`, {
      method,
      headers: { 'X-API-Key': who.apiKey, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  interface Options {
    readonly method?: string;
    readonly body?: object;
    readonly headers?: Record<string, string>;
  }
  async function put(slug: string, facts: object = {}, who = customer): Promise<Brand> {
    const { status, body, text } = await send(`/v1/brands/${slug}`, { body: { title: slug, ...facts } }, who);
    expect(status, text).to.be.oneOf([200, 201]);
    return (body as { brand: Brand }).brand;
  }
  const putSvg = (
    slug: string,
    svg: string | Uint8Array,
    { variant = 'default', type = 'image/svg+xml', who = customer, headers = {} }: SvgOptions = {},
  ) =>
    fetch(`${server.base}/v1/brands/${slug}/variants/${variant}`, {
      method: 'PUT',
      headers: { 'X-API-Key': who.apiKey, 'Content-Type': type, ...headers },
      body: svg as string,
    });
  interface SvgOptions {
    readonly variant?: string;
    readonly type?: string;
    readonly who?: Customer;
    readonly headers?: Record<string, string>;
  }
  async function draw(slug: string, fill: string, options: SvgOptions = {}): Promise<Brand> {
    const answer = await putSvg(slug, svgOf(fill), options);
    const text = await answer.text();
    expect(answer.status, text).to.be.oneOf([200, 201]);
    return (JSON.parse(text) as { brand: Brand }).brand;
  }
  const get = (path: string, who = customer, headers: Record<string, string> = {}) =>
    fetch(`${server.base}${path}`, { headers: { 'X-API-Key': who.apiKey, ...headers }, redirect: 'manual' });
  const textOf = async (path: string, who = customer) => (await get(path, who)).text();

  it('can be created and drawn, and are served as pictures from the next request on', async () => {
    const made = await send('/v1/brands/intranet', {
      body: { title: 'Intranet', domains: ['https://Intranet.Corp:8443/x'] },
    });
    expect(made.status, made.text).to.equal(201);
    expect((made.body as { brand: object }).brand).to.deep.include({
      ...{
        slug: 'intranet',
        title: 'Intranet',
        own: true,
        hex: null,
        domain: 'intranet.corp',
        domains: ['intranet.corp'],
      },
      ...{ aliases: [], categories: [], guidelines: null, links: {}, variants: [], revision: null, version: 1 },
    });
    expect(made.headers.get('etag')).to.equal('"1"');
    expect((await get('/v1/svg/intranet')).status).to.equal(404);
    const drawn = await draw('intranet', '#ff0000');
    expect(drawn.variants.map(({ name, derived }) => [name, derived === true])).to.deep.include.members([
      ['default', false],
      ['mono', true],
    ]);
    const picture = await get('/v1/svg/intranet');
    expect([picture.status, picture.headers.get('cache-control')]).to.deep.equal([200, 'private, no-cache']);
    expect(await picture.text()).to.contain('#ff0000');
    for (const color of ['#00ff00', '#0000ff', '#ff00ff']) {
      await draw('intranet', color);
      expect(await textOf('/v1/svg/intranet')).to.contain(color);
    }
    expect((await get('/v1/png/intranet?variant=mono&color=red')).headers.get('content-type')).to.equal('image/png');
  });

  it('precede public ones with the same slug, for their account only', async () => {
    const other = await server.customer('pro');
    const before = await textOf('/v1/svg/github');
    await put('github', { title: 'Our GitHub' });
    await draw('github', '#123456');
    expect(await textOf('/v1/svg/github')).to.contain('#123456');
    expect(await textOf('/v1/svg/github', other)).to.equal(before);
    expect(JSON.parse(await textOf('/v1/catalog/github'))).to.include({ title: 'Our GitHub', own: true });
    expect(JSON.parse(await textOf('/v1/catalog/github', other))).to.include({ title: 'GitHub' });
    const page = await publishableKey(customer, server);
    const picture = await fetch(`${server.base}/v1/svg/github?key=${page.key}`);
    expect(picture.headers.get('cache-control')).to.equal('public, no-cache');
    expect(await picture.text()).to.contain('#123456');
    expect((await send('/v1/brands/github', { method: 'DELETE' })).status).to.equal(204);
    expect(await textOf('/v1/svg/github')).to.equal(before);
  });

  it('are revalidated at plain URLs, and redirect at outdated versions', async () => {
    await put('intranet');
    const { revision } = await draw('intranet', '#ff0000');
    const first = await get('/v1/svg/intranet');
    const tag = first.headers.get('etag') ?? '';
    expect((await get('/v1/svg/intranet', customer, { 'If-None-Match': tag })).status).to.equal(304);
    const versioned = await get(`/v1/svg/intranet?v=${revision}`);
    expect(versioned.headers.get('cache-control')).to.equal('private, max-age=31536000, immutable');
    await draw('intranet', '#00ff00');
    expect((await get('/v1/svg/intranet', customer, { 'If-None-Match': tag })).status).to.equal(200);
    expect((await get(`/v1/svg/intranet?v=${revision}`)).status).to.equal(308);
  });

  it('invalidate responses to If-Modified-Since without a tag', async () => {
    const other = await server.customer('pro');
    await put('github');
    await draw('github', '#ff0000');
    const page = await publishableKey(customer, server);
    const addresses = [
      ['/v1/svg/github', customer.apiKey],
      ['/v1/catalog/github', customer.apiKey],
      ['/v1/strip?icons=github,docker', customer.apiKey],
      [`/v1/svg/github?key=${page.key}`, undefined],
    ] as const;
    const since = (date: string) => ({ 'If-Modified-Since': date });
    const dates: string[] = [];
    for (const [path, key] of addresses) {
      const answer = await server.get(path, key);
      expect(answer.status, `${path}: ${await answer.text()}`).to.equal(200);
      dates.push(answer.headers.get('last-modified') ?? 'none');
    }
    for (const date of dates) expect(Date.parse(date), date).to.be.above(0);
    // Replaces the drawing within the same second. `Last-Modified` is then equal for both drawings.
    await draw('github', '#00ff00');
    expect((await server.get('/v1/svg/github', customer.apiKey, since(dates[0] ?? ''))).status).to.equal(200);
    expect((await send('/v1/brands/github', { method: 'DELETE' })).status).to.equal(204);
    for (const [at, [path, key]] of addresses.entries()) {
      const answer = await server.get(path, key, since(dates[at] ?? ''));
      expect(answer.status, path).to.equal(200);
      const tag = answer.headers.get('etag') ?? '';
      const headers = { 'If-None-Match': tag, ...since(dates[at] ?? '') };
      expect((await server.get(path, key, headers)).status, path).to.equal(304);
    }
    expect((await server.get('/v1/svg/github', customer.apiKey)).headers.get('cache-control')).to.include(
      'max-age=86400',
    );
    expect((await server.get('/v1/svg/github', other.apiKey, since(dates[0] ?? ''))).status).to.equal(304);
    await put('other');
    await draw('other', '#0000ff');
    expect(await textOf('/v1/svg/other')).to.contain('#0000ff');
  });

  it('may replace fallback pictures, so that they must be revalidated', async () => {
    const paths = ['/v1/png/intranet?fallback=monogram', '/v1/logo/nas.local?fallback=transparent'];
    const lifetimes = (who = customer) =>
      Promise.all(paths.map(async (path) => (await get(path, who)).headers.get('cache-control')));
    const plain = 'private, max-age=86400, stale-while-revalidate=604800';
    expect(await lifetimes()).to.deep.equal([plain, plain]);
    await put('other');
    expect(await lifetimes()).to.deep.equal(['private, no-cache', 'private, no-cache']);
    expect(await lifetimes(await server.customer('pro'))).to.deep.equal([plain, plain]);
  });

  it('may replace unknown names of a strip, so that it must be revalidated', async () => {
    const lifetimeOf = async (query: string, who = customer) =>
      (await get(`/v1/strip?icons=${query}`, who)).headers.get('cache-control');
    const before = [
      await lifetimeOf('github,intranet&fallback=monogram'),
      await lifetimeOf('github,intranet&fallback=skip'),
    ];
    expect(before.every((value) => value?.includes('max-age=86400'))).to.equal(true);
    await put('other');
    for (const query of [
      'github,intranet&fallback=monogram',
      'github,intranet&fallback=skip',
      'intranet&fallback=monogram',
    ])
      expect(await lifetimeOf(query), query).to.equal('private, no-cache');
    expect(await lifetimeOf('github,docker')).to.include('max-age=86400');
    expect(await lifetimeOf('github,intranet&fallback=monogram', await server.customer('pro'))).to.include(
      'max-age=86400',
    );
  });

  it('have a separate list of events, so that many changes cannot hide a new key', async () => {
    await ask(server, '/auth/regenerate-key', { bearer: customer.accessToken, body: { currentPassword: PASSWORD } });
    const bearer = { Authorization: `Bearer ${customer.accessToken}`, 'Content-Type': 'application/json' };
    for (let at = 0; at < 30; at++)
      await fetch(`${server.base}/v1/brands/b${at}`, { method: 'PUT', headers: bearer, body: '{"title":"B"}' });
    const activity = async (query = '') => {
      const { body, text } = await ask(server, `/auth/activity${query}`, {
        method: 'GET',
        bearer: customer.accessToken,
      });
      const { events, nextCursor } = body as {
        events?: { type: string; id: string; detail: Record<string, unknown> }[];
        nextCursor: string | null;
      };
      expect(events, text).to.be.an('array');
      return { events: events ?? [], nextCursor };
    };
    const { events } = await activity();
    expect(events.map(({ type }) => type)).to.include('authn_token_created');
    expect(events.filter(({ detail }) => 'ownBrand' in detail)).to.deep.equal([]);
    const first = await activity('?topic=own-brands&limit=20');
    const second = await activity(`?topic=own-brands&limit=20&cursor=${first.nextCursor ?? ''}`);
    expect([...first.events, ...second.events].map(({ detail }) => detail.ownBrand)).to.deep.equal(
      Array.from({ length: 30 }, (_, at) => `b${29 - at}`),
    );
    expect(second.nextCursor).to.equal(null);
    const all = await activity('?topic=all&limit=100');
    expect(all.events).to.have.length(events.length + 30);
    expect(all.events.map(({ id }) => id)).to.deep.equal([...all.events.map(({ id }) => id)].sort().reverse());
    await expectInvalid(
      await fetch(`${server.base}/auth/activity?topic=keys`, { headers: { Authorization: bearer.Authorization } }),
      'topic',
    );
  });

  it('return 412 if the condition of a change does not hold', async () => {
    await put('intranet');
    const change = (headers: Record<string, string>, body: object = { title: 'New' }) =>
      send('/v1/brands/intranet', { body, headers });
    const failing = (headers: Record<string, string>) =>
      response('/v1/brands/intranet', { body: { title: 'New' }, headers });
    await expectError(await failing({ 'If-None-Match': '*' }), 412, 'precondition_failed');
    await expectError(await failing({ 'If-Match': '"7"' }), 412, 'precondition_failed');
    const done = await change({ 'If-Match': '"7", "1"' });
    expect([done.status, done.headers.get('etag')]).to.deep.equal([200, '"2"']);
    const again = await change({ 'If-Match': '"2"' });
    expect([again.status, again.headers.get('etag')], 'twice is once').to.deep.equal([200, '"2"']);
    expect((await putSvg('intranet', svgOf('#f00'), { headers: { 'If-Match': '"1"' } })).status).to.equal(412);
    await expectError(
      await response('/v1/brands/other', { body: { title: 'x' }, headers: { 'If-Match': '*' } }),
      412,
      'precondition_failed',
    );
  });

  it('reject unusable drawings with the reason', async () => {
    await put('intranet');
    for (const [svg, type, status, text] of [
      ['<svg', 'image/svg+xml', 422, /^The SVG is not well-formed XML/],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 422, /^The SVG has no size .*Add a viewBox/],
      [Buffer.from('89504e47', 'hex'), 'image/png', 415, /SVG/],
      ['{}', 'application/json', 415, /SVG/],
      [' '.repeat(2 ** 20 + 1), 'image/svg+xml', 413, /1 MiB/],
    ] as const) {
      const answer = await putSvg('intranet', svg, { type });
      const body = (await answer.json()) as { message: string };
      expect(answer.status, body.message).to.equal(status);
      expect(body.message).to.match(text);
    }
    const text = await putSvg('intranet', TEXT_SVG);
    expect(((await text.json()) as ErrorBody).details).to.deep.equal([{ field: 'body', ...TEXT_DETAIL }]);
    expect((await putSvg('intranet', svgOf('#f00'), { variant: 'wordmark' })).status).to.equal(409);
    expect((await putSvg('missing', svgOf('#f00'))).status).to.equal(404);
    await draw('intranet', '#ff0000');
    expect((await draw('intranet', '#00ff00', { variant: 'wordmark' })).variants.map(({ name }) => name)).to.include(
      'wordmark',
    );
    await expectError(await response('/v1/brands/intranet/variants/default', { method: 'DELETE' }), 409, 'conflict');
    expect((await send('/v1/brands/intranet/variants/wordmark', { method: 'DELETE' })).status).to.equal(204);
    await expectError(await response('/v1/brands/intranet/variants/wordmark', { method: 'DELETE' }), 404, 'not_found');
  });

  it('accept a merge patch, and name wrong fields', async () => {
    await put('intranet', {
      hex: '#abc',
      aliases: ['Wiki'],
      links: { website: 'https://intranet.corp', docs: 'http://docs/' },
    });
    const patched = await send('/v1/brands/intranet', {
      method: 'PATCH',
      body: { title: 'New', hex: null, links: { docs: null, press: 'https://intranet.corp/press' } },
    });
    expect(patched.status, patched.text).to.equal(200);
    expect((patched.body as { brand: object }).brand).to.deep.include({
      ...{ title: 'New', hex: null, aliases: ['Wiki'], website: 'https://intranet.corp' },
      links: { website: 'https://intranet.corp', press: 'https://intranet.corp/press' },
    });
    const without = await send('/v1/brands/intranet', { method: 'PATCH', body: { links: null, aliases: null } });
    expect((without.body as { brand: object }).brand).to.deep.include({ title: 'New', links: {}, aliases: [] });
    await expectInvalid(await response('/v1/brands/intranet', { body: { title: '' } }), 'title');
    await expectInvalid(await response('/v1/brands/intranet', { body: { title: 'x', hex: 'red' } }), 'hex');
    await expectInvalid(await response('/v1/brands/intranet', { body: { title: 'x', domains: ['a b'] } }), 'domains.0');
    await expectInvalid(await response('/v1/brands/intranet', { method: 'PATCH', body: { title: null } }), 'title');
    await expectInvalid(await response('/v1/brands/no%20slug', { body: { title: 'x' } }), 'slug');
  });

  it('are limited by the plan', async () => {
    const free = await server.customer('free');
    for (let at = 0; at < 5; at++) await put(`b${at}`, {}, free);
    const sixth = await expectError(
      await response('/v1/brands/b5', { body: { title: 'x' } }, free),
      403,
      'brand_limit',
    );
    expect(sixth.message).to.contain('5');
    await put('b4', { title: 'changed' }, free);
  });

  it('have a variant for each page on which the default is not visible', async () => {
    const onePaint = (fill: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${fill}" d="M1 1h6v6H1z"/></svg>`;
    interface Derived {
      readonly brand: {
        readonly variants: readonly { name: string; derived?: true; on: string[]; colors: string[] }[];
      };
    }
    for (const [fill, hex, page, color] of [
      ['#000000', null, 'dark', '#ffffff'],
      ['#000000', '#FF0000', 'dark', '#ff0000'],
      ['#ffffff', null, 'light', '#000000'],
      ['#00008b', null, 'dark', undefined],
    ] as const) {
      await put('flat', { hex });
      const answer = await putSvg('flat', onePaint(fill));
      const { brand } = (await answer.json()) as Derived;
      const made = brand.variants.find(({ name }) => name === page);
      expect(made, fill).to.deep.include({ name: page, derived: true });
      expect(made?.on).to.include(page);
      if (color !== undefined) expect(made?.colors).to.deep.equal([color]);
      const picture = await get(`/v1/svg/flat?variant=${page}`);
      expect(picture.status).to.equal(200);
      const text = await picture.text();
      expect(text)
        .to.equal(await textOf(`/v1/svg/flat?on=${page}`))
        .and.to.contain(made?.colors[0]);
      expect(brand.variants.map(({ name }) => name)).to.not.include(page === 'dark' ? 'light' : 'dark');
    }
    await put('flat', { hex: '#00FF00' });
    await putSvg('flat', onePaint('#000000'));
    expect(await textOf('/v1/svg/flat?variant=dark')).to.contain('#00ff00');
    await putSvg('flat', onePaint('#abcdef'), { variant: 'dark' });
    const { variants } = JSON.parse(await textOf('/v1/catalog/flat')) as Brand;
    expect(variants.find(({ name }) => name === 'dark')).to.not.have.property('derived');
    expect(await textOf('/v1/svg/flat?variant=dark')).to.contain('#abcdef');
  });

  it('have no variant for a page on which neither the default nor a single color would be visible', () => {
    const one = { ...variantNamed('default'), recolorable: false, on: ['light'] as const };
    const mono = { ...variantNamed('mono'), recolorable: true, colors: ['#000000'], on: ['light'] as const };
    const namesOf = (...variants: OwnBrand['variants']) =>
      entryOfBrand(someBrand('flat', { variants }))?.variants.map(({ name, colors }) => `${name} ${colors[0] ?? ''}`);
    expect(namesOf(one)).to.have.length(1);
    expect(namesOf(one, mono)).to.include.members(['dark #ffffff', 'mono #000000']);
  });

  it('are in the export with their drawings, and in the activity', async () => {
    await put('intranet', { domains: ['nas.local'] });
    await draw('intranet', '#ff0000');
    await draw('intranet', '#00ff00', { variant: 'wordmark' });
    const { body, text } = await ask(server, '/auth/export', {
      bearer: customer.accessToken,
      body: { currentPassword: PASSWORD },
    });
    const { ownBrands, activity } = body as {
      ownBrands: { slug: string; domains: string[]; drawings: Record<string, string> }[];
      activity: { message: string }[];
    };
    expect(ownBrands, text).to.have.length(1);
    expect(ownBrands[0]).to.deep.include({ slug: 'intranet', domains: ['nas.local'] });
    expect(Object.keys(ownBrands[0]!.drawings)).to.deep.equal(['default', 'wordmark']);
    expect(ownBrands[0]?.drawings.default).to.contain('#ff0000');
    expect(activity.map(({ message }) => message)).to.include('The own brand “intranet” was created.');
  });

  it('are found by host, name and search, in every route', async () => {
    await put('intranet', {
      title: 'Zquaxo Portal',
      domains: ['intranet.corp', '10.0.0.7', 'jira', 'bücher.corp', '[fd00::1]'],
      aliases: ['zq'],
    });
    await draw('intranet', '#ff0000');
    for (const host of [
      'intranet.corp',
      'a.b.intranet.corp',
      '10.0.0.7',
      '10.0.0.7%3A8080',
      'jira',
      'https%3A%2F%2Fjira%2Fx',
    ]) {
      const answer = await get(`/v1/logo/${host}?format=svg`);
      expect([answer.status, answer.headers.get('x-blazon-slug')], host).to.deep.equal([200, 'intranet']);
    }
    for (const host of ['intranet.corp:8080', 'jira:8080', 'b%C3%BCcher.corp', '%5Bfd00::1%5D', '%5Bfd00::1%5D:8080']) {
      const icon = await get(`/v1/favicon/${host}/icon.svg`);
      expect([icon.status, icon.headers.get('x-blazon-slug')], host).to.deep.equal([200, 'intranet']);
    }
    for (const host of ['nas.local:8080', '%5Bfd00::2%5D', 'jir%C3%A4'])
      await expectError(await get(`/v1/favicon/${host}/icon.svg`), 404, 'not_found');
    for (const host of ['10.0.0.8', 'corp', 'b.jira2'])
      expect((await get(`/v1/logo/${host}`)).status, host).to.equal(404);
    const brand = async (query: string) =>
      JSON.parse(await textOf(`/v1/brand?${query}`)) as { brand: Brand; match: string };
    expect((await brand('email=a@mail.intranet.corp')).match).to.equal('subdomain');
    expect((await brand('name=zquaxo%20portal')).brand.slug).to.equal('intranet');
    const search = async (query: string) =>
      JSON.parse(await textOf(`/v1/search?${query}`)) as {
        total: number;
        results: { slug: string; own?: true }[];
        nextCursor: string | null;
      };
    expect((await search('q=zquaxo')).results[0]).to.include({ slug: 'intranet', own: true });
    const before = await search('q=github');
    await put('github', { title: 'GitHub' });
    await draw('github', '#00ff00');
    const after = await search('q=github');
    expect([after.total, after.results[0]?.slug, after.results[0]?.own]).to.deep.equal([before.total, 'github', true]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await search(`color=ff0000&limit=7${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.results.map(({ slug }) => slug));
      expect(seen.length).to.be.at.most(page.total);
      cursor = page.nextCursor;
      if (cursor === null) expect(seen.length).to.equal(page.total);
    }
    expect(new Set(seen).size).to.equal(seen.length);
    expect((await get('/v1/svg/zq')).headers.get('location')).to.equal('/v1/svg/intranet');
    const { key } = await publishableKey(customer, server);
    const icons = await (await fetch(`${server.base}/iconify/${key}/blazon.json?icons=intranet,stripe,none`)).json();
    expect(Object.keys((icons as { icons: object }).icons).sort()).to.deep.equal(['intranet', 'stripe']);
    expect((icons as { not_found: string[] }).not_found).to.deep.equal(['none']);
  });

  it('are uploaded as an archive, with a result for each file, or all or none', async () => {
    const files = {
      'acme.svg': strToU8(svgOf('#ff0000')),
      'acme--wordmark.svg': strToU8(svgOf('#00ff00')),
      'acme.json': strToU8('{"title":"Acme Corp","domains":["acme.corp"],"hex":"#123456"}'),
      'tools/bolt.svg': strToU8(svgOf('#0000ff')),
      'broken.svg': strToU8(TEXT_SVG),
      'readme.txt': strToU8('hello'),
    };
    const putZip = async (bytes: Uint8Array<ArrayBuffer>, query = '') => {
      const headers = { 'X-API-Key': customer.apiKey, 'Content-Type': 'application/zip' };
      const answer = await fetch(`${server.base}/v1/brands${query}`, { method: 'PUT', headers, body: bytes });
      return { status: answer.status, body: (await answer.json()) as Archived };
    };
    interface Archived {
      readonly applied: boolean;
      readonly results: readonly {
        readonly file: string;
        readonly slug: string | null;
        readonly status: number;
        readonly message?: string;
        readonly details?: readonly object[];
      }[];
    }
    const none = await putZip(zipSync(files), '?atomic=1');
    expect([none.status, none.body.applied]).to.deep.equal([200, false]);
    expect((await get('/v1/svg/acme')).status).to.equal(404);
    const some = await putZip(zipSync(files));
    expect(some.body.applied).to.equal(true);
    expect(some.body.results.map(({ file, status }) => [file, status])).to.have.deep.members([
      ['acme.svg', 201],
      ['acme--wordmark.svg', 201],
      ['tools/bolt.svg', 201],
      ['broken.svg', 422],
      ['readme.txt', 422],
    ]);
    const rejected = some.body.results.find(({ file }) => file === 'broken.svg');
    expect(rejected?.message).to.match(/^The SVG contains text.*\(<text>, line 2\)\. Convert text to outlines/);
    expect(rejected?.details).to.deep.equal([{ field: 'broken.svg', ...TEXT_DETAIL }]);
    const acme = JSON.parse(await textOf('/v1/catalog/acme')) as {
      title: string;
      hex: string;
      variants: { name: string }[];
    };
    expect(acme).to.deep.include({ title: 'Acme Corp', hex: '#123456', domain: 'acme.corp' });
    expect(acme.variants.map(({ name }) => name)).to.include.members(['default', 'wordmark', 'mono']);
    expect(JSON.parse(await textOf('/v1/catalog/bolt'))).to.deep.include({ categories: ['tools'] });
    const again = await putZip(zipSync({ 'acme.svg': files['acme.svg'] }), '?atomic=1');
    expect(again.body.results).to.deep.equal([{ file: 'acme.svg', slug: 'acme', status: 200 }]);
    const condition = (value: string) =>
      fetch(`${server.base}/v1/brands`, {
        method: 'PUT',
        headers: { 'X-API-Key': customer.apiKey, 'Content-Type': 'application/zip', 'If-None-Match': value },
        body: zipSync({ 'acme.svg': DOT, 'new.svg': DOT }),
      });
    await expectError(await condition('*'), 412, 'precondition_failed');
    await expectError(await response('/v1/brands/new', { method: 'GET' }), 404, 'not_found');
    const crowded = { title: 'Acme', domains: Array.from({ length: 51 }, (_, at) => `n${at}.corp`) };
    const { results } = (
      await putZip(zipSync({ 'acme.svg': files['acme.svg'], 'acme.json': strToU8(JSON.stringify(crowded)) }))
    ).body;
    expect(results.find(({ file }) => file === 'acme.json')).to.deep.include({
      ...{ status: 422, message: 'domains: more than 50' },
    });
    expect((await putZip(strToU8('no archive'))).status).to.equal(400);
    for (const bytes of packed.values()) expect((await putZip(bytes)).status).to.equal(413);
    expect(packed.size).to.equal(2);
  });

  it('have a limited number of drawings, individually and in an archive', async () => {
    await put('acme');
    const files = Object.fromEntries(
      ['acme.svg', ...Array.from({ length: 33 }, (_, at) => `acme--v${at}.svg`)].map((file) => [file, DOT] as const),
    );
    const headers = { 'X-API-Key': customer.apiKey, 'Content-Type': 'application/zip' };
    const answer = await fetch(`${server.base}/v1/brands`, { method: 'PUT', headers, body: zipSync(files) });
    const { results } = (await answer.json()) as { results: { status: number; message?: string }[] };
    expect(results.filter(({ status }) => status === 201)).to.have.length(32);
    expect(results.filter(({ message }) => message?.includes('at most 32'))).to.have.length(2);
    expect((await putSvg('acme', svgOf('#f00'), { variant: 'constructor' })).status).to.equal(409);
    await draw('acme', '#00ff00', { variant: 'v1' });
    await expectError(await response('/v1/brands/acme/variants/constructor', { method: 'DELETE' }), 404, 'not_found');
  });

  it('are counted in the Iconify protocol whenever it lists icons, and revalidated', async () => {
    const { key } = await publishableKey(customer, server);
    const iconify = async (path: string) => {
      const answer = await fetch(`${server.base}/iconify/${key}/${path}`);
      return { cache: answer.headers.get('cache-control'), body: (await answer.json()) as IconLists };
    };
    interface IconLists {
      readonly blazon: { readonly total: number };
      readonly total: number;
      readonly info: { readonly total: number };
      readonly categories: Readonly<Record<string, readonly string[]>>;
      readonly collections: { readonly blazon: { readonly total: number } };
    }
    const { blazon } = (await iconify('collections')).body;
    const before = (await iconify('collection?prefix=blazon&info=1')).body;
    expect(before.total).to.equal(blazon.total);
    for (const slug of ['zquaxo', 'github']) {
      await put(slug, { categories: ['internal'] });
      await draw(slug, '#ff0000');
    }
    const collections = await iconify('collections');
    expect(collections.body.blazon.total, 'one is new, one is in the place of a public one').to.equal(blazon.total + 1);
    expect(collections.cache).to.equal('public, no-cache');
    const { body } = await iconify('collection?prefix=blazon&info=1');
    expect([body.total, body.info.total]).to.deep.equal([blazon.total + 1, blazon.total + 1]);
    expect(body.categories.internal).to.deep.equal(['github', 'zquaxo']);
    const listed = Object.values(body.categories).flat();
    expect(listed.filter((name) => name === 'github')).to.have.length(1);
    expect((await iconify('search?query=zquaxo')).body.collections.blazon.total).to.equal(blazon.total + 1);
    expect((await iconify('collections?prefix=blazon-mono')).body).to.have.property('blazon-mono');
  });

  it('have aliases, which do not precede public icons, even in the Iconify protocol', async () => {
    const { key } = await publishableKey(customer, server);
    const iconify = (path: string) => fetch(`${server.base}/iconify/${key}/${path}`);
    const list = async <Body>(path: string) => (await (await iconify(path)).json()) as Body;
    const before = await (await iconify('blazon/github.svg')).text();
    await put('intra.net_x', { title: 'Intra', aliases: ['github', 'zquaxo'] });
    await draw('intra.net_x', '#ff0000');
    expect(await textOf('/v1/svg/github')).to.not.contain('#ff0000');
    expect(await (await iconify('blazon/github.svg')).text()).to.equal(before);
    expect(await (await iconify('blazon/zquaxo.svg')).text()).to.contain('#ff0000');
    const { icons, aliases } = await list<Icons>('blazon.json?icons=github,zquaxo');
    expect(Object.keys(icons).sort()).to.deep.equal(['github', 'intra-dot-net-underscore-x']);
    expect(aliases).to.deep.equal({ zquaxo: { parent: 'intra-dot-net-underscore-x' } });
    const collection = await list<{ readonly aliases: object }>('collection?prefix=blazon');
    expect(collection.aliases).to.include({ zquaxo: 'intra-dot-net-underscore-x' }).and.not.have.property('github');
    interface Icons {
      readonly icons: object;
      readonly aliases: object;
    }
  });

  it('are components for any valid variant name', async () => {
    await put('intra.net_x');
    const deep = ['a', ...Array.from({ length: 31 }, () => 'b')].join('-');
    await draw('intra.net_x', '#ff0000');
    for (const variant of ['a-b-c-d-e-f', deep]) {
      await draw('intra.net_x', '#00ff00', { variant });
      const { meta } = JSON.parse(await textOf(`/r/intra.net_x-${variant}.json`)) as { readonly meta: object };
      expect(meta).to.include({ slug: 'intra.net_x', variant });
    }
    expect((await get('/r/intra.net_x-a-b-c-d-e-g.json')).status).to.equal(404);
  });

  it('can be changed sixty times a minute', async () => {
    const remove = () => send('/v1/brands/none', { method: 'DELETE' });
    for (let count = 0; count < 60; count++) expect((await remove()).status).to.equal(404);
    const { status, body, headers } = await remove();
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    expect((await put('another', {}, await server.customer('pro'))).slug).to.equal('another');
  });

  it('are unavailable for a suspended account', async () => {
    await put('intranet');
    await draw('intranet', '#ff0000');
    await server.suspend(customer.apiKey);
    for (const path of ['/v1/brands/intranet', '/v1/svg/intranet', '/v1/search?q=intranet']) {
      const { status, body } = await send(path, { method: 'GET' });
      expect([status, body.error], path).to.deep.equal([403, 'account_suspended']);
    }
    expect((await putSvg('intranet', svgOf('#00ff00'))).status).to.equal(403);
  });

  it('are listed by page', async () => {
    for (const slug of ['c', 'a', 'b']) await put(slug);
    const page = (query: string) => send(`/v1/brands?${query}`, { method: 'GET' });
    const first = (await page('limit=2')).body as { brands: Brand[]; total: number; nextCursor: string };
    expect([first.brands.map(({ slug }) => slug), first.total]).to.deep.equal([['a', 'b'], 3]);
    const last = (await page(`limit=2&cursor=${first.nextCursor}`)).body as typeof first;
    expect([last.brands.map(({ slug }) => slug), last.nextCursor]).to.deep.equal([['c'], null]);
  });
});
