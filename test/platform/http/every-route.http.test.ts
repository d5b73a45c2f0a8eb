// Tests of every route: documented responses, parameters, methods, and CORS.
import { expect } from 'chai';
import { z } from 'zod';
import type { AccountId } from '../../../src/accounts/account.js';
import { newApiKey } from '../../../src/accounts/api-key.js';
import { isMetered, type Route } from '../../../src/platform/http/route.js';
import { eventually } from '../../support/auth.js';
import { expectError, expectSafe } from '../../support/expect-error.js';
import { benchOf, closeBench, nameOf, ROUTES, withParameter } from '../../support/route-bench.js';
import { kindOf } from '../../support/route-calls.js';

/**
 * Returns true for routes that return keys, tokens or links. Their responses are not compressed, because the compressed
 * length could reveal a secret (ADR 20).
 */
const hasSecrets = ({ path }: Route) => path.startsWith('/auth/') || path.startsWith('/v1/billing/');

/** Kinds of credentials of an account's owner. Responses of routes with these credentials contain data of the account. */
const OF_OWNER = ['bearer', 'bearer-or-cookie', 'cookie', 'own-key', 'key-or-bearer', 'account'];

/**
 * Routes that stream their responses. These responses have no Content-Length, because their length is unknown when they
 * start.
 */
const STREAMED = ['POST /auth/export'];

describe('every route', () => {
  after(closeBench);

  for (const route of ROUTES) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);

      it('answers a valid request as documented', async () => {
        const { send } = bench();
        const response = await send();
        const text = await response.text();
        expect(Object.keys(route.responses).map(Number), text).to.include(response.status);
        expect(response.status, text).to.be.below(400);
        expectSafe(response);
        expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
        if (STREAMED.includes(nameOf(route))) expect(response.headers.get('transfer-encoding')).to.equal('chunked');
        else if (response.status !== 204) expect(response.headers.get('content-length')).to.not.equal(null);
        if (route.path.startsWith('/auth/')) {
          expect(response.headers.get('cache-control')).to.equal('no-store');
          expect(response.headers.get('access-control-allow-origin')).to.equal(null);
        }
        const schema = route.responses[response.status]?.schema;
        if (schema instanceof z.ZodObject && schema.def.catchall === undefined) schema.strict().parse(JSON.parse(text));
        else if (schema) schema.parse(JSON.parse(text));
      });

      if (OF_OWNER.includes(route.auth))
        it('tells caches not to store data of the account, or to revalidate own brands before each use', async () => {
          const { headers } = await bench().send();
          const allowed = route.path.startsWith('/v1/brands') ? /^(?:no-store|private, no-cache)$/ : /^no-store$/;
          expect(headers.get('cache-control')).to.match(allowed);
        });

      if (route.auth !== 'none' && route.auth !== 'signature') {
        it('logs the account and its tier for any credential', async () => {
          const { customer, send, server } = bench();
          const { accessToken } = customer;
          const byToken = { Authorization: `Bearer ${accessToken}` };
          const isEither = route.auth === 'key-or-bearer' || route.auth === 'account';
          for (const credentials of isEither ? [undefined, byToken] : [undefined]) {
            const account = await server.stores.accounts.find(customer.id as AccountId);
            const { headers } = await send({ ...(credentials && { credentials }) });
            const line = server.answered(headers.get('x-request-id') ?? '');
            expect(line).to.include({ account: customer.id, tier: account?.tier });
          }
        });
      }

      it('keeps a valid request id and replaces an invalid one', async () => {
        const { send } = bench();
        expect((await send({ headers: { 'X-Request-Id': 'abc-123.X_y' } })).headers.get('x-request-id')).to.equal(
          'abc-123.X_y',
        );
        for (const id of ['not sane!', `blz_${'a'.repeat(20)}`, 'a'.repeat(43)]) {
          expect((await send({ headers: { 'X-Request-Id': id } })).headers.get('x-request-id'), id).to.match(
            /^[0-9a-f-]{36}$/,
          );
        }
      });

      if (route.page) {
        it("returns the same page with a tracker's parameters in its URL", async () => {
          const { call, send } = bench();
          const plain = await send();
          const text = await plain.text();
          for (const added of ['utm_source=mail&utm_medium=link', 'a=1&a=2', '__proto__=1', 'a=%E0%A4%A', '']) {
            const page = await send({ path: withParameter(call.path, added) });
            expect(page.status, added).to.equal(plain.status);
            expect(page.headers.get('etag'), added).to.equal(plain.headers.get('etag'));
            expect(page.headers.get('location'), added).to.equal(plain.headers.get('location'));
            expect(await page.text(), added).to.equal(text);
          }
        });
      } else if (isMetered(route) && route.isForeign) {
        it('ignores unknown and repeated parameters, and a token of another service', async () => {
          const { call, send } = bench();
          const plain = await send();
          const text = await plain.text();
          for (const added of [
            'nonsense=1',
            'a=1&a=2',
            '__proto__=1',
            'a=%E0%A4%A',
            'token=pk_x&c=y',
            'access_token=z',
          ]) {
            const same = await send({ path: withParameter(call.path, added) });
            expect(same.status, added).to.equal(plain.status);
            expect(same.headers.get('etag'), added).to.equal(plain.headers.get('etag'));
            expect(await same.text(), added).to.equal(text);
          }
        });
      } else {
        it('rejects an unknown and a repeated parameter by name', async () => {
          const { call, rejects } = bench();
          const { path } = call;
          const unknown = await rejects({ path: withParameter(path, 'nonsense=1') }, 400, 'invalid_request');
          expect(unknown).to.have.nested.property('details[0].field', 'nonsense');
          expect(unknown).to.have.nested.property('details[0].allowed').that.is.an('array');
          await rejects({ path: withParameter(path, 'size=32&size=32') }, 400, 'invalid_request');
          await rejects({ path: withParameter(path, '__proto__=1') }, 400, 'invalid_request');
          await rejects({ path: withParameter(path, 'a=%E0%A4%A') }, 400, 'invalid_request');
        });
      }

      it('rejects an API key in the URL without repeating it', async () => {
        const { call, rejects } = bench();
        const secret = newApiKey('AccountId012' as AccountId).raw;
        for (const parameter of ['api_key', 'key', 'X-API-Key', 'q']) {
          const body = await rejects(
            { path: withParameter(call.path.split('?')[0]!, `${parameter}=${secret}`) },
            400,
            'invalid_request',
          );
          expect(JSON.stringify(body)).to.not.include(secret);
          expect(body).to.have.nested.property('details[0].reason').that.includes('X-API-Key');
        }
      });

      // Skips routes for links in mails, because these links contain a token. Also skips routes under /compat, because
      // some of them have parameters with these names.
      const takesTokens = route.takesToken === true || (isMetered(route) && route.isForeign);
      const names = takesTokens ? [] : ['access_token', 'token'];
      it('rejects a token in the URL without repeating it', async () => {
        const { call, customer, rejects } = bench();
        for (const parameter of names) {
          const body = await rejects(
            { path: withParameter(call.path.split('?')[0]!, `${parameter}=${customer.accessToken}`) },
            400,
            'invalid_request',
          );
          expect(JSON.stringify(body)).to.not.include(customer.accessToken);
          expect(body).to.have.nested.property(
            'details[0].reason',
            'tokens are not allowed in URLs; send the access token in the Authorization header',
          );
        }
      });

      it('answers other methods with 405 and Allow', async () => {
        const { server, call } = bench();
        const others = ['PUT', 'DELETE', 'PATCH', 'GET', 'POST'].filter(
          (method) => !ROUTES.some(({ path, method: taken }) => path === route.path && taken === method),
        );
        for (const method of others) {
          const response = await fetch(server.base + call.path, { method, redirect: 'manual' });
          // The URL is also valid for GET /v1/catalog/{slug}, so GET is allowed.
          if (method === 'GET' && route.path === '/v1/catalog/batch') continue;
          expect(response.headers.get('allow'), method).to.include(route.method);
          await expectError(response, 405, 'method_not_allowed');
        }
      });

      if (route.method === 'GET') {
        it('answers HEAD like GET without a body', async () => {
          const { send } = bench();
          // Requests an uncompressed response, because the response to HEAD cannot contain the compressed length
          // (compression.http.test.ts).
          const headers = { 'Accept-Encoding': 'identity' };
          const get = await send({ headers });
          const head = await send({ method: 'HEAD', headers });
          expect(head.status).to.equal(get.status);
          expect(await head.text()).to.equal('');
          for (const header of ['content-type', 'etag', 'cache-control', 'location', 'content-location'])
            expect(head.headers.get(header), header).to.equal(get.headers.get(header));
          // For HEAD, metered routes do not make the body, so its length is unknown. JSON responses of /v1 are the
          // exception.
          const length = head.headers.get('content-length');
          const isJson = route.path.startsWith('/v1/') && get.headers.get('content-type')?.includes('json') === true;
          const isWork = (isMetered(route) || route.auth === 'visitor') && !isJson;
          if (length !== null || !isWork) expect(length).to.equal(get.headers.get('content-length'));
        });
      }

      if (hasSecrets(route)) {
        it('is never compressed', async () => {
          const { send } = bench();
          const { headers } = await send({ headers: { 'Accept-Encoding': 'br, gzip' } });
          expect(headers.get('content-encoding')).to.equal(null);
          expect(headers.get('vary')).to.equal(null);
        });
      }

      if (route.path.startsWith('/auth/')) {
        it('has no CORS headers', async () => {
          const { send } = bench();
          const origin = { Origin: 'https://elsewhere.example' };
          const preflight = await send({
            method: 'OPTIONS',
            credentials: { ...origin, 'Access-Control-Request-Method': route.method },
            body: '',
          });
          expect(preflight.status).to.equal(204);
          expect(preflight.headers.get('allow')).to.include(route.method);
          for (const { headers } of [preflight, await send({ headers: origin })]) {
            expect([...headers.keys()].filter((header) => header.startsWith('access-control-'))).to.deep.equal([]);
          }
        });
      }

      if (route.params && !route.page) {
        it('rejects an invalid path parameter, and answers 404 for an unknown one', async () => {
          const { rejects } = bench();
          const [parameter = ''] = Object.keys(route.params!.shape);
          const path = (value: string) =>
            route.path
              .replace(`{${parameter}}`, value)
              .replace('{file}', 'favicon.ico')
              .replace('{variant}', 'default');
          if (kindOf(route) === 'path') {
            for (const value of ['%00', 'constructor']) await rejects({ path: path(value) }, 401, 'invalid_api_key');
            return;
          }
          const isFile = parameter === 'file';
          const missing = isFile ? 'route_not_found' : 'not_found';
          // Any text is a valid name of a file or counter. The name in this request is therefore unknown, but not
          // invalid.
          const isMissing = isFile || route.path.includes('/visitor-counter/');
          const [status, code] = isMissing ? ([404, missing] as const) : ([400, 'invalid_request'] as const);
          await rejects({ path: path('%00') }, status, code);
          // Skips two routes that accept the name of a missing brand: PUT creates the brand, and reports may be about
          // an entry that no longer exists.
          if (['PUT /v1/brands/{slug}', 'DELETE /dashboard/reports/{slug}'].includes(nameOf(route))) return;
          await rejects(
            { path: path(parameter === 'domain' ? 'constructor.example.com' : 'constructor') },
            404,
            missing,
          );
        });
      }
    });
  }
});

describe('a store that cannot be written', () => {
  after(closeBench);

  for (const name of ['POST /auth/register', 'POST /auth/logout', 'POST /auth/regenerate-key', 'GET /v1/svg/{slug}']) {
    describe(name, () => {
      const bench = benchOf(ROUTES.find((route) => nameOf(route) === name)!);

      it('answers 503 with Retry-After, and works again afterwards', async () => {
        const { server, send } = bench();
        const unblock = await server.block();
        const rejected = await send();
        unblock();
        expect(rejected.headers.get('retry-after')).to.equal('2');
        await expectError(rejected, 503, 'unavailable');
        // Status 409 counts as success: an earlier attempt has made the change, and only its response was lost.
        const works = (status: number) => status < 300 || status === 409;
        await eventually(async () => works((await send()).status), 'answer');
      });
    });
  }
});

describe('an unknown path', () => {
  after(closeBench);
  const bench = benchOf(ROUTES[0]!);

  it('is answered with 404 as JSON', async () => {
    const { server } = bench();
    for (const path of [
      '/nowhere',
      '/v1/svg',
      '/v1/svg/github/',
      '/V1/svg/github',
      '/v2/svg/github',
      '/v1//svg/github',
      '/docs/../etc/passwd/x',
    ]) {
      await expectError(await fetch(server.base + path), 404, 'route_not_found');
    }
  });
});
