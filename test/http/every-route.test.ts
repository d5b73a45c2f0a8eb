// What holds for every route of its kind.
import { expect } from 'chai';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../src/errors.js';
import { isMetered, type Route } from '../../src/http/route.js';
import { allRoutes, type RouteServices } from '../../src/http/routes/index.js';
import { newApiKey } from '../../src/domain/api-key.js';
import type { AccountId } from '../../src/domain/account.js';
import { startServer, type TestServer } from '../support/server.js';
import { ROUTE_CALLS } from './route-calls.js';

const ROUTES = allRoutes({} as RouteServices);
const name = (route: Route) => `${route.method} ${route.path}`;
const callOf = (route: Route) => {
  const call = ROUTE_CALLS[name(route)];
  if (!call) throw new Error(`test/http/route-calls.ts has no call for ${name(route)}`);
  return call;
};

describe('every route', () => {
  let server: TestServer;
  let key: string;
  before(async () => {
    server = await startServer();
    key = await server.key();
  });
  after(() => server.close());

  function send(route: Route, { path, method, headers, body }: { path?: string; method?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {}): Promise<Response> {
    const call = callOf(route);
    const payload = body ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return fetch(server.base + (path ?? call.path), {
      method: method ?? route.method,
      redirect: 'manual',
      headers: {
        ...(route.auth === 'key' && { 'X-API-Key': key }),
        ...(payload !== undefined && { 'Content-Type': 'application/json' }),
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
      it('answers a good call as documented', async () => {
        const response = await send(route);
        const text = await response.text();
        expect(Object.keys(route.responses).map(Number), text).to.include(response.status);
        expect(response.status, text).to.be.below(400);
        expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
        expect(response.headers.get('content-length')).to.not.equal(null);
        const schema = route.responses[response.status]?.schema;
        if (schema instanceof z.ZodObject && schema.def.catchall === undefined) schema.strict().parse(JSON.parse(text));
        else if (schema) schema.parse(JSON.parse(text));
      });

      it('keeps a sane request id and replaces another', async () => {
        expect((await send(route, { headers: { 'X-Request-Id': 'abc-123.X_y' } })).headers.get('x-request-id')).to.equal('abc-123.X_y');
        expect((await send(route, { headers: { 'X-Request-Id': 'not sane!' } })).headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      });

      it('refuses an unknown and a repeated parameter by name', async () => {
        const { path } = callOf(route);
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
          const body = await expectError(await send(route, { path: withParameter(callOf(route).path.split('?')[0]!, `${parameter}=${secret}`) }), 400, 'invalid_request');
          expect(JSON.stringify(body)).to.not.include(secret);
        }
      });

      it('answers other methods with 405 and Allow', async () => {
        for (const method of ['PUT', 'DELETE', 'PATCH', route.method === 'GET' ? 'POST' : 'GET']) {
          const response = await fetch(server.base + callOf(route).path, { method, redirect: 'manual' });
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

      if (route.auth === 'key') {
        it('refuses a missing, malformed, unknown and doubled credential', async () => {
          const bare = { 'X-API-Key': '' };
          await expectError(await send(route, { headers: bare }), 401, 'invalid_api_key');
          await expectError(await send(route, { headers: { 'X-API-Key': 'blz_nonsense' } }), 401, 'invalid_api_key');
          await expectError(await send(route, { headers: { 'X-API-Key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` } }), 401, 'invalid_api_key');
          await expectError(await send(route, { headers: { 'X-API-Key': newApiKey('AccountId012' as AccountId).raw } }), 401, 'invalid_api_key');
          await expectError(await send(route, { headers: { Authorization: 'Bearer x' } }), 400, 'invalid_request');
          const forged = newApiKey(key.slice(4, 16) as AccountId).raw;
          await expectError(await send(route, { headers: { 'X-API-Key': forged } }), 401, 'invalid_api_key');
        });

        it('refuses a suspended account', async () => {
          const suspended = await server.key('free');
          server.suspend(suspended);
          await expectError(await send(route, { headers: { 'X-API-Key': suspended } }), 403, 'account_suspended');
        });
      }

      if (isMetered(route)) {
        const { bucket } = route;
        const used = async (customer: string) => {
          const report = (await (await server.get('/v1/usage', customer)).json()) as { endpoints: Record<string, { used: number }> };
          return report.endpoints[bucket]!.used;
        };

        it('counts one for an answer, and nothing for HEAD, 304 and errors', async () => {
          const customer = await server.key('free');
          const headers = { 'X-API-Key': customer };
          const first = await send(route, { headers });
          expect(first.headers.get('ratelimit-policy')).to.match(new RegExp(`^"${bucket}-day";q=\\d+;w=86400$`));
          expect(first.headers.get('ratelimit')).to.match(new RegExp(`^"${bucket}-day";r=\\d+;t=\\d+$`));
          expect(await used(customer)).to.equal(1);
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
          await send(route, { headers, path: withParameter(callOf(route).path, 'nonsense=1') });
          expect(await used(customer)).to.equal(1);
        });

        it('answers 429 when the day is used up, and still 304', async () => {
          const customer = await server.key('free');
          const headers = { 'X-API-Key': customer };
          const etag = (await send(route, { headers })).headers.get('etag');
          server.setUsed(customer, bucket, 1_000_000);
          const response = await send(route, { headers });
          const retryAfter = Number(response.headers.get('retry-after'));
          expect(retryAfter).to.be.within(1, 86_400);
          expect(response.headers.get('ratelimit')).to.match(/;r=0;/);
          const body = await expectError(response, 429, 'quota_exceeded');
          expect(body.message).to.match(new RegExp(`${bucket} quota.*\\d+ requests a day.*T00:00:00Z`));
          expect(await used(customer)).to.equal(1_000_000);
          if (etag !== null) expect((await send(route, { headers: { ...headers, 'If-None-Match': etag } })).status).to.equal(304);
        });

        it('answers 429 to more than the burst', async () => {
          const customer = await server.key('free');
          const responses = await Promise.all(Array.from({ length: 90 }, () => send(route, { headers: { 'X-API-Key': customer } })));
          const statuses = responses.map(({ status }) => status);
          expect(statuses.filter((status) => status === 200).length).to.be.within(50, 60);
          const limited = responses.find(({ status }) => status === 429);
          expect(limited?.headers.get('retry-after')).to.equal('1');
          await expectError(limited!, 429, 'rate_limited');
          expect(await used(customer)).to.equal(statuses.filter((status) => status === 200).length);
        });

        it('may be called from any origin', async () => {
          const response = await send(route, { headers: { Origin: 'https://elsewhere.example' } });
          expect(response.headers.get('access-control-allow-origin')).to.equal('*');
          expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
          expect(response.headers.get('access-control-expose-headers')).to.include('RateLimit');
          const preflight = await fetch(server.base + callOf(route).path, {
            method: 'OPTIONS',
            headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': route.method, 'Access-Control-Request-Headers': 'x-api-key' },
          });
          expect(preflight.status).to.equal(204);
          expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).to.include('x-api-key');
          expect(preflight.headers.get('access-control-allow-methods')).to.include(route.method);
        });
      }

      if (route.body) {
        it('refuses bodies that are not what it takes', async () => {
          await expectError(await send(route, { body: '{"a":' }), 400, 'invalid_json');
          await expectError(await send(route, { body: '' }), 400, 'invalid_json');
          for (const body of ['[]', '"text"', 'null']) {
            const refused = await expectError(await send(route, { body }), 400, 'invalid_request');
            expect(refused.details).to.deep.equal([{ field: 'body', reason: 'must be a JSON object', allowed: Object.keys(route.body!.shape) }]);
          }
          for (const field of Object.keys(route.body!.shape)) {
            for (const value of [null, 1, {}, [], [{}], true]) {
              const refused = await expectError(await send(route, { body: JSON.stringify({ ...(callOf(route).body as object), [field]: value }) }), 400, 'invalid_request');
              expect(refused).to.have.nested.property('details[0].allowed');
              expect(JSON.stringify(refused.details)).to.not.match(/Invalid input|expected|Unrecognized|Too (small|big)/);
            }
          }
          const nested = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
          await expectError(await send(route, { body: nested }), 400, 'invalid_request');
          await expectError(await send(route, { body: '{"__proto__":{"a":1}}' }), 400, 'invalid_request');
          await expectError(await send(route, { body: '{}' }), 400, 'invalid_request');
          const notUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
          await expectError(await send(route, { body: notUtf8 }), 400, 'invalid_json');
          await expectError(await send(route, { headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type');
          await expectError(await send(route, { headers: { 'Content-Type': 'application/json; charset=latin1' } }), 415, 'unsupported_media_type');
          await expectError(await send(route, { body: '{', headers: { 'Content-Type': 'application/json; charset="UTF-8"' } }), 400, 'invalid_json');
          await expectError(await send(route, { body: JSON.stringify({ a: 'x'.repeat(70_000) }) }), 413, 'payload_too_large');
          const { path } = callOf(route);
          for (const coding of ['gzip', 'deflate', 'br']) {
            await expectError(await send(route, { body: '{}', headers: { 'Content-Encoding': coding } }), 415, 'unsupported_media_type');
          }
          // The connection of a body that was given up is not used again.
          const large = await fetch(server.base + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...(route.auth === 'key' && { 'X-API-Key': key }) }, body: new Blob([`{"a":"${'x'.repeat(500_000)}"}`]).stream(), duplex: 'half' });
          expect([413, 400]).to.include(large.status);
          expect((await send(route)).status).to.be.below(500);
          const text = JSON.stringify(callOf(route).body);
          const twice = await expectError(await send(route, { body: `${text.slice(0, -1)},${text.slice(1)}` }), 400, 'invalid_request');
          expect(twice).to.have.nested.property('details[0].reason', 'given more than once');
          const unknown = await expectError(await send(route, { body: JSON.stringify({ ...(callOf(route).body as object), extra: 1 }) }), 400, 'invalid_request');
          expect(unknown).to.have.nested.property('details[0].field', 'extra');
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
