// Visitor counter routes: counting, reading, badges, origins, bots, and requests that are not counted.
import { expect } from 'chai';
import type { CounterConfig, CounterName, CounterSettings } from '../../src/visitor-counters/counter.js';
import { withPolicy } from '../../src/platform/http/route.js';
import { visitorCounterRoutes } from '../../src/visitor-counters/visitor-counter.routes.js';
import { createCounterOperator, createVisitorCounting } from '../../src/visitor-counters/visitor-counting.js';
import { openBackend } from '../support/backend.js';
import { clockAt, DAY_MS, type Clock } from '../support/clock.js';
import { startRoutes, type RouteServer } from '../support/route-server.js';
import { PUBLIC_ORIGIN } from '../support/server.js';
import { temporaryDir } from '../support/temporary.js';
import type { TestBackend } from '../support/test-backend.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
const settings = (given: Partial<CounterSettings> = {}): CounterSettings => ({
  origins: ['https://example.com'],
  enabled: true,
  seed: 0,
  label: undefined,
  ...given,
});
const CONFIG: CounterConfig = new Map(
  Object.entries({
    home: settings(),
    seeded: settings({ seed: 1000, label: 'Besucher' }),
    open: settings({ origins: ['*'] }),
    off: settings({ enabled: false }),
  }) as [CounterName, CounterSettings][],
);
const BASE = '/v1/public/visitor-counter';

interface Counts {
  readonly name: string;
  readonly total: number;
  readonly today: number;
  readonly uniqueToday: number;
}

describe('visitor counters', () => {
  let clock: Clock;
  let backend: TestBackend;
  let server: RouteServer;
  let base: string;
  let folder: ReturnType<typeof temporaryDir>;
  beforeEach(async () => {
    clock = clockAt();
    folder = temporaryDir();
    backend = await openBackend(folder.path, { now: clock.now, catalog: 'none' });
    const store = backend.stores.visitorCounters;
    const counting = createVisitorCounting({ store, config: CONFIG, secret: 'of the tests', now: clock.now });
    server = await startRoutes({
      routes: withPolicy({ cors: true }, visitorCounterRoutes),
      services: { counting },
      origin: PUBLIC_ORIGIN,
      trustedProxies: 1,
    });
    base = server.base + BASE;
  });
  afterEach(async () => {
    await server.close();
    await backend.close();
    folder.remove();
  });

  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(base + path, { method, headers: { 'User-Agent': BROWSER, ...headers } });
  const hit = async (name: string, headers: Record<string, string> = {}): Promise<Counts> => {
    const response = await send(`/${name}/hits`, headers, 'POST');
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    return (await response.json()) as Counts;
  };
  const read = async (name: string): Promise<Counts> => (await (await send(`/${name}`)).json()) as Counts;

  it('count visits, and distinct visitors by address and user agent', async () => {
    expect(await hit('home')).to.deep.equal({ name: 'home', total: 1, today: 1, uniqueToday: 1 });
    expect(await hit('home')).to.deep.equal({ name: 'home', total: 2, today: 2, uniqueToday: 1 });
    expect(await hit('home', { 'User-Agent': `${BROWSER} Edg/126` })).to.deep.include({ total: 3, uniqueToday: 2 });
    expect(await hit('home', { 'X-Forwarded-For': '192.0.2.1' })).to.deep.include({ total: 4, uniqueToday: 3 });
    // IPv6 addresses with the same /64 prefix are one visitor, because a household has one such prefix.
    expect(await hit('home', { 'X-Forwarded-For': '2001:db8::1' })).to.deep.include({ total: 5, uniqueToday: 4 });
    expect(await hit('home', { 'X-Forwarded-For': '2001:db8::2' })).to.deep.include({ total: 6, uniqueToday: 4 });
    expect(await read('home')).to.deep.equal({ name: 'home', total: 6, today: 6, uniqueToday: 4 });
    expect(await read('open')).to.deep.equal({ name: 'open', total: 0, today: 0, uniqueToday: 0 });
    clock.advance(DAY_MS);
    expect(await hit('home')).to.deep.equal({ name: 'home', total: 7, today: 1, uniqueToday: 1 });
  });

  it('count no visit with a rejected body', async () => {
    const post = async (body: string) => {
      const headers = { 'Content-Type': 'application/json', 'User-Agent': BROWSER };
      return (await fetch(`${base}/home/hits`, { method: 'POST', headers, body })).status;
    };
    expect([await post('{'), await post('{"a":1}')]).to.deep.equal([400, 400]);
    expect(await read('home')).to.have.property('total', 0);
    expect([await post('{}'), await post('')]).to.deep.equal([200, 200]);
    expect(await read('home')).to.have.property('total', 2);
  });

  it('start at their seed', async () => {
    expect(await read('seeded')).to.deep.equal({ name: 'seeded', total: 1000, today: 0, uniqueToday: 0 });
    expect(await hit('seeded')).to.deep.equal({ name: 'seeded', total: 1001, today: 1, uniqueToday: 1 });
  });

  it('are set and reset by the operator to totals that include their seed', async () => {
    const store = backend.stores.visitorCounters;
    const operator = createCounterOperator({ store, config: CONFIG });
    await hit('seeded');
    await operator.seed('seeded', 1500);
    expect(await read('seeded')).to.include({ total: 1500, today: 1 });
    const error = await operator.seed('seeded', 999).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'invalid_request' });
    expect((error as Error).message)
      .to.include('cannot be less than its seed')
      .and.include('1000');
    await operator.seed('seeded', 1000);
    expect(await hit('seeded')).to.include({ total: 1001, today: 2 });
    await operator.reset('seeded');
    expect(await operator.show('seeded')).to.deep.equal({
      ...{ name: 'seeded', origins: ['https://example.com'], enabled: true, seed: 1000, label: 'Besucher' },
      ...{ total: 1000, today: 0, uniqueToday: 0 },
    });
    expect((await operator.list()).map(({ name, enabled, label }) => [name, enabled, label])).to.deep.equal([
      ['home', true, 'visitors'],
      ['seeded', true, 'Besucher'],
      ['open', true, 'visitors'],
      ['off', false, 'visitors'],
    ]);
  });

  it('are 404 if they are not configured or have an invalid name, and 403 if disabled, in every route', async () => {
    for (const [path, method] of [
      ['/hits', 'POST'],
      ['', 'GET'],
      ['/badge.svg', 'GET'],
      ['/badge.svg?hit=0', 'GET'],
      ['/shields.json', 'GET'],
    ] as const) {
      for (const name of ['other', 'constructor', 'Home', '-', 'h%20m', 'x'.repeat(1000), '__proto__'])
        await expectError(await send(`/${name}${path}`, {}, method), 404, 'not_found');
      await expectError(await send(`/off${path}`, {}, method), 403, 'forbidden');
      const foreign = await send(`/home${path}`, { Origin: 'https://elsewhere.example' }, method);
      expect(foreign.headers.get('access-control-allow-origin')).to.equal('*');
      await expectError(foreign, 403, 'forbidden');
      await expectError(await send(`/home${path}`, { Origin: 'null' }, method), 403, 'forbidden');
      expect((await send(`/home${path}`, { Origin: 'https://example.com' }, method)).status).to.equal(200);
      expect((await send(`/open${path}`, { Origin: 'https://elsewhere.example' }, method)).status).to.equal(200);
    }
    expect((await read('home')).total, 'a POST and a badge from the right origin').to.equal(2);
    expect((await backend.stores.visitorCounters.read('off' as CounterName)).total).to.equal(0);
  });

  it('show known bots the numbers without counting them, and count pictures that proxies fetch for people', async () => {
    await hit('home');
    for (const bot of ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.5.0', 'HeadlessChrome/126.0']) {
      expect(await hit('home', { 'User-Agent': bot }), bot).to.deep.include({ total: 1 });
      expect(await (await send('/home/badge.svg', { 'User-Agent': bot })).text(), bot).to.include('visitors: 1<');
    }
    let total = 1;
    for (const proxy of ['github-camo (876de43e)', 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)'])
      expect(await hit('home', { 'User-Agent': proxy }), proxy).to.deep.include({ total: ++total });
  });

  it('show the numbers to a browser that asks ahead of a visit, without counting', async () => {
    await hit('home');
    const ahead: readonly Record<string, string>[] = [
      { 'Sec-Purpose': 'prefetch' },
      { 'Sec-Purpose': 'prefetch;prerender' },
      { 'Sec-Purpose': 'Prefetch;anonymous-client-ip' },
      { Purpose: 'prefetch' },
      { Purpose: 'preview' },
      { 'X-Purpose': 'preview' },
      { 'X-Moz': 'prefetch' },
    ];
    for (const headers of ahead) {
      expect(await hit('home', headers), JSON.stringify(headers)).to.deep.include({ total: 1, uniqueToday: 1 });
      expect(await (await send('/home/badge.svg', headers)).text(), JSON.stringify(headers)).to.include('visitors: 1<');
    }
    for (const headers of [{ Purpose: '' }, { 'Sec-Purpose': 'navigate' }, { 'X-Moz': 'prefetched-before' }])
      await hit('home', headers);
    expect(await read('home')).to.have.property('total', 4);
  });

  it('count a badge once each time it is fetched, unless hit=0, and never for HEAD', async () => {
    const badge = async (query = '', method = 'GET') => {
      const response = await send(`/home/badge.svg${query}`, {}, method);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(response.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      expect(response.headers.get('content-security-policy')).to.match(/^default-src 'none'.*sandbox$/);
      return response.text();
    };
    expect(await badge()).to.include('<title>visitors: 1</title>');
    expect(await badge('?hit=1&label=')).to.include('<title>2</title>');
    expect(await badge('?hit=0&count=today')).to.include('visitors: 2<');
    expect(await badge('?count=unique&label=unique')).to.include('unique: 1<');
    expect(await badge('', 'HEAD')).to.equal('');
    expect((await read('home')).total).to.equal(3);
    expect(await badge('?hit=0&label=%3Cscript%3Ealert(1)%3C%2Fscript%3E'))
      .to.include('&lt;script&gt;')
      .and.not.include('<script');
  });

  it('return the data of a badge to shields, without counting', async () => {
    await hit('seeded');
    const response = await send('/seeded/shields.json?color=%231d9bf0&labelColor=333');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(await response.json()).to.deep.equal({
      schemaVersion: 1,
      label: 'Besucher',
      message: '1,001',
      color: '#1d9bf0',
      labelColor: '#333333',
      style: 'flat',
    });
    expect(await read('seeded')).to.deep.include({ total: 1001 });
  });

  it('name wrong parameters, and the allowed values', async () => {
    for (const [query, field] of [
      ['color=url(x)', 'color'],
      ['labelColor=', 'labelColor'],
      ['label=%00', 'label'],
      ['label=%EF%BF%BE', 'label'],
      [`label=${'x'.repeat(101)}`, 'label'],
      ['style=plastic', 'style'],
      ['count=all', 'count'],
      ['hit=yes', 'hit'],
      ['logo=x', 'logo'],
    ] as const) {
      await expectInvalid(await send(`/home/badge.svg?${query}`), field);
    }
    expect((await send('/home/shields.json?hit=0')).status).to.equal(400);
    expect((await send('/home?label=x')).status).to.equal(400);
    expect((await read('home')).total).to.equal(0);
  });

  it('store neither addresses nor user agents', async () => {
    await hit('home', { 'X-Forwarded-For': '198.51.100.77' });
    await backend.stores.visitorCounters.seed('open' as CounterName, 0);
    const stored = await backend.stored();
    expect(stored.includes('home')).to.equal(true);
    for (const trace of ['198.51.100', 'AppleWebKit']) expect(stored.includes(trace), trace).to.equal(false);
  });
});
