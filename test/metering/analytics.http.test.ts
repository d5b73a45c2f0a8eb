// GET /v1/analytics/usage and /responses with real stores: counting, formats, errors.
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import type { AccountId } from '../../src/accounts/account.js';
import { BUCKETS } from '../../src/accounts/plan.js';
import { addDays, utcDay } from '../../src/platform/utc-day.js';
import { accountCalls, ask, eventually } from '../support/auth.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

interface Usage {
  readonly from: string;
  readonly to: string;
  readonly tier: string;
  readonly totals: Record<string, number>;
  readonly days: readonly { readonly date: string; readonly total: number; readonly buckets: Record<string, number> }[];
}
interface Responses {
  readonly from: string;
  readonly to: string;
  readonly days: readonly {
    readonly date: string;
    readonly responses: Record<string, number>;
    readonly topSlugs: readonly { readonly slug: string; readonly requests: number }[];
  }[];
}

const NOW = Date.UTC(2026, 10, 22, 12);
const TODAY = utcDay(NOW);
const ago = (days: number) => addDays(TODAY, -days);

describe('GET /v1/analytics', () => {
  const server = suiteServer({ TRUST_PROXY: '1' }, () => NOW);

  const usage = async (key: string, query = ''): Promise<Usage> =>
    (await (await server.get(`/v1/analytics/usage${query}`, key)).json()) as Usage;
  const responses = async (key: string, query = ''): Promise<Responses> =>
    (await (await server.get(`/v1/analytics/responses${query}`, key)).json()) as Responses;

  describe('/usage', () => {
    it("has the last 30 days, including zeros, and today's admissions", async () => {
      const key = await server.key('free');
      const empty = await usage(key);
      expect(empty).to.deep.include({ from: ago(29), to: TODAY, tier: 'free' });
      expect(empty.days.map(({ date }) => date)).to.deep.equal(Array.from({ length: 30 }, (_, at) => ago(29 - at)));
      expect(Object.keys(empty.totals)).to.deep.equal([...BUCKETS]);
      for (const path of ['/v1/svg/github', '/v1/svg/gitlab', '/v1/catalog/github']) await server.get(path, key);
      const { totals, days } = await usage(key);
      expect(totals).to.deep.include({ svg: 2, catalog: 1, png: 0 });
      expect(days.at(-1)).to.deep.include({ date: TODAY, total: 3 });
      expect(days.slice(0, -1).every(({ total }) => total === 0)).to.equal(true);
    });

    it('accepts a range of days and a bucket', async () => {
      const key = await server.key();
      await server.setUsed(key, 'png', 7);
      await server.setUsed(key, 'svg', 5);
      const range = await usage(key, `?from=${ago(365)}&to=${TODAY}`);
      expect(range.days).to.have.length(366);
      expect(range.totals).to.deep.include({ svg: 5, png: 7 });
      expect(await usage(key, `?from=${TODAY}&bucket=png`)).to.deep.equal({
        from: TODAY,
        to: TODAY,
        tier: 'internal',
        totals: { png: 7 },
        days: [{ date: TODAY, total: 7, buckets: { png: 7 } }],
      });
      expect((await usage(key, `?to=${ago(1)}`)).totals).to.deep.include({ svg: 0, png: 0 });
    });

    it('is CSV if the client accepts it', async () => {
      const key = await server.key();
      await server.setUsed(key, 'svg', 5);
      for (const [accept, query, text] of [
        ['text/csv', '', `date,total,svg,png,webp,catalog,search,domain,batch\r\n${TODAY},5,5,0,0,0,0,0,0\r\n`],
        ['text/html, text/*;q=0.9, application/json;q=0.1', '&bucket=svg', `date,total,svg\r\n${TODAY},5,5\r\n`],
      ] as const) {
        const response = await server.get(`/v1/analytics/usage?from=${TODAY}${query}`, key, { Accept: accept });
        expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
        expect(response.headers.get('content-disposition')).to.equal(
          `attachment; filename="blazon-usage-${TODAY}-${TODAY}.csv"`,
        );
        expect(response.headers.get('vary')).to.equal('Accept, Accept-Encoding');
        expect(response.headers.get('cache-control')).to.equal('no-store');
        expect(await response.text()).to.equal(text);
      }
      const whole = await (await server.get(`/v1/analytics/usage`, key, { Accept: 'text/csv' })).text();
      expect(whole.split('\r\n')).to.have.length(1 + 30 + 1);
    });

    it('is JSON if the client accepts it or anything, and 406 if it accepts neither', async () => {
      const key = await server.key();
      for (const accept of ['application/json', '*/*', 'text/html,*/*;q=0.8', 'text/csv;q=0.5, application/*']) {
        const response = await server.get('/v1/analytics/usage', key, { Accept: accept });
        expect(response.headers.get('content-type'), accept).to.equal('application/json; charset=utf-8');
        expect(response.headers.get('vary')).to.equal('Accept, Accept-Encoding');
        await response.arrayBuffer();
      }
      for (const accept of ['text/html', 'image/*', 'application/json;q=0, text/csv;q=0']) {
        const response = await server.get('/v1/analytics/usage', key, { Accept: accept });
        expect(response.headers.get('vary')).to.equal('Accept');
        const { details } = await expectError(response, 406, 'not_acceptable');
        expect(details, accept).to.deep.equal([
          { field: 'Accept', reason: 'does not allow any of the formats', allowed: ['application/json', 'text/csv'] },
        ]);
      }
    });
  });

  for (const path of ['/v1/analytics/usage', '/v1/analytics/responses']) {
    it(`${path} names the field of a wrong range, and its allowed values`, async () => {
      const key = await server.key();
      for (const [query, field, allowed] of [
        ['from=2026-02-30', 'from', 'a date, YYYY-MM-DD'],
        ['to=yesterday', 'to', 'a date, YYYY-MM-DD'],
        ['to=', 'to', 'a date, YYYY-MM-DD'],
        [`to=${ago(-1)}`, 'to', `${ago(400)}..${TODAY}`],
        [`from=${ago(401)}&to=${ago(300)}`, 'from', `${ago(400)}..${TODAY}`],
        [`from=${ago(1)}&to=${ago(2)}`, 'from', `${ago(367)}..${ago(2)}`],
        [`from=${ago(366)}`, 'from', `${ago(365)}..${TODAY}`],
      ] as const) {
        const detail = await expectInvalid(await server.get(`${path}?${query}`, key), field);
        expect(detail.allowed, query).to.equal(allowed);
      }
    });
  }

  describe('/responses', () => {
    const slugs = Array.from({ length: 12 }, (_, at) => ({ slug: `slug-${at}` as never, requests: 20 - at }));
    const counted = { responses: { '2xx': 300, '3xx': 0, '4xx': 0, '5xx': 1 }, slugs };
    /** Waits until this number of today's responses is stored. */
    const written = async (key: string, total: number) =>
      eventually(async () => {
        const day = (await responses(key)).days.at(-1)!;
        const sum = Object.values(day.responses).reduce((all, count) => all + count, 0);
        return sum >= total ? day : undefined;
      }, `${total} responses`);

    it('has the responses to verified keys by class, and the slugs of pictures and entries', async () => {
      const [key, small, other] = [await server.key('internal'), await server.key('free'), await server.key()];
      const first = await server.get('/v1/svg/github', key);
      const fresh = { 'If-None-Match': first.headers.get('etag') ?? '' };
      await first.arrayBuffer();
      const calls = [
        ['/v1/svg/github', 200],
        ['/v1/svg/GitHub?color=red', 200],
        ['/v1/png/github?size=32', 200],
        ['/v1/catalog/gitlab', 200],
        ['/v1/search?q=github', 200],
        ['/v1/svg/no-such-brand?fallback=monogram', 200],
        ['/v1/svg/no-such-brand', 404],
        ['/v1/svg/github?variant=no-such-variant', 400],
      ] as const;
      for (const [path, status] of calls) {
        const response = await server.get(path, key);
        expect(response.status, path).to.equal(status);
        await response.arrayBuffer();
      }
      expect((await server.get('/v1/svg/github', key, fresh)).status).to.equal(304);
      await fetch(`${server.base}/v1/svg/github`, { method: 'HEAD', headers: { 'X-API-Key': key } });
      await server.get('/v1/usage', key);
      await server.setUsed(small, 'svg', 1_000_000);
      await expectError(await server.get('/v1/svg/github', small), 429, 'quota_exceeded');
      // Sends a request with a wrong secret and a request with a revoked key. Neither is counted.
      await server.get('/v1/svg/github', `${key.slice(0, 20)}${other.slice(20)}`);
      await server.revokeKey(other);
      await expectError(await server.get('/v1/svg/github', other), 401, 'invalid_api_key');

      expect(await written(key, 11)).to.deep.equal({
        date: TODAY,
        responses: { '2xx': 8, '3xx': 1, '4xx': 2, '5xx': 0 },
        topSlugs: [
          { slug: 'github', requests: 4 },
          { slug: 'gitlab', requests: 1 },
        ],
      });
      expect((await written(small, 1)).responses).to.deep.equal({ '2xx': 0, '3xx': 0, '4xx': 1, '5xx': 0 });
      const unknown = await server.stores.responses.range(other.slice(4, 16) as AccountId, ALL_DAYS);
      expect(unknown).to.deep.equal([]);
    });

    it('returns every day of the range with ten slugs at most, and accepts an access token', async () => {
      const { id, accessToken, apiKey } = await server.customer();
      const accounts = [{ accountId: id as AccountId, ...counted }];
      await server.stores.responses.add({ id: 'a', day: ago(3), accounts });
      const report = await responses(apiKey, `?from=${ago(4)}&to=${ago(2)}`);
      const byToken = await ask(server, `/v1/analytics/responses?from=${ago(4)}&to=${ago(2)}`, {
        method: 'GET',
        bearer: accessToken,
      });
      expect(byToken.body).to.deep.equal(report);
      const none = { responses: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }, topSlugs: [] };
      expect(report).to.deep.equal({
        from: ago(4),
        to: ago(2),
        days: [
          { date: ago(4), ...none },
          { date: ago(3), responses: counted.responses, topSlugs: slugs.slice(0, 10) },
          { date: ago(2), ...none },
        ],
      });
    });

    it('are part of the export, and are deleted with the account', async () => {
      const { id: text, accessToken } = await server.customer();
      const id = text as AccountId;
      await server.stores.responses.add({ id: 'a', day: TODAY, accounts: [{ accountId: id, ...counted }] });
      const { confirm } = accountCalls(server);
      const exported = await confirm('/auth/export', accessToken);
      expect(exported.body.responses).to.deep.equal([{ date: TODAY, ...counted }]);
      expect((await confirm('/auth/account', accessToken, {}, 'DELETE')).status).to.equal(204);
      expect(await server.stores.responses.range(id, ALL_DAYS)).to.deep.equal([]);
    });
  });
});
