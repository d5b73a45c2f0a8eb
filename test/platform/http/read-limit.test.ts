// Time limit of all reads of a request together. At the limit, the response is 503. Account changes and drawings may
// take longer.
import { expect } from 'chai';
import { AppError } from '../../../src/platform/errors.js';
import { READ_LIMIT_MS } from '../../../src/platform/http/read-limit.js';
import type { CountedRequest } from '../../../src/metering/quota-admissions.js';
import { json, type ConditionalReply, type Reply } from '../../../src/platform/http/response/reply.js';
import { route, type Route } from '../../../src/platform/http/route.js';
import { serveRoute } from '../../../src/serving/serve-route.js';
import { createAddressCache, UrlReader } from '../../../src/serving/url-reader.js';
import { someAccount } from '../../support/accounts.js';
import { stoppedTimers, type StoppedTimers } from '../../support/stopped-timers.js';

const TEXT = { summary: 'A test', responses: {} } as const;
const DONE = json(200, {});
const QUOTA = { of: 'account', limit: null, used: 1, day: '2026-01-01', tier: 'internal', secondsLeft: 1 };

describe('the time limit of reads', () => {
  let timers: StoppedTimers;
  beforeEach(() => (timers = stoppedTimers()));

  const after = <Result>(ms: number, result: Result) => timers.resolved(ms, result);

  /**
   * Starts the request. The returned function returns the status or error code, or undefined until there is a response.
   */
  function begin(one: Route, services: object, request: object = {}): () => string | number | undefined {
    const { apiKey } = someAccount();
    const identify = {
      client: () => ({}),
      callers: {
        bearer: () => after(600, { caller: { account: { id: 'a', tier: 'free' } } }),
        visitor: () => after(600, { caller: undefined }),
      },
    };
    const req = { url: '/thing', method: one.method, headers: { 'x-api-key': apiKey }, socket: {}, ...request };
    const context = { req, request: { type: '' }, res: {}, method: one.method, params: {}, state: {} };
    let outcome: string | number | undefined;
    const accountCatalogs = { cached: () => ({ ownBrandPageIds: '' }) };
    const served = {
      route: one,
      urls: new UrlReader(one, createAddressCache(2 ** 20)),
      identify,
      timers,
      services: { accountCatalogs, now: Date.now, ...services },
    };
    Promise.resolve(serveRoute(served as never, context as never)).then(
      ({ status }) => (outcome = status),
      (error: unknown) => (outcome = error instanceof AppError ? error.code : String(error)),
    );
    return () => outcome;
  }

  const metered = (handle: () => Promise<ConditionalReply> | ConditionalReply) =>
    route('GET /thing', { ...TEXT, auth: 'key', bucket: 'svg', cost: 1, handle });
  const conditional = (make: ConditionalReply['make'], units?: number): ConditionalReply => ({
    kind: 'prepared',
    headers: {},
    make,
    ...(units !== undefined && { units }),
  });
  const readThen = (make: ConditionalReply['make'], units?: number) =>
    metered(() => after(600, conditional(make, units)));
  const ADMITTED = { quota: QUOTA, admitted: true, ownBrands: '' };
  const admitted = async () => ADMITTED;

  /** Expects the response at the end of the last wait, and not earlier. Waits are in ms. */
  async function expectAfter(waits: readonly number[], answer: () => unknown, status: unknown): Promise<void> {
    for (const ms of waits.slice(0, -1)) await timers.advance(ms);
    await timers.advance(waits.at(-1)! - 1);
    expect(answer()).to.equal(undefined);
    await timers.advance(1);
    await timers.advance(0);
    expect(answer()).to.equal(status);
  }
  const LIMIT = [600, READ_LIMIT_MS - 600];

  it('covers the session and the waits of the handler together', async () => {
    const answer = begin(route('GET /thing', { ...TEXT, auth: 'bearer', handle: () => after(600, DONE) }), {});
    await expectAfter(LIMIT, answer, 'unavailable');
  });

  it('does not hold for a body that comes slowly', async () => {
    const iterator = async function* () {
      yield await after(5000, Buffer.alloc(0));
    };
    const slow = route('GET /thing', { ...TEXT, auth: 'bearer', handle: () => DONE });
    const answer = begin(slow, {}, { headers: { 'transfer-encoding': 'chunked' }, iterator });
    await expectAfter([600, 5000], answer, 200);
  });

  it('does not hold for a change', async () => {
    const answer = begin(route('POST /thing', { ...TEXT, auth: 'bearer', handle: () => after(5000, DONE) }), {});
    await expectAfter([600, 600, 5000], answer, 200);
  });

  it('is one for the lookup and the admission', async () => {
    const answer = begin(
      readThen(() => DONE),
      { metering: { admit: () => after(600, ADMITTED) } },
    );
    await expectAfter(LIMIT, answer, 'unavailable');
  });

  for (const [charge, units, refunded] of [
    ['count', 3, [['2026-01-01', 3]]],
    ['burst', 0, []],
  ] as const)
    it(`refunds a late admission of '${charge}'`, async () => {
      const refunds: unknown[] = [];
      const refund = async ({ day, units: back }: CountedRequest) => void refunds.push([day, back]);
      const answer = begin(
        readThen(() => DONE, units),
        { metering: { admit: () => after(600, ADMITTED), refund } },
      );
      await expectAfter(LIMIT, answer, 'unavailable');
      expect(refunds).to.deep.equal([]);
      await timers.advance(600);
      expect(refunds).to.deep.equal(refunded);
    });

  it('begins when shared indexes are built', async () => {
    const handle = () => after(600, DONE);
    const build = () => after(5000, undefined);
    const slow = route('GET /thing', { ...TEXT, auth: 'key', bucket: 'svg', cost: 1, build, handle });
    const answer = begin(slow, { metering: { admit: admitted } });
    await expectAfter([5000, 600], answer, 200);
  });

  it('covers the lookup, reading the drawing, and the refund of the admission together', async () => {
    let refunds = 0;
    const refund = () => ((refunds += 1), after(600, undefined));
    const answer = begin(
      readThen(({ inTime }) => inTime(after(600, DONE))),
      { metering: { admit: admitted, refund } },
    );
    await expectAfter(LIMIT, answer, 503);
    expect(refunds).to.equal(1);
  });

  it('is separate for refunding a picture that could not be drawn', async () => {
    const refund = () => after(600, undefined);
    const busy = () => after(5000, undefined).then(() => Promise.reject(new AppError('busy')));
    const answer = begin(
      metered(() => conditional(busy)),
      { metering: { admit: admitted, refund } },
    );
    await expectAfter([5000, 600], answer, 503);
  });

  for (const [what, waits, drawn] of [
    ['with a key', [5000], metered(() => conditional(() => drawing()))],
    [
      'of a page',
      [600, 5000],
      route('GET /thing', { ...TEXT, auth: 'visitor', handle: () => conditional(() => drawing()) }),
    ],
  ] as const)
    it(`does not apply to drawing a picture ${what}`, async () => {
      const answer = begin(drawn, { metering: { admit: admitted } });
      await expectAfter(waits, answer, 200);
    });

  function drawing(): Promise<Reply> {
    return after(5000, DONE);
  }
});
