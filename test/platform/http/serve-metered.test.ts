// Metered requests: how each kind of reply is charged, when its count is undone, and which responses are counted.
import { expect } from 'chai';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountId } from '../../../src/accounts/account.js';
import type { Credential } from '../../../src/accounts/credential.js';
import type { AdmissionRequest, CountedRequest } from '../../../src/metering/metering.js';
import { OwnBrandsChangedError } from '../../../src/catalog/account-catalogs.js';
import { AppError } from '../../../src/platform/errors.js';
import { missingNames } from '../../../src/platform/not-found.js';
import { json, type ConditionalReply, type Reply } from '../../../src/platform/http/response/reply.js';
import { route, type MeteredRoute } from '../../../src/platform/http/route.js';
import { serveCounted } from '../../../src/serving/serve-metered.js';
import type { UtcDay } from '../../../src/platform/utc-day.js';

const OWN: Credential = { accountId: 'AccountId012' as AccountId, keyHash: 'a'.repeat(64) };
const PAGE: Credential = { ...OWN, allowingOrigins: ['icons.example'], visitor: '192.0.2.1' };
const DAY = '2026-01-01' as UtcDay;
const COST = 7;
const UNITS = 3;
const prepared = (changes: Partial<ConditionalReply> = {}): ConditionalReply => ({
  ...{ kind: 'prepared', headers: {}, etag: '"tag"', units: UNITS, slug: 'github' as never },
  ...{ make: () => json(200, {}), ...changes },
});

interface Sent {
  readonly method?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly credential?: Credential;
  /** Own brands that each admission finds, one after the other; afterwards there are none. */
  readonly ownBrands?: readonly string[];
  /** Outcome of each admission. */
  readonly admission?: 'admitted' | 'over the quota' | AppError;
}

describe('a metered request', () => {
  let asked: AdmissionRequest[];
  let refunds: CountedRequest[];
  let responses: unknown[];
  let missed: unknown[];
  beforeEach(() => ([asked, refunds, responses, missed] = [[], [], [], []]));

  async function serve(
    handle: () => Reply | ConditionalReply,
    { method = 'GET', headers = {}, credential = OWN, ownBrands = [], admission = 'admitted' }: Sent = {},
  ): Promise<Reply> {
    const left = [...ownBrands];
    const metering = {
      async admit(request: AdmissionRequest) {
        asked.push(request);
        if (admission instanceof AppError) throw admission;
        const quota = { of: 'bucket', limit: 20, used: 10, day: DAY, tier: 'free', secondsLeft: 60 } as const;
        return { quota, admitted: admission === 'admitted', ownBrands: left.shift() ?? '' };
      },
      refund: async (counted: CountedRequest) => void refunds.push(counted),
    };
    const accountCatalogs = { forAdmittedKey: async (_: unknown, pages: string) => ({ ownBrandPageIds: pages }) };
    const missing = { count: (...found: unknown[]) => void missed.push(found) };
    const one = route('GET /thing', { summary: '', responses: {}, auth: 'key', bucket: 'svg', cost: COST, handle });
    const call = { params: {}, query: {}, body: {}, url: '/thing', credential, catalog: { ownBrandPageIds: '' } };
    return serveCounted(
      one as MeteredRoute,
      {
        services: { metering, accountCatalogs, missing } as never,
        responses: { count: (_, ...counted) => void responses.push(counted) },
      },
      call as never,
      { req: { headers }, res: {}, method, state: {} } as never,
    );
  }
  const left = ({ headers }: Reply) =>
    headers.flatMap(({ RateLimit }) => (RateLimit === undefined ? [] : [/;r=(\d+);/.exec(RateLimit)?.[1]]));

  it('is charged by its kind, with its units and its cost, for its key and its visitor', async () => {
    for (const credential of [OWN, PAGE]) {
      const { accountId, keyHash, allowingOrigins, visitor } = credential;
      const key = { accountId, keyHash, allowingOrigins, bucket: 'svg' };
      const noUnits = () => prepared({ units: 0 });
      await serve(prepared, { credential });
      await serve(prepared, { credential, method: 'HEAD' });
      await serve(noUnits, { credential });
      await serve(prepared, { credential, headers: { 'if-none-match': '"tag"' } });
      expect(asked.splice(0)).to.deep.equal([
        { ...key, visitor, charge: 'count', units: UNITS, cost: COST },
        { ...key, visitor, charge: 'burst', units: UNITS, cost: COST },
        { ...key, visitor, charge: 'burst', units: 0, cost: COST },
        { ...key, charge: 'verify', units: UNITS },
      ]);
      const rejected = await serve(
        () => {
          throw new AppError('invalid_request');
        },
        { credential },
      );
      await serve(() => json(200, {}), { credential });
      const burst = { ...credential, bucket: 'svg', charge: 'burst', cost: COST };
      expect(asked.splice(0)).to.deep.equal([burst, burst]);
      expect([rejected.status, left(rejected)]).to.deep.equal([400, ['10']]);
    }
    expect(refunds).to.deep.equal([]);
  });

  it('costs nothing if its reply has failed, and its headers state the restored quota', async () => {
    const failing: readonly (() => Reply)[] = [
      () => json(404, {}),
      () => ({ ...json(200, {}), isUncounted: true }),
      () => {
        throw new AppError('busy');
      },
    ];
    const statuses: number[] = [];
    for (const make of failing) {
      const reply = await serve(() => prepared({ make }), { credential: PAGE });
      expect(refunds.splice(0)).to.deep.equal([{ ...PAGE, bucket: 'svg', day: DAY, units: UNITS }]);
      expect(left(reply)).to.deep.equal([String(10 + UNITS)]);
      statuses.push(reply.status);
      const head = await serve(() => prepared({ make }), { method: 'HEAD' });
      expect([head.status, left(head), refunds], 'HEAD was not counted').to.deep.equal([reply.status, ['10'], []]);
    }
    expect(statuses).to.deep.equal([404, 200, 503]);
  });

  it('costs its units if its reply has succeeded, or failed after work that counts', async () => {
    const ok = await serve(prepared);
    const counted = await serve(() =>
      prepared({
        make: () => {
          throw new AppError('unprocessable', undefined, { counts: true });
        },
      }),
    );
    expect([ok.status, left(ok), counted.status, left(counted)]).to.deep.equal([200, ['10'], 422, ['10']]);
    expect(refunds).to.deep.equal([]);
  });

  it('costs nothing and is counted as a 500 if an unexpected error ends it', async () => {
    const broken = () =>
      prepared({
        make: () => {
          throw new SyntaxError('broken');
        },
      });
    const error = await serve(broken).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(SyntaxError);
    expect([refunds.length, responses]).to.deep.equal([1, [[500]]]);
  });

  it('is counted once with the current own brands, if they have changed since it was prepared', async () => {
    const { status } = await serve(prepared, { ownBrands: ['a1', 'a1'] });
    expect([status, asked.length]).to.deep.equal([200, 2]);
    expect(refunds).to.deep.equal([{ ...asked[0]!, day: DAY }]);
    expect(responses).to.deep.equal([[200, 'github']]);
    asked.length = 0;
    await serve(prepared, { ownBrands: ['a1', 'a1'], headers: { 'if-none-match': '"tag"' } });
    expect([asked.map(({ charge }) => charge), refunds.length]).to.deep.equal([['verify', 'verify'], 1]);
  });

  it('is counted once if the own brands change while its reply is made', async () => {
    let tries = 0;
    const make = () => {
      if (tries++ === 0) throw new OwnBrandsChangedError();
      return json(200, {});
    };
    const { status } = await serve(() => prepared({ make }));
    expect([status, tries, asked.length, refunds.length, responses.length]).to.deep.equal([200, 2, 2, 1, 1]);
  });

  it('is rejected over its quota without an undone count, also if the own brands have changed', async () => {
    for (const ownBrands of [[], ['a1', 'a1']]) {
      const { status, headers } = await serve(prepared, { admission: 'over the quota', ownBrands });
      expect([status, headers.some(({ RateLimit }) => RateLimit !== undefined)]).to.deep.equal([429, true]);
    }
    expect([refunds, responses]).to.deep.equal([
      [],
      [
        [429, undefined],
        [429, undefined],
      ],
    ]);
  });

  it('is counted as a response if its key has no burst left, and not if its key is wrong', async () => {
    for (const code of ['rate_limited', 'invalid_api_key', 'forbidden', 'unavailable'] as const) {
      const error = await serve(prepared, { admission: new AppError(code) }).catch((reason: unknown) => reason);
      expect(error).to.have.property('code', code);
    }
    expect(responses).to.deep.equal([[429]]);
  });

  it('compares no dates for an account with own brands, because an older picture may have returned', async () => {
    const lastModified = new Date(DAY);
    const headers = { 'if-modified-since': lastModified.toUTCString() };
    expect((await serve(() => prepared({ lastModified }), { headers })).status).to.equal(304);
    const own = await serve(() => prepared({ lastModified }), { headers, ownBrands: ['a1', 'a1'] });
    expect(own.status).to.equal(200);
  });

  it('counts its slug and its missing names, unless it is a HEAD request', async () => {
    const [early, late] = [missingNames('slug', 'early'), missingNames('slug', 'late')];
    await serve(() => prepared({ missing: early }));
    await serve(() => prepared({ missing: early, make: () => ({ ...json(200, {}), missing: late }) }));
    await serve(() => prepared({ missing: early }), { method: 'HEAD' });
    expect(missed).to.deep.equal([
      [OWN.accountId, early],
      [OWN.accountId, late],
    ]);
    expect(responses).to.deep.equal([
      [200, 'github'],
      [200, 'github'],
      [200, undefined],
    ]);
  });

  it('varies by the header of a publishable key that is not in the URL, in addition to other headers', async () => {
    const fields = async (publicHeaders: Readonly<Record<string, string>>, headers = {}, credential = PAGE) => {
      const reply = await serve(() => prepared({ headers: { Private: '1' }, publicHeaders }), { headers, credential });
      return reply.headers[0];
    };
    const header = { 'x-api-key': 'blz_pub' };
    expect(await fields({ Public: '1' })).to.deep.equal({ Public: '1' });
    expect(await fields({ Public: '1' }, header)).to.deep.equal({ Public: '1', Vary: 'X-API-Key' });
    expect(await fields({ Vary: 'Accept' }, header)).to.deep.equal({ Vary: 'Accept, X-API-Key' });
    expect(await fields({ Public: '1' }, header, OWN)).to.deep.equal({ Private: '1' });
  });
});
