// Metrics and log of a service process, with embedded or cluster stores: the separate port for metrics, the values, and
// one log line per request.
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { readPlans } from '../../../config/plans.js';
import { newApiKey } from '../../../src/accounts/api-key.js';
import { allRoutes } from '../../support/features.js';
import { PASSWORD, passwordHash, someAccount } from '../../support/accounts.js';
import { openBackend } from '../../support/backend.js';
import { samplesIn, sumOf, type Sample } from '../../support/prometheus-text.js';
import { expectNoSecrets } from '../../support/secrets.js';
import { accepts, freePort } from '../../../scripts/server-process.js';
import { startService, type ServiceProcess } from '../../support/service-process.js';
import type { TestBackend } from '../../support/test-backend.js';
import { temporaryDir } from '../../support/temporary.js';

const INSTANCE = 2;

describe('metrics and log', () => {
  const { path: dataDir, remove } = temporaryDir();
  let backend: TestBackend;
  let service: ServiceProcess;
  let metricsPort: number;
  before(async () => {
    backend = await openBackend(dataDir, { now: Date.now, catalog: 'sample' });
    await start();
  });
  after(async () => {
    if (service.child.exitCode === null) await stop();
    await backend.close();
    remove();
  });

  async function start(variables: Record<string, string> = {}): Promise<void> {
    metricsPort = await freePort();
    service = await startService({
      ...backend.variables,
      LOG_LEVEL: 'info',
      METRICS_PORT: String(metricsPort - INSTANCE),
      NODE_APP_INSTANCE: String(INSTANCE),
      ...variables,
    });
  }

  async function stop(): Promise<string> {
    service.child.kill('SIGTERM');
    expect(await service.exit).to.equal(0);
    // Skips the banner before the first line of JSON, because it contains an example password.
    const output = service.output();
    const log = /^\{/m.test(output) ? output.slice(output.search(/^\{/m)) : '';
    expectNoSecrets('the log of the service', log);
    return log;
  }

  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(service.base + path, { method, headers });
    await response.arrayBuffer();
    return response.status;
  };
  const measured = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=/);
    return samplesIn(await response.text());
  };
  const customer = async (given: Parameters<typeof someAccount>[0] = {}) => {
    const { account, apiKey } = someAccount({ ...given, passwordHash: await passwordHash() });
    await backend.stores.accounts.insert({ ...account, mails: [] });
    return { account, apiKey, headers: { 'X-API-Key': apiKey } };
  };
  const requests = (samples: readonly Sample[], route: string, status: number, method = 'GET') =>
    sumOf(samples, 'blazon_request_seconds_count', { route, method, status: String(status) });

  it('counts requests by route and status, and admissions by outcome', async () => {
    const { account, apiKey, headers } = await customer();
    const other = newApiKey(account.id).raw;
    const suspended = await customer({ suspended: true });
    const full = await customer();
    await backend.setUsed(full.account.id, 'svg', readPlans().free.daily.svg ?? 0);
    const before = await measured();
    expect(await get('/v1/svg/github', headers)).to.equal(200);
    expect(await get('/v1/svg/github?color=red', headers)).to.equal(200);
    expect(await get('/v1/svg/no-such-brand', headers)).to.equal(404);
    expect(await get('/v1/svg/github', { 'X-API-Key': other })).to.equal(401);
    expect(await get('/v1/svg/github')).to.equal(401);
    expect(await get('/v1/svg/github', suspended.headers)).to.equal(403);
    expect(await get('/v1/svg/github', full.headers)).to.equal(429);
    expect(await get('/v1/search?q=git', headers)).to.equal(200);
    expect(await get(`/nowhere/${apiKey}`)).to.equal(404);
    const after = await measured();
    const svg = '/v1/svg/{slug}';
    const rise = (read: (samples: readonly Sample[]) => number) => read(after) - read(before);
    for (const [route, status, count] of [
      [svg, 200, 2],
      [svg, 404, 1],
      [svg, 401, 2],
      [svg, 403, 1],
      [svg, 429, 1],
      ['/v1/search', 200, 1],
      ['unrouted', 404, 1],
    ] as const)
      expect(
        rise((samples) => requests(samples, route, status)),
        `${route} ${status}`,
      ).to.equal(count);
    const admissions = (bucket: string, outcome: string) =>
      rise((samples) => sumOf(samples, 'blazon_admissions_total', { bucket, outcome }));
    expect(['key', 'suspended', 'quota', 'burst', 'failed'].map((outcome) => admissions('svg', outcome))).to.deep.equal(
      [1, 1, 1, 0, 0],
    );
    expect(admissions('svg', 'admitted')).to.be.within(2, 3);
    expect(admissions('search', 'admitted')).to.equal(1);
    expect(rise((samples) => sumOf(samples, 'blazon_request_seconds_sum'))).to.be.within(0, 30);
  });

  it('time stores, locks and drawings, and report the sources of pictures, also after a restart', async () => {
    const { account, headers } = await customer();
    const picture = '/v1/png/github?size=57';
    expect(await get(picture, headers)).to.equal(200);
    expect(await get(picture, headers)).to.equal(200);
    const body = JSON.stringify({ email: account.email, password: PASSWORD });
    const login = await fetch(`${service.base}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(login.status).to.equal(200);
    await login.arrayBuffer();
    const first = await measured();
    const source = (samples: readonly Sample[]) =>
      ['drawn', 'memory', 'disk', 'failed'].map((one) => sumOf(samples, 'blazon_pictures_total', { source: one }));
    expect(source(first)).to.deep.equal([1, 1, 0, 0]);
    expect(sumOf(first, 'blazon_drawing_seconds_count')).to.equal(1);
    expect(sumOf(first, 'blazon_picture_wait_seconds_count')).to.equal(1);
    expect(sumOf(first, 'blazon_pictures_bytes')).to.be.above(100);
    expect(sumOf(first, 'blazon_lock_wait_seconds_count')).to.be.above(0);
    for (const operation of ['accounts.find', 'accounts.save', 'admissions.admit', 'rate-limits.consume'])
      expect(sumOf(first, 'blazon_store_seconds_count', { operation, outcome: 'ok' }), operation).to.be.above(0);
    expect(sumOf(first, 'blazon_store_seconds_count', { outcome: 'failed' })).to.equal(0);
    for (const gauge of ['blazon_mailbox_waiting', 'blazon_pictures_waiting'])
      expect(first.find(({ name }) => name === gauge)?.value, gauge).to.equal(0);
    expect(sumOf(first, 'nodejs_eventloop_lag_p99_seconds')).to.be.above(0);
    expect(sumOf(first, 'process_resident_memory_bytes')).to.be.above(1e7);
    await stop();
    await start();
    expect(await get(picture, headers)).to.equal(200);
    expect(source(await measured())).to.deep.equal([0, 0, 1, 0]);
  });

  it('has no label that clients choose', async () => {
    const { headers } = await customer();
    for (let request = 0; request < 30; request++) {
      const word = `chosen${request}`;
      await get(`/${word}/${word}?${word}=${word}`);
      await get(`/v1/svg/${word}?${word}=${word}`, { ...headers, 'X-Request-Id': word, 'User-Agent': word });
      await get(`/v1/catalog/${word}`, headers, request % 2 ? 'DELETE' : 'PROPFIND');
    }
    const samples = await measured();
    expect(JSON.stringify(samples)).to.not.include('chosen');
    const routes = new Set((await allRoutes()).map(({ path }) => path));
    const given = new Set(samples.flatMap(({ labels }) => labels.route ?? []));
    expect([...given].filter((route) => !routes.has(route))).to.deep.equal(['unrouted']);
    const methods = new Set(samples.flatMap(({ labels }) => labels.method ?? []));
    expect(
      [...methods].every((method) => ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'other'].includes(method)),
      String([...methods]),
    ).to.equal(true);
  });

  it('listens on loopback, with the number of the instance added, and has three addresses', async () => {
    const base = `http://127.0.0.1:${metricsPort}`;
    const answers = await Promise.all(
      ['/metrics', '/healthz', '/readyz', '/', '/v1/svg/github', '/metrics/x'].map(async (path) => {
        const response = await fetch(base + path);
        return [path, response.status, (await response.text()).length > 0] as const;
      }),
    );
    expect(answers).to.deep.equal([
      ['/metrics', 200, true],
      ['/healthz', 200, true],
      ['/readyz', 200, true],
      ['/', 404, true],
      ['/v1/svg/github', 404, true],
      ['/metrics/x', 404, true],
    ]);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) expect(await accepts(metricsPort, address), address).to.equal(false);
    expect(await get('/metrics')).to.equal(404);
  });

  it('log one line per request at info, with its id, and without secrets', async () => {
    const { account, apiKey, headers } = await customer({ tier: 'pro' });
    await get('/v1/svg/github?color=red', { ...headers, 'X-Request-Id': 'request-of-this-test' });
    await get(`/nowhere/${apiKey}?key=${apiKey}`, { 'X-Request-Id': 'another-of-this-test' });
    const log = await stop();
    const lines = log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const of = (requestId: string) => lines.filter((line) => line.requestId === requestId);
    expect(of('request-of-this-test')).to.have.length(1);
    expect(of('request-of-this-test')[0]).to.include({
      level: 'info',
      account: account.id,
      tier: 'pro',
      method: 'GET',
      path: '/v1/svg/github',
      status: 200,
      msg: 'answered',
    });
    expect(of('request-of-this-test')[0]?.ms).to.be.within(0, 10_000);
    expect(of('another-of-this-test').map(({ path, status }) => [path, status])).to.deep.equal([['/nowhere/…', 404]]);
    expect(log).to.not.include(apiKey).and.not.include('color=red');
    expect(Object.keys(of('request-of-this-test')[0] ?? {}).sort()).to.deep.equal(
      ['account', 'level', 'method', 'ms', 'msg', 'path', 'requestId', 'status', 'tier', 'time'].sort(),
    );
  });

  it('log account and tier of every request with a right credential, including 429, and of no other', async () => {
    const lines = (log: string) =>
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    await start();
    const { account, headers, apiKey } = await customer({ tier: 'free' });
    // Each search costs 7 tokens of the burst limit. The tier `free` gets 50 tokens per second, so 60 simultaneous
    // searches exceed the limit.
    const search = () => get('/v1/search?q=git&limit=100', { ...headers, 'X-Request-Id': 'burst' });
    const burst = Array.from({ length: 60 }, search);
    expect(await Promise.all(burst)).to.include(429);
    await get('/v1/brands', { ...headers, 'X-Request-Id': 'brands' });
    await get('/v1/usage', { ...headers, 'X-Request-Id': 'usage' });
    const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
    await get('/v1/catalog/github', { 'X-API-Key': wrong, 'X-Request-Id': 'wrong' });
    await get('/healthz', { 'X-Request-Id': 'nobody' });
    const logged = lines(await stop());
    const of = (requestId: string) => logged.filter((line) => line.requestId === requestId);
    expect(of('burst').some(({ status }) => status === 429)).to.equal(true);
    for (const line of [...of('burst'), ...of('brands'), ...of('usage')])
      expect(line, JSON.stringify(line)).to.include({ account: account.id, tier: 'free' });
    for (const line of [...of('wrong'), ...of('nobody')]) expect(line).to.not.have.any.keys('account', 'tier');
  });

  it('logs no request at warn', async () => {
    await start({ LOG_LEVEL: 'warn' });
    const { headers } = await customer();
    await get('/v1/svg/github', headers);
    await get('/nowhere');
    const lines = (await stop()).split('\n');
    expect(lines.filter((line) => line.includes('"answered"'))).to.deep.equal([]);
  });
});
