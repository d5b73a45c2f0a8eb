// Tests of authentication, for every route that requires it.
import { expect } from 'chai';
import type { AccountId } from '../../../src/accounts/account.js';
import { newApiKey } from '../../../src/accounts/api-key.js';
import { newPublishableKey } from '../../../src/accounts/publishable-key.js';
import { isMetered, type Route } from '../../../src/platform/http/route.js';
import { PASSWORD } from '../../support/accounts.js';
import { expectError } from '../../support/expect-error.js';
import { benchOf, closeBench, nameOf, ROUTES, withParameter, type RouteBench } from '../../support/route-bench.js';
import { credentialsOf, kindOf, publishableKey } from '../../support/route-calls.js';

const signOut = ({ send, customer }: RouteBench) =>
  send({
    ...{ path: '/auth/logout', method: 'POST', body: '{}' },
    credentials: credentialsOf('cookie', customer),
    headers: { 'Content-Type': 'application/json' },
  });

function pathWithKey(route: Route, path: string, key: string): string {
  if (isMetered(route) && route.publishable === 'path') return path.replace(/blzp_[0-9A-Za-z]+/, key);
  return withParameter(path, `key=${key}`);
}

/** Routes that read the usage. They respond to a wrong access token with the same error code as to a wrong key. */
const READINGS_OF_USAGE = new Set(['/v1/usage']);

describe('every credential', () => {
  after(closeBench);

  for (const route of ROUTES) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);

      if (kindOf(route) === 'key' || ['own-key', 'key-or-bearer', 'account'].includes(route.auth)) {
        it('rejects a missing, malformed, unknown and repeated key', async () => {
          const { customer, rejects } = bench();
          const { apiKey } = customer;
          const forged = newApiKey(apiKey.slice(4, 16) as AccountId).raw;
          const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
          for (const wrong of ['', 'blz_nonsense', mistyped, newApiKey('AccountId012' as AccountId).raw, forged]) {
            await rejects({ credentials: { 'X-API-Key': wrong } }, 401, 'invalid_api_key');
          }
          await rejects({ credentials: {} }, 401, 'invalid_api_key');
          await rejects({ headers: { Authorization: 'Bearer x' } }, 400, 'invalid_request');
        });
      }

      if (isMetered(route) && route.publishable !== undefined) {
        it('accepts a publishable key of the account, and no other', async () => {
          const { server, customer, call, send, rejects } = bench();
          const { key } = await publishableKey(customer, server);
          const withKey = (other: string) => ({ path: pathWithKey(route, call.path, other), credentials: {} });
          expect((await send(withKey(key))).status).to.equal(200);
          expect((await send({ ...withKey(key), method: 'HEAD' })).status).to.equal(200);
          const forged = newPublishableKey(
            customer.id as AccountId,
            { name: '', origins: [], dailyLimit: null },
            new Date(),
          );
          for (const wrong of [forged.raw, `${key.slice(0, -1)}~`, `${key}0`])
            await rejects(withKey(wrong), 401, 'invalid_api_key');
          await rejects(withKey(customer.apiKey), 400, 'invalid_request');
        });
      } else {
        it('rejects a publishable key', async () => {
          const { server, customer, call, rejects } = bench();
          const { key } = await publishableKey(customer, server);
          await rejects({ headers: { 'X-API-Key': key } }, 401, 'invalid_api_key');
          await rejects({ path: pathWithKey(route, call.path, key) }, 401, 'invalid_api_key');
        });
      }

      if (route.auth === 'key-or-bearer' || route.auth === 'account') {
        const code = READINGS_OF_USAGE.has(route.path) ? 'invalid_api_key' : 'invalid_token';
        it(`accepts an access token too, and rejects a wrong one with ${code}`, async () => {
          const { call, customer, send, rejects } = bench();
          const wantsPassword = 'currentPassword' in (route.body?.shape ?? {});
          const body = wantsPassword
            ? JSON.stringify({ ...(call.body as object), currentPassword: PASSWORD })
            : undefined;
          const credentials = credentialsOf('bearer', customer);
          expect((await send({ credentials, ...(body !== undefined && { body }) })).status).to.be.oneOf([
            200, 201, 204,
          ]);
          for (const wrong of ['Bearer nonsense', 'nonsense', `${credentials.Authorization!}x`])
            await rejects({ credentials: { Authorization: wrong } }, 401, code);
          await signOut(bench());
          await rejects({ credentials }, 401, code);
        });
      }

      if (route.auth === 'none') {
        it('rejects an API key together with an access token', async () => {
          const { customer, rejects } = bench();
          const credentials = { ...credentialsOf('bearer', customer), 'X-API-Key': customer.apiKey };
          await rejects({ credentials }, 400, 'invalid_request');
        });
      }

      if (route.auth === 'bearer' || route.auth === 'bearer-or-cookie') {
        it('rejects a missing, malformed, forged and repeated access token', async () => {
          const { customer, send, rejects } = bench();
          const [head, payload, signature] = customer.accessToken.split('.');
          const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload!}.`;
          const wrong = [
            '',
            'nonsense',
            'Bearer',
            'Bearer nonsense',
            `Bearer ${unsigned}`,
            `Bearer ${head!}.${payload!}.${signature!.slice(0, -4)}AAAA`,
            `Basic ${customer.accessToken}`,
          ];
          for (const credentials of [
            {},
            ...wrong.map((authorization) => ({ Authorization: authorization })),
            { 'X-API-Key': customer.apiKey },
          ]) {
            const response = await send({ credentials });
            expect(response.headers.get('www-authenticate')).to.equal('Bearer');
            await expectError(response, 401, 'invalid_token');
          }
          const bearer = credentialsOf('bearer', customer);
          expect(
            (await send({ credentials: { ...bearer, Cookie: `${customer.cookie}; ${customer.cookie}x` } })).status,
            'cookies are not read here',
          ).to.be.below(300);
          await rejects({ credentials: { ...bearer, 'X-API-Key': customer.apiKey } }, 400, 'invalid_request');
        });

        it('rejects an access token from the moment its session ends', async () => {
          const { customer, rejects } = bench();
          await signOut(bench());
          await rejects({ credentials: credentialsOf('bearer', customer) }, 401, 'invalid_token');
        });
      }

      if (route.auth === 'cookie' || route.auth === 'bearer-or-cookie') {
        it('accepts the cookie from a page of the same origin only', async () => {
          const { customer, send, rejects } = bench();
          const { cookie } = customer;
          const own = credentialsOf('cookie', customer).Origin!;
          for (const rejected of [
            {},
            { Origin: 'https://elsewhere.example' },
            { Origin: 'null' },
            { Origin: own, 'Sec-Fetch-Site': 'cross-site' },
            { 'Sec-Fetch-Site': 'same-site' },
            { 'Sec-Fetch-Site': 'none' },
            { Origin: 'http://icons.example', 'Sec-Fetch-Site': 'same-origin' },
          ]) {
            await rejects({ credentials: { Cookie: cookie, ...rejected } }, 403, 'forbidden');
          }
          await rejects({ headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type');
          expect((await send({ credentials: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } })).status).to.be.below(
            300,
          );
        });

        it('rejects two different sessions in one request, in either order', async () => {
          const { server, customer, send, rejects } = bench();
          const { cookie } = customer;
          const own = credentialsOf('cookie', customer);
          const other = await server.customer();
          for (const both of [
            `${cookie}; ${other.cookie}`,
            `${other.cookie}; ${cookie}`,
            `${cookie}; a=b; ${cookie}x`,
          ]) {
            const rejected = await rejects({ credentials: { ...own, Cookie: both } }, 400, 'invalid_request');
            expect(rejected).to.have.nested.property('details[0].field', 'Cookie');
          }
          expect((await send({ credentials: { ...own, Cookie: `${cookie}; ${cookie}` } })).status).to.be.below(300);
        });
      }

      if (route.auth === 'cookie') {
        it('rejects a missing, malformed and forged cookie', async () => {
          const { customer, rejects } = bench();
          const { Origin = '' } = credentialsOf('cookie', customer);
          for (const cookie of [
            '',
            '__Host-blazon_session=',
            'blazon_session=x',
            '__Host-blazon_session=nonsense',
            `${customer.cookie.slice(0, -4)}AAAA`,
            customer.cookie.replace('__Host-', ''),
          ]) {
            await rejects({ credentials: { Origin, Cookie: cookie } }, 401, 'session_ended');
          }
        });
      }

      // Skips `bearer-or-cookie`. Only the sign-out uses it, and a suspended customer may sign out.
      if (!['none', 'signature', 'bearer-or-cookie'].includes(kindOf(route))) {
        it('rejects a suspended account', async () => {
          const { server, customer, rejects } = bench();
          await server.suspend(customer.apiKey);
          await rejects({}, 403, 'account_suspended');
        });
      }
    });
  }
});
