// What holds for every route of its kind.
import { expect } from 'chai';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../src/errors.js';
import { isMetered, type Route } from '../../src/http/route.js';
import { allRoutes, type RouteServices } from '../../src/http/routes/index.js';
import { newApiKey } from '../../src/domain/api-key.js';
import type { AccountId } from '../../src/domain/account.js';
import { startServer, type Customer, type TestServer } from '../support/server.js';
import { credentialsOf, ROUTE_CALLS, type RouteCall } from './route-calls.js';

const ROUTES = allRoutes({} as RouteServices);
const name = (route: Route) => `${route.method} ${route.path}`;
const NOT_TEXT = [null, 1, {}, [], [{}], true, { $ne: null }, { $gt: '' }];

describe('every route', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  // Some calls can be made once only, or end the session: every test has a customer of its own.
  let customer: Customer;
  let call: RouteCall;
  async function another(route: Route): Promise<void> {
    const known = ROUTE_CALLS[name(route)];
    if (!known) throw new Error(`test/http/route-calls.ts has no call for ${name(route)}`);
    customer = await server.customer('internal');
    call = typeof known === 'function' ? await known(customer, server) : known;
  }

  interface Sent {
    readonly path?: string;
    readonly method?: string;
    /** Beside the credentials, or in their place. */
    readonly headers?: Record<string, string>;
    readonly credentials?: Record<string, string>;
    readonly body?: string | Uint8Array<ArrayBuffer>;
  }
  function send(route: Route, { path, method, headers, credentials, body }: Sent = {}): Promise<Response> {
    const payload = body ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return fetch(server.base + (path ?? call.path), {
      method: method ?? route.method,
      redirect: 'manual',
      headers: {
        ...(payload !== undefined && { 'Content-Type': 'application/json' }),
        ...(credentials ?? credentialsOf(route.auth, customer)),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
  }
  async function expectError(response: Response, status: number, code: ErrorCode): Promise<Record<string, unknown>> {
    const text = await response.text();
    expect(response.status, text).to.equal(status);
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const body = JSON.parse(text) as Record<string, unknown>;
    expect(body).to.have.property('error', code);
    expect(body).to.have.property('message').that.is.a('string').and.not.empty;
    expect(ERRORS[code].status).to.equal(status);
    return body;
  }
  const withParameter = (path: string, pair: string) => path + (path.includes('?') ? '&' : '?') + pair;

  it('has a call in route-calls.ts, and no call is left over', () => {
    expect(Object.keys(ROUTE_CALLS).sort()).to.deep.equal(ROUTES.map(name).sort());
  });

  for (const route of ROUTES) {
    describe(name(route), () => {
      beforeEach(() => another(route));

      it('answers a good call as documented', async () => {
        const response = await send(route);
        const text = await response.text();
        expect(Object.keys(route.responses).map(Number), text).to.include(response.status);
        expect(response.status, text).to.be.below(400);
        expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
        if (response.status !== 204) expect(response.headers.get('content-length')).to.not.equal(null);
        if (route.path.startsWith('/auth/')) {
          expect(response.headers.get('cache-control')).to.equal('no-store');
          expect(response.headers.get('access-control-allow-origin')).to.equal(null);
        }
        const schema = route.responses[response.status]?.schema;
        if (schema instanceof z.ZodObject && schema.def.catchall === undefined) schema.strict().parse(JSON.parse(text));
        else if (schema) schema.parse(JSON.parse(text));
      });

      it('keeps a sane request id and replaces another', async () => {
        expect((await send(route, { headers: { 'X-Request-Id': 'abc-123.X_y' } })).headers.get('x-request-id')).to.equal('abc-123.X_y');
        expect((await send(route, { headers: { 'X-Request-Id': 'not sane!' } })).headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      });

      it('refuses an unknown and a repeated parameter by name', async () => {
        const { path } = call;
        const unknown = await expectError(await send(route, { path: withParameter(path, 'nonsense=1') }), 400, 'invalid_request');
        expect(unknown).to.have.nested.property('details[0].field', 'nonsense');
        expect(unknown).to.have.nested.property('details[0].allowed').that.is.an('array');
        await expectError(await send(route, { path: withParameter(path, 'size=32&size=32') }), 400, 'invalid_request');
        await expectError(await send(route, { path: withParameter(path, '__proto__=1') }), 400, 'invalid_request');
        await expectError(await send(route, { path: withParameter(path, 'a=%E0%A4%A') }), 400, 'invalid_request');
      });

      it('refuses a key in the address, without repeating it', async () => {
        const secret = newApiKey('AccountId012' as AccountId).raw;
        for (const parameter of ['api_key', 'key', 'X-API-Key', 'q']) {
          const body = await expectError(await send(route, { path: withParameter(call.path.split('?')[0]!, `${parameter}=${secret}`) }), 400, 'invalid_request');
          expect(JSON.stringify(body)).to.not.include(secret);
        }
      });

      it('answers other methods with 405 and Allow', async () => {
        const others = ['PUT', 'DELETE', 'PATCH', 'GET', 'POST'].filter((method) => !ROUTES.some(({ path, method: taken }) => path === route.path && taken === method));
        for (const method of others) {
          const response = await fetch(server.base + call.path, { method, redirect: 'manual' });
          // /v1/catalog/batch is also an address of GET /v1/catalog/{slug}.
          if (method === 'GET' && route.path === '/v1/catalog/batch') continue;
          expect(response.headers.get('allow'), method).to.include(route.method);
          await expectError(response, 405, 'method_not_allowed');
        }
      });

      if (route.method === 'GET') {
        it('answers HEAD like GET without a body', async () => {
          const get = await send(route);
          const head = await send(route, { method: 'HEAD' });
          expect(head.status).to.equal(get.status);
          expect(await head.text()).to.equal('');
          for (const header of ['content-type', 'content-length', 'etag', 'cache-control', 'location']) {
            expect(head.headers.get(header), header).to.equal(get.headers.get(header));
          }
        });
      }

      if (route.auth === 'key' || route.auth === 'key-or-bearer') {
        it('refuses a missing, malformed, unknown and doubled key', async () => {
          const { apiKey } = customer;
          const forged = newApiKey(apiKey.slice(4, 16) as AccountId).raw;
          const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
          for (const wrong of ['', 'blz_nonsense', mistyped, newApiKey('AccountId012' as AccountId).raw, forged]) {
            await expectError(await send(route, { credentials: { 'X-API-Key': wrong } }), 401, 'invalid_api_key');
          }
          await expectError(await send(route, { credentials: {} }), 401, 'invalid_api_key');
          await expectError(await send(route, { headers: { Authorization: 'Bearer x' } }), 400, 'invalid_request');
        });
      }

      if (route.auth === 'key-or-bearer') {
        it('takes a bearer token too, and speaks of one that is wrong as of a key', async () => {
          expect((await send(route, { credentials: credentialsOf('bearer', customer) })).status).to.equal(200);
          await expectError(await send(route, { credentials: { Authorization: 'Bearer nonsense' } }), 401, 'invalid_api_key');
          await expectError(await send(route, { credentials: { Authorization: 'nonsense' } }), 401, 'invalid_api_key');
        });
      }

      if (route.auth === 'bearer' || route.auth === 'bearer-or-cookie') {
        it('refuses a missing, malformed, forged and doubled bearer token', async () => {
          const [head, payload, signature] = customer.accessToken.split('.');
          const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload!}.`;
          const wrong = ['', 'nonsense', 'Bearer', 'Bearer nonsense', `Bearer ${unsigned}`, `Bearer ${head!}.${payload!}.${signature!.slice(0, -4)}AAAA`, `Basic ${customer.accessToken}`];
          for (const credentials of [{}, ...wrong.map((authorization) => ({ Authorization: authorization })), { 'X-API-Key': customer.apiKey }]) {
            const response = await send(route, { credentials });
            expect(response.headers.get('www-authenticate')).to.equal('Bearer');
            await expectError(response, 401, 'invalid_token');
          }
          const bearer = credentialsOf('bearer', customer);
          await expectError(await send(route, { credentials: { ...bearer, 'X-API-Key': customer.apiKey } }), 400, 'invalid_request');
        });

        it('refuses a bearer token from the moment its session ends', async () => {
          await send(route, { path: '/auth/logout', method: 'POST', credentials: credentialsOf('cookie', customer), body: '{}' });
          await expectError(await send(route, { credentials: credentialsOf('bearer', customer) }), 401, 'invalid_token');
        });
      }

      if (route.auth === 'cookie' || route.auth === 'bearer-or-cookie') {
        it('takes a cookie from a page of its own only', async () => {
          const { cookie } = customer;
          const own = credentialsOf('cookie', customer).Origin!;
          for (const refused of [{}, { Origin: 'https://elsewhere.example' }, { Origin: 'null' }, { Origin: own, 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { 'Sec-Fetch-Site': 'none' }, { Origin: 'http://icons.example', 'Sec-Fetch-Site': 'same-origin' }]) {
            await expectError(await send(route, { credentials: { Cookie: cookie, ...refused } }), 403, 'forbidden');
          }
          await expectError(await send(route, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
          expect((await send(route, { credentials: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } })).status).to.be.below(300);
        });
      }

      if (route.auth === 'cookie') {
        it('refuses a missing, malformed and forged cookie', async () => {
          const { Origin = '' } = credentialsOf('cookie', customer);
          for (const cookie of ['', '__Host-blazon_session=', 'blazon_session=x', '__Host-blazon_session=nonsense', `${customer.cookie.slice(0, -4)}AAAA`, customer.cookie.replace('__Host-', '')]) {
            await expectError(await send(route, { credentials: { Origin, Cookie: cookie } }), 401, 'session_ended');
          }
        });
      }

      if (route.auth !== 'none') {
        it('refuses a suspended account', async () => {
          server.suspend(customer.apiKey);
          await expectError(await send(route), 403, 'account_suspended');
        });
      }

      if (isMetered(route)) {
        const { bucket } = route;
        const used = async (key: string) => {
          const report = (await (await server.get('/v1/usage', key)).json()) as { endpoints: Record<string, { used: number }> };
          return report.endpoints[bucket]!.used;
        };

        it('counts one for an answer, and nothing for HEAD, 304 and errors', async () => {
          const key = await server.key('free');
          const headers = { 'X-API-Key': key };
          const first = await send(route, { headers });
          expect(first.headers.get('ratelimit-policy')).to.match(new RegExp(`^"${bucket}-day";q=\\d+;w=86400$`));
          expect(first.headers.get('ratelimit')).to.match(new RegExp(`^"${bucket}-day";r=\\d+;t=\\d+$`));
          expect(await used(key)).to.equal(1);
          if (route.method === 'GET') {
            await send(route, { headers, method: 'HEAD' });
            const etag = first.headers.get('etag');
            expect(etag).to.match(/^"[^"]+"$/);
            const again = await send(route, { headers: { ...headers, 'If-None-Match': `"other", W/${etag!}` } });
            expect(again.status).to.equal(304);
            expect(again.headers.get('etag')).to.equal(etag);
            expect(await again.text()).to.equal('');
            await expectError(await send(route, { headers: { 'If-None-Match': etag!, 'X-API-Key': newApiKey('AccountId012' as AccountId).raw } }), 401, 'invalid_api_key');
          }
          await send(route, { headers, path: withParameter(call.path, 'nonsense=1') });
          expect(await used(key)).to.equal(1);
        });

        it('answers 429 when the day is used up, and still 304', async () => {
          const key = await server.key('free');
          const headers = { 'X-API-Key': key };
          const etag = (await send(route, { headers })).headers.get('etag');
          server.setUsed(key, bucket, 1_000_000);
          const response = await send(route, { headers });
          const retryAfter = Number(response.headers.get('retry-after'));
          expect(retryAfter).to.be.within(1, 86_400);
          expect(response.headers.get('ratelimit')).to.match(/;r=0;/);
          const body = await expectError(response, 429, 'quota_exceeded');
          expect(body.message).to.match(new RegExp(`${bucket} quota.*\\d+ requests a day.*T00:00:00Z`));
          expect(await used(key)).to.equal(1_000_000);
          if (etag !== null) expect((await send(route, { headers: { ...headers, 'If-None-Match': etag } })).status).to.equal(304);
        });

        it('answers 429 to more than the burst', async () => {
          const key = await server.key('free');
          const responses = await Promise.all(Array.from({ length: 90 }, () => send(route, { headers: { 'X-API-Key': key } })));
          const statuses = responses.map(({ status }) => status);
          expect(statuses.filter((status) => status === 200).length).to.be.within(50, 60);
          const limited = responses.find(({ status }) => status === 429);
          expect(limited?.headers.get('retry-after')).to.equal('1');
          await expectError(limited!, 429, 'rate_limited');
          expect(await used(key)).to.equal(statuses.filter((status) => status === 200).length);
        });

        it('may be called from any origin', async () => {
          const response = await send(route, { headers: { Origin: 'https://elsewhere.example' } });
          expect(response.headers.get('access-control-allow-origin')).to.equal('*');
          expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
          expect(response.headers.get('access-control-expose-headers')).to.include('RateLimit');
          const preflight = await fetch(server.base + call.path, {
            method: 'OPTIONS',
            headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': route.method, 'Access-Control-Request-Headers': 'x-api-key' },
          });
          expect(preflight.status).to.equal(204);
          expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).to.include('x-api-key');
          expect(preflight.headers.get('access-control-allow-methods')).to.include(route.method);
        });
      }

      if (route.path.startsWith('/auth/')) {
        it('may be called from its own origin only', async () => {
          const origin = { Origin: 'https://elsewhere.example' };
          const preflight = await send(route, { method: 'OPTIONS', credentials: { ...origin, 'Access-Control-Request-Method': route.method }, body: '' });
          expect(preflight.status).to.equal(204);
          expect(preflight.headers.get('allow')).to.include(route.method);
          for (const { headers } of [preflight, await send(route, { headers: origin })]) {
            expect([...headers.keys()].filter((header) => header.startsWith('access-control-'))).to.deep.equal([]);
          }
        });
      }

      if (route.body) {
        const fields = Object.keys(route.body.shape);
        const mayBeLeftOut = fields.length === 0;

        it('refuses bodies that are not what it takes', async () => {
          await expectError(await send(route, { body: '{"a":' }), 400, 'invalid_json');
          if (!mayBeLeftOut) await expectError(await send(route, { body: '' }), 400, 'invalid_json');
          for (const body of ['[]', '"text"', 'null']) {
            const refused = await expectError(await send(route, { body }), 400, 'invalid_request');
            expect(refused.details).to.deep.equal([{ field: 'body', reason: 'must be a JSON object', allowed: fields }]);
          }
          const nested = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
          await expectError(await send(route, { body: nested }), 400, 'invalid_request');
          await expectError(await send(route, { body: '{"__proto__":{"a":1}}' }), 400, 'invalid_request');
          if (!mayBeLeftOut) await expectError(await send(route, { body: '{}' }), 400, 'invalid_request');
          const notUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
          await expectError(await send(route, { body: notUtf8 }), 400, 'invalid_json');
          await expectError(await send(route, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
          await expectError(await send(route, { headers: { 'Content-Type': 'application/json; charset=latin1' } }), 415, 'unsupported_media_type');
          await expectError(await send(route, { body: '{', headers: { 'Content-Type': 'application/json; charset="UTF-8"' } }), 400, 'invalid_json');
          for (const coding of ['gzip', 'deflate', 'br']) {
            await expectError(await send(route, { body: '{}', headers: { 'Content-Encoding': coding } }), 415, 'unsupported_media_type');
          }
          const text = JSON.stringify(call.body);
          const twice = mayBeLeftOut ? '{"a":1,"a":1}' : `${text.slice(0, -1)},${text.slice(1)}`;
          expect(await expectError(await send(route, { body: twice }), 400, 'invalid_request')).to.have.nested.property('details[0].reason', 'given more than once');
          const unknown = await expectError(await send(route, { body: JSON.stringify({ ...(call.body as object), extra: 1 }) }), 400, 'invalid_request');
          expect(unknown).to.have.nested.property('details[0].field', 'extra');
        });

        it('refuses a body that is too large, and does not use its connection again', async () => {
          await expectError(await send(route, { body: JSON.stringify({ a: 'x'.repeat(70_000) }) }), 413, 'payload_too_large');
          const headers = { 'Content-Type': 'application/json', ...credentialsOf(route.auth, customer) };
          const large = await fetch(server.base + call.path, { method: route.method, headers, body: new Blob([`{"a":"${'x'.repeat(1_000_000)}"}`]).stream(), duplex: 'half' });
          expect([413, 400]).to.include(large.status);
          expect((await send(route)).status).to.be.below(500);
        });

        for (const field of fields) {
          it(`names ${field} when it is not what it takes, stores nothing, and repeats nothing`, async () => {
            const before = server.records(customer);
            const withField = (value: unknown) => send(route, { body: JSON.stringify({ ...(call.body as object), [field]: value }) });
            for (const value of NOT_TEXT) {
              const refused = await expectError(await withField(value), 400, 'invalid_request');
              expect(refused).to.have.nested.property('details[0].allowed');
              expect(JSON.stringify(refused.details)).to.not.match(/Invalid input|expected|Unrecognized|Too (small|big)/);
            }
            for (const value of ['nul \0 byte', 'lone \ud800 surrogate', '\udc00 another', 'secret'.repeat(1000)]) {
              const refused = await expectError(await withField(value), 400, 'invalid_request');
              expect(refused).to.have.nested.property('details[0].field').that.matches(new RegExp(`^${field}`));
              expect(JSON.stringify(refused)).to.not.match(/nul |lone |another|secret/);
            }
            await expectError(await withField('x'.repeat(1_000_000)), 413, 'payload_too_large');
            expect(server.records(customer)).to.equal(before);
          });
        }
      }

      if (route.params) {
        it('refuses a path that cannot be, and says what is not there', async () => {
          const [parameter = ''] = Object.keys(route.params!.shape);
          const path = (value: string) => route.path.replace(`{${parameter}}`, value);
          await expectError(await send(route, { path: path('%00') }), route.hidden ? 404 : 400, route.hidden ? 'route_not_found' : 'invalid_request');
          await expectError(await send(route, { path: path('constructor') }), 404, route.hidden ? 'route_not_found' : 'not_found');
        });
      }
    });
  }

  it('answers an unknown path with 404 as JSON', async () => {
    for (const path of ['/nowhere', '/v1/svg', '/v1/svg/github/', '/V1/svg/github', '/v2/svg/github', '/v1//svg/github', '/docs/../etc/passwd/x']) {
      await expectError(await fetch(server.base + path), 404, 'route_not_found');
    }
  });
});
