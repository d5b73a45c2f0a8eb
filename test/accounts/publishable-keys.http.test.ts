// GET|POST /auth/publishable-keys, PATCH|DELETE /auth/publishable-keys/{id}, and pictures with a publishable key.
import { expect } from 'chai';
import { parsePublishableKey } from '../../src/accounts/publishable-key.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from } from '../support/auth.js';
import { suiteServer, type Customer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly dailyLimit: number | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly usedToday: number;
}

const PATH = '/auth/publishable-keys';

describe('publishable keys', () => {
  let customer: Customer;
  let stoppedAtMs: number | undefined;
  const server = suiteServer({ TRUST_PROXY: '1' }, () => stoppedAtMs ?? Date.now());
  beforeEach(async () => {
    stoppedAtMs = undefined;
    customer = await server.customer('enterprise');
  });

  const send = (
    path: string,
    { method = 'POST', body, bearer = customer.accessToken }: Partial<Parameters<typeof ask>[2]> = {},
  ) => ask(server, path, { method, bearer, headers: from(), ...(body !== undefined && { body }) });
  async function make(settings: object = {}): Promise<Key> {
    const { status, body, text } = await send(PATH, { body: { name: 'Website', ...settings } });
    expect(status, text).to.equal(201);
    return (body as { publishableKey: Key }).publishableKey;
  }
  async function list(): Promise<readonly Key[]> {
    const { status, body, headers } = await send(PATH, { method: 'GET' });
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    return (body as { publishableKeys: readonly Key[] }).publishableKeys;
  }
  const picture = (
    key: string,
    { path = '/v1/svg/github', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ) => fetch(`${server.base}${path}${path.includes('?') ? '&' : '?'}key=${key}`, { headers, redirect: 'manual' });
  const statusOf = async (...args: Parameters<typeof picture>) => (await picture(...args)).status;

  describe('are managed', () => {
    it('can be created, listed, changed and revoked', async () => {
      expect(await list()).to.deep.equal([]);
      const made = await make({ origins: [' Example.COM', '*.bücher.example', 'example.com'], dailyLimit: 5 });
      expect(made).to.have.all.keys(
        'id',
        'key',
        'name',
        'origins',
        'dailyLimit',
        'createdAt',
        'lastUsedAt',
        'usedToday',
      );
      expect(made).to.deep.include({
        name: 'Website',
        origins: ['example.com', '*.xn--bcher-kva.example'],
        dailyLimit: 5,
        lastUsedAt: null,
        usedToday: 0,
      });
      expect(parsePublishableKey(made.key)?.accountId).to.equal(customer.id);
      const other = await make({ name: '  Other ' });
      expect(other).to.deep.include({ name: 'Other', origins: [], dailyLimit: 1_000_000 });
      expect(await list()).to.deep.equal([made, other]);

      const { status, body } = await send(`${PATH}/${made.id}`, { method: 'PATCH', body: { dailyLimit: null } });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ publishableKey: { ...made, dailyLimit: null } });
      expect((await send(`${PATH}/${made.id}`, { method: 'PATCH', body: {} })).body).to.deep.equal(body);

      expect((await send(`${PATH}/${made.id}`, { method: 'DELETE' })).status).to.equal(204);
      expect(await list()).to.deep.equal([other]);
      for (const method of ['PATCH', 'DELETE'])
        expect(
          (await send(`${PATH}/${made.id}`, { method, body: method === 'PATCH' ? {} : undefined })).status,
        ).to.equal(404);
    });

    it('get half of the daily pictures of the tier by default', async () => {
      customer = await server.customer('free');
      expect((await make()).dailyLimit).to.equal(1000);
      expect((await make({ dailyLimit: null })).dailyLimit).to.equal(null);
      customer = await server.customer('pro');
      expect((await make()).dailyLimit).to.equal(100_000);
      customer = await server.customer('internal');
      expect((await make()).dailyLimit).to.equal(null);
    });

    it('are limited to ten', async () => {
      for (let n = 1; n <= 10; n++) await make({ name: `Key ${n}` });
      const { status, body } = await send(PATH, { body: { name: 'Eleventh' } });
      expect([status, (body as { error: string }).error]).to.deep.equal([409, 'conflict']);
      const [first] = await list();
      expect((await send(`${PATH}/${first!.id}`, { method: 'DELETE' })).status).to.equal(204);
      await make({ name: 'Eleventh' });
    });

    it('can be created a hundred times a day', async () => {
      for (let n = 1; n <= 100; n++) {
        const { id } = await make();
        await send(`${PATH}/${id}`, { method: 'DELETE' });
      }
      const { status, body, headers } = await send(PATH, { body: { name: 'Website' } });
      expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).to.be.within(86_000, 86_400);
    });

    it('can have a name of 100 characters, 20 origins, and a limit of one to a billion requests', async () => {
      const origins = Array.from({ length: 20 }, (_, n) => `a${n}.example`);
      const most = { name: 'x'.repeat(100), origins, dailyLimit: 1_000_000_000 };
      expect(await make(most)).to.deep.include(most);
      const { id } = await make({ dailyLimit: 1 });
      const { status, body } = await send(`${PATH}/${id}`, { method: 'PATCH', body: most });
      expect([status, body.publishableKey]).to.deep.equal([200, (await list())[1]]);
      expect(body.publishableKey).to.deep.include(most);
    });

    it('are only visible to their account', async () => {
      const { id } = await make();
      const { accessToken: bearer } = await server.customer();
      for (const method of ['PATCH', 'DELETE'])
        expect(
          (await send(`${PATH}/${id}`, { method, bearer, body: method === 'PATCH' ? {} : undefined })).status,
        ).to.equal(404);
      expect(await list()).to.have.length(1);
    });

    const WRONG: readonly (readonly [string, unknown, string, RegExp])[] = [
      ['without a name', {}, 'name', /missing/],
      ['with an empty name', { name: ' ' }, 'name', /empty/],
      ['with a long name', { name: 'x'.repeat(101) }, 'name', /too long/],
      ['with a name that is a number', { name: 5 }, 'name', /text/],
      ['with origins that are text', { name: 'a', origins: 'example.com' }, 'origins', /list/],
      ['with an address', { name: 'a', origins: ['example.com', 'https://example.com'] }, 'origins.1', /URL/],
      ['with a port', { name: 'a', origins: ['localhost:3000'] }, 'origins.0', /port/],
      ['for all of .com', { name: 'a', origins: ['*.com'] }, 'origins.0', /anyone/],
      [
        'with 21 origins',
        { name: 'a', origins: Array.from({ length: 21 }, (_, n) => `a${n}.example`) },
        'origins',
        /20/,
      ],
      ['with a limit of 0', { name: 'a', dailyLimit: 0 }, 'dailyLimit', /whole number/],
      ['with half a request', { name: 'a', dailyLimit: 1.5 }, 'dailyLimit', /whole number/],
      ['with a limit that is text', { name: 'a', dailyLimit: '5' }, 'dailyLimit', /whole number/],
      ['with a limit beyond all', { name: 'a', dailyLimit: 1e10 }, 'dailyLimit', /whole number/],
      ['with another field', { name: 'a', limit: 5 }, 'limit', /unknown/],
    ];
    for (const [title, body, field, reason] of WRONG)
      it(`reject ${title}`, async () => {
        const { id } = await make();
        for (const [path, method] of [
          [PATH, 'POST'],
          [`${PATH}/${id}`, 'PATCH'],
        ] as const) {
          if (method === 'PATCH' && field === 'name' && !('name' in (body as object))) continue;
          const { status, body: error } = await send(path, { method, body });
          expect(status).to.equal(400);
          expect(error).to.have.nested.property('details[0].field', field);
          expect(error).to.have.nested.property('details[0].reason').that.matches(reason);
          expect(error).to.have.nested.property('details[0].allowed').that.is.not.empty;
        }
        expect(await list()).to.have.length(1);
      });

    it('do not affect the API key, and survive its replacement', async () => {
      const { key } = await make();
      expect((await send('/auth/regenerate-key', { body: { currentPassword: PASSWORD } })).status).to.equal(200);
      expect(await statusOf(key)).to.equal(200);
      await server.revokeKey(customer.apiKey);
      expect(await statusOf(key)).to.equal(200);
      await server.suspend(customer.apiKey);
      await expectError(await picture(key), 403, 'account_suspended');
    });

    it('are in the export and the activity, and are deleted with the account', async () => {
      const { id, key } = await make({ name: 'Shop' });
      const { body } = await send('/auth/export', { body: { currentPassword: PASSWORD } });
      expect(body).to.have.nested.property('publishableKeys[0].key', key);
      const activity = await send('/auth/activity', { method: 'GET' });
      expect(activity.text).to.include('The publishable key “Shop” was created.').and.to.include(id);
      expect(activity.text).not.to.include(key);
      expect((await send('/auth/account', { method: 'DELETE', body: { currentPassword: PASSWORD } })).status).to.equal(
        204,
      );
      expect(await statusOf(key)).to.equal(401);
    });
  });

  describe('open pictures', () => {
    it('in the URL or in the header, and are counted', async () => {
      const { id, key } = await make();
      for (const path of ['/v1/svg/github', '/v1/png/github?size=16', '/v1/webp/github?size=16']) {
        const response = await picture(key, { path });
        expect(response.status).to.equal(200);
        expect(response.headers.get('cache-control')).to.equal('public, max-age=86400, stale-while-revalidate=604800');
        expect(response.headers.get('vary') ?? '').not.to.match(/x-api-key/i);
        expect(response.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
        expect(response.headers.get('access-control-allow-origin')).to.equal('*');
        const own = await server.get(path, customer.apiKey);
        expect(own.headers.get('cache-control')).to.match(/^private/);
        expect(own.headers.get('vary')).to.match(/x-api-key/i);
        expect(own.headers.get('etag')).to.equal(response.headers.get('etag'));
        expect(Buffer.from(await own.arrayBuffer())).to.deep.equal(Buffer.from(await response.arrayBuffer()));
      }
      const inHeader = await server.get('/v1/svg/github', key);
      expect([inHeader.status, inHeader.headers.get('cache-control')?.slice(0, 6)]).to.deep.equal([200, 'public']);
      expect(inHeader.headers.get('vary'), 'the key is no part of the address').to.match(/x-api-key/i);
      expect((await list())[0]).to.deep.include({ id, usedToday: 4 });
      expect((await server.used(customer.apiKey)).svg).to.equal(3);
      expect(await eventually(async () => (await list())[0]?.lastUsedAt ?? undefined, 'last use')).to.be.a('string');
    });

    it('with the cache lifetime of the current version, free HEAD and 304, and redirects that keep the key', async () => {
      const { key } = await make();
      const entry = (await (await server.get('/v1/catalog/github', customer.apiKey)).json()) as {
        variants: { urls: { svg: string } }[];
      };
      const versioned = new URL(entry.variants[0]!.urls.svg, server.base);
      const current = await picture(key, { path: versioned.pathname + versioned.search });
      expect(current.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      const etag = current.headers.get('etag')!;
      const fresh = await picture(key, {
        headers: { 'If-None-Match': etag },
        path: versioned.pathname + versioned.search,
      });
      expect([fresh.status, fresh.headers.get('cache-control')]).to.deep.equal([
        304,
        'public, max-age=31536000, immutable',
      ]);
      const head = await fetch(`${server.base}/v1/svg/github?key=${key}`, { method: 'HEAD' });
      expect(head.status).to.equal(200);
      expect((await list())[0]!.usedToday).to.equal(1);
      const stale = await picture(key, { path: '/v1/svg/github?v=0' });
      expect(stale.status).to.equal(308);
      expect(stale.headers.get('location')).to.equal(`/v1/svg/github?key=${key}`);
    });

    it('only for pages of their origins', async () => {
      const { key } = await make({ origins: ['example.com', '*.example.org', 'localhost'] });
      for (const headers of [
        { Origin: 'https://example.com' },
        { Referer: 'https://a.example.org/page?x=1' },
        { Origin: 'http://localhost:5173' },
      ])
        expect(await statusOf(key, { headers }), JSON.stringify(headers)).to.equal(200);
      for (const headers of [
        {},
        { Origin: 'null' },
        { Origin: 'https://evilexample.com' },
        { Referer: 'https://example.com.evil.net/' },
        { Origin: 'https://evil.net', Referer: 'https://example.com/' },
      ] as Record<string, string>[]) {
        const { message } = await expectError(await picture(key, { headers }), 403, 'forbidden');
        expect(message).not.to.match(/example\.(?:com|org)/);
      }
      expect((await list())[0]!.usedToday).to.equal(3);
    });

    it('up to their daily limit', async () => {
      const { key } = await make({ dailyLimit: 3 });
      const first = await picture(key);
      expect(first.headers.get('ratelimit-policy')).to.equal('"key-day";q=3;w=86400');
      expect(first.headers.get('ratelimit')).to.match(/^"key-day";r=2;t=\d+$/);
      const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf(key)));
      expect(statuses.filter((status) => status === 200)).to.have.length(2);
      const over = await picture(key, { path: '/v1/png/github?size=16' });
      expect(over.headers.get('ratelimit')).to.match(/^"key-day";r=0;/);
      expect(Number(over.headers.get('retry-after'))).to.be.within(1, 86_400);
      const { message } = await expectError(over, 429, 'quota_exceeded');
      expect(message).to.match(/daily limit of this publishable key \(3 requests per day\)/);
      const own = await server.get('/v1/svg/github', customer.apiKey);
      expect([own.status, own.headers.get('ratelimit')]).to.deep.equal([200, null]);
    });

    it('without revealing account or tier', async () => {
      customer = await server.customer('free');
      for (const dailyLimit of [null, 1000]) {
        await server.setUsed(customer.apiKey, 'svg', 0);
        const { key } = await make({ dailyLimit });
        const answers = [await picture(key)];
        await server.setUsed(customer.apiKey, 'svg', dailyLimit === null ? 1000 : 900);
        answers.push(await picture(key));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 429]);
        expect(answers[0]!.headers.get('ratelimit-policy')).to.equal(dailyLimit && '"key-day";q=1000;w=86400');
        expect(answers[1]!.headers.get('ratelimit')).to.equal(null);
        const { message } = await expectError(answers[1]!, 429, 'quota_exceeded');
        expect(message).to.match(/^Today's quota of this publishable key is used up\. It resets at \S+Z\.$/);
      }
      expect((await server.get('/v1/svg/github', customer.apiKey)).status, 'the last tenth').to.equal(200);
    });

    it('with a share of the burst for each visitor, so that one visitor cannot block others', async () => {
      customer = await server.customer('free');
      const { key } = await make();
      stoppedAtMs = Date.now();
      const ask = async (visitor: string, method: string, requests: number) => {
        const url = `${server.base}/v1/svg/github?key=${key}`;
        const one = async () => (await fetch(url, { method, headers: { 'X-Forwarded-For': visitor } })).status;
        return (await Promise.all(Array.from({ length: requests }, one))).filter((status) => status === 200).length;
      };
      expect(await ask('2001:db8:1::1', 'HEAD', 200), 'half of it at once').to.equal(25);
      expect(await ask('192.0.2.8', 'GET', 25), 'the rest is there for others').to.equal(25);
      stoppedAtMs += 1000;
      expect(await ask('2001:db8:1:ffff::2', 'HEAD', 80), 'of the same network').to.equal(13);
      expect(await ask('192.0.2.7', 'GET', 25)).to.equal(25);
    });

    it('not together with another credential, malformed, repeated, or with a secret key in the URL', async () => {
      const { key } = await make();
      const path = '/v1/svg/github';
      const both = await picture(key, { headers: { 'X-API-Key': customer.apiKey } });
      expect(await expectError(both, 400, 'invalid_request')).to.have.nested.property('details[0].field', 'key');
      await expectError(await picture(key, { headers: { Authorization: 'Bearer x' } }), 400, 'invalid_request');
      for (const wrong of [`${key.slice(0, -1)}~`, 'blzp_', 'blzp_nonsense', 'foo', '']) {
        const { message, details } = await expectError(await picture(wrong), 401, 'invalid_api_key');
        expect(message, wrong).to.equal('key: not a publishable key: its prefix, length or checksum is wrong.');
        expect(details, wrong).to.have.nested.property('[0].field', 'key');
      }
      for (const secret of [customer.apiKey, customer.apiKey.slice(0, 12)])
        expect(await expectError(await picture(secret), 400, 'invalid_request')).to.have.property(
          'message',
          'key: secret keys are not allowed in URLs; send the key in the X-API-Key header, or create a publishable key (blzp_…) ' +
            'for pictures in pages',
        );
      const elsewhere = await server.get('/v1/search?q=git&key=foo', customer.apiKey);
      const unknown = await expectError(elsewhere, 400, 'invalid_request');
      expect(unknown.message).to.equal('key: unknown parameter');
      await expectError(await fetch(`${server.base}${path}?key=${key}&key=${key}`), 400, 'invalid_request');
      await expectError(await fetch(`${server.base}${path}?apikey=${key}`), 400, 'invalid_request');
      await expectError(await fetch(`${server.base}${path}`), 401, 'invalid_api_key');
      const encoded = await fetch(`${server.base}${path}?k%65y=${key}`);
      expect(encoded.status).to.equal(200);
      await encoded.arrayBuffer();
      await expectError(await fetch(`${server.base}/healthz?k%65y=${key}`), 401, 'invalid_api_key');
      const junk = await fetch(`${server.base}${path}?size=banana`, { headers: { 'X-API-Key': 'junk' } });
      await expectError(junk, 401, 'invalid_api_key');
      await expectInvalid(await picture(key, { path: `${path}?sise=3` }), 'sise');
    });

    it('not after the response to their revocation', async () => {
      const { id, key } = await make();
      for (let round = 0; round < 5; round++) expect(await statusOf(key)).to.equal(200);
      let isOver = false;
      const late: number[] = [];
      const callers = Array.from({ length: 4 }, async () => {
        while (!isOver) await statusOf(key);
      });
      expect((await send(`${PATH}/${id}`, { method: 'DELETE' })).status).to.equal(204);
      for (let round = 0; round < 200; round++) late.push(await statusOf(key));
      isOver = true;
      await Promise.all(callers);
      expect(new Set(late)).to.deep.equal(new Set([401]));
    });
  });
});
