// Metering of every route that counts against a quota.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { newApiKey } from '../../src/accounts/api-key.js';
import { bucketOf, costOf, isMetered, type MeteredRoute } from '../../src/platform/http/route.js';
import { expectError } from '../support/expect-error.js';
import { atOneMoment, benchOf, closeBench, nameOf, ROUTES, withParameter } from '../support/route-bench.js';

describe('every metered route', () => {
  after(closeBench);

  // Routes with a key in the path are tested in test/iconify/iconify.http.test.ts.
  for (const route of ROUTES.filter(isMetered).filter(({ publishable }) => publishable !== 'path')) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);
      // The bucket may depend on parameters, but the requests in route-calls.ts have none of these parameters.
      const bucket = bucketOf(route, { query: {}, params: {}, body: {} });
      const used = async (key: string) => (await bench().server.used(key))[bucket];

      it('counts one for a 200, and nothing for HEAD, 304 and errors', async () => {
        const { server, call, send, rejects } = bench();
        const key = await server.key('free');
        const headers = { 'X-API-Key': key };
        const first = await send({ headers });
        expect(first.headers.get('ratelimit-policy')).to.match(new RegExp(`^"${bucket}-day";q=\\d+;w=86400$`));
        expect(first.headers.get('ratelimit')).to.match(new RegExp(`^"${bucket}-day";r=\\d+;t=\\d+$`));
        expect(await used(key)).to.equal(1);
        if (route.method === 'GET') {
          await send({ headers, method: 'HEAD' });
          const etag = first.headers.get('etag');
          expect(etag).to.match(/^"[^"]+"$/);
          const again = await send({ headers: { ...headers, 'If-None-Match': `"other", W/${etag!}` } });
          expect(again.status).to.equal(304);
          expect(again.headers.get('etag')).to.equal(etag);
          expect(await again.text()).to.equal('');
          await rejects(
            {
              headers: { 'If-None-Match': etag!, 'X-API-Key': newApiKey('AccountId012' as AccountId).raw },
            },
            401,
            'invalid_api_key',
          );
        }
        await send({ headers, path: withParameter(call.path, 'nonsense=1') });
        expect(await used(key)).to.equal(1);
      });

      it("answers 429 when the day's quota is used up, and still 304", async () => {
        const { server, send } = bench();
        const key = await server.key('free');
        const headers = { 'X-API-Key': key };
        const etag = (await send({ headers })).headers.get('etag');
        await server.setUsed(key, bucket, 1_000_000);
        const response = await send({ headers });
        const retryAfter = Number(response.headers.get('retry-after'));
        expect(retryAfter).to.be.within(1, 86_400);
        expect(response.headers.get('ratelimit')).to.match(/;r=0;/);
        const body = await expectError(response, 429, 'quota_exceeded');
        expect(body.message).to.match(new RegExp(`${bucket} quota.*\\d+ requests per day.*T00:00:00Z`));
        expect(await used(key)).to.equal(1_000_000);
        if (etag !== null)
          expect((await send({ headers: { ...headers, 'If-None-Match': etag } })).status).to.equal(304);
      });

      it('answers 429 beyond the requests per second', async () => {
        const { server, call, send } = bench();
        const key = await server.key('free');
        const responses = await atOneMoment(() =>
          Promise.all(Array.from({ length: 90 }, () => send({ headers: { 'X-API-Key': key } }))),
        );
        const statuses = responses.map(({ status }) => status);
        const cost = costOf(route, { query: {}, body: call.body } as Parameters<MeteredRoute['handle']>[0]);
        const admitted = Math.ceil(50 / cost);
        expect(statuses.filter((status) => status === 200)).to.have.length(admitted);
        const limited = responses.find(({ status }) => status === 429);
        expect(limited?.headers.get('retry-after')).to.equal('1');
        await expectError(limited!, 429, 'rate_limited');
        expect(await used(key)).to.equal(admitted);
      });

      it('can be called from any origin', async () => {
        const { server, call, send } = bench();
        const response = await send({ headers: { Origin: 'https://elsewhere.example' } });
        expect(response.headers.get('access-control-allow-origin')).to.equal('*');
        expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
        const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
        expect(exposed).to.include.members(['RateLimit', 'Content-Location', 'X-Blazon-Slug']);
        const preflight = await fetch(server.base + call.path, {
          method: 'OPTIONS',
          headers: {
            Origin: 'https://elsewhere.example',
            'Access-Control-Request-Method': route.method,
            'Access-Control-Request-Headers': 'x-api-key',
          },
        });
        expect(preflight.status).to.equal(204);
        expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).to.include('x-api-key');
        expect(preflight.headers.get('access-control-allow-methods')).to.include(route.method);
      });
    });
  }
});
