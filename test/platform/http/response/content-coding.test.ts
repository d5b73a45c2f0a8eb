// Content codings: RFC 9110, sections 8.4, 8.8.3.3, 12.5.3 and 12.5.5.
import { expect } from 'chai';
import {
  acceptedCodings,
  encoded,
  isNegotiated,
  MIN_CODED_BYTES,
  negotiated,
} from '../../../../src/platform/http/response/content-coding.js';
import type { ConditionalReply, Reply } from '../../../../src/platform/http/response/reply.js';
import type { Codings } from '../../../../src/platform/http/response/compression.js';

const CODINGS: Codings = { known: () => undefined, encode: (coding) => Promise.resolve(Buffer.from(coding)) };
const BUSY: Codings = { known: () => undefined, encode: () => Promise.resolve(undefined) };

describe('content coding', () => {
  describe('is chosen by Accept-Encoding', () => {
    const CASES: readonly [string | undefined, string][] = [
      [undefined, ''],
      ['', ''],
      ['identity', ''],
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['BR, GZip', 'br gzip'],
      ['gzip, deflate, br, zstd', 'br gzip'],
      ['gzip;q=1.0, br;q=0.9', 'gzip br'],
      ['br;q=0.1, gzip;q=0.1', 'br gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.000, gzip;q=0.001', 'gzip'],
      ['*', 'br gzip'],
      ['*;q=0.5, gzip', 'gzip br'],
      ['br;q=0, *', 'gzip'],
      ['gzip, *;q=0', 'gzip'],
      ['*;q=0', ''],
      ['identity;q=0', ''],
      ['identity;q=0, gzip', 'gzip'],
      ['identity;q=0, *', 'br gzip'],
      ['identity, br;q=0.5', ''],
      ['identity;q=0.5, br;q=0.5, gzip;q=0.4', 'br'],
      ['identity;q=0.5, gzip', 'gzip'],
      ['deflate, zstd', ''],
      ['x-unknown', ''],
      [' gzip ;q=0.5 , , br ; q=0.6', 'br gzip'],
      ['gzip;q=none', ''],
      [',;=', ''],
      ['brotli, gzipped', ''],
    ];
    for (const [header, expected] of CASES) {
      it(`${header ?? 'absent'} → ${expected || 'identity'}`, () => {
        const headers = header === undefined ? {} : { 'accept-encoding': header };
        expect(acceptedCodings(headers).join(' ')).to.equal(expected);
      });
    }
  });

  describe('of an answer', () => {
    const prepared: ConditionalReply = {
      kind: 'prepared',
      etag: '"a"',
      headers: { ETag: '"a"', Vary: 'X-API-Key' },
      make: () => ({ kind: 'reply', status: 200, headers: [], body: '' }),
    };
    const request = (headers: Record<string, string>, method = 'GET') =>
      ({ headers, method }) as unknown as Parameters<typeof encoded>[0];
    const reply = (given: Partial<Reply> = {}): Reply => ({
      kind: 'reply',
      status: 200,
      headers: [{ ETag: '"a"', Vary: 'Accept-Encoding' }],
      body: 'x'.repeat(MIN_CODED_BYTES),
      codings: CODINGS,
      ...given,
    });

    it('is added to Vary', () => {
      expect(negotiated(prepared, CODINGS).headers).to.deep.equal({ ETag: '"a"', Vary: 'X-API-Key, Accept-Encoding' });
      const published = negotiated({ ...prepared, publicHeaders: { ETag: '"a"' } }, CODINGS).publicHeaders;
      expect(published).to.deep.equal({ ETag: '"a"', Vary: 'Accept-Encoding' });
      expect(negotiated({ ...prepared, headers: {} }, CODINGS).headers).to.deep.equal({ Vary: 'Accept-Encoding' });
    });

    it('applies to 200 with a body of 2,048 bytes and more', () => {
      expect(isNegotiated(reply())).to.equal(true);
      expect(isNegotiated(reply({ body: '€'.repeat(683) }))).to.equal(true);
      expect(isNegotiated(reply({ body: undefined })), 'the head of an answer that was not made').to.equal(true);
      for (const other of [
        { codings: undefined },
        { status: 404 },
        { body: 'x'.repeat(MIN_CODED_BYTES - 1) },
        { body: null },
      ])
        expect(isNegotiated(reply(other)), JSON.stringify(other)).to.equal(false);
    });

    it('changes body, tag and Content-Encoding together, or nothing', async () => {
      const coded = await encoded(request({ 'accept-encoding': 'gzip' }), reply());
      expect(String(coded.body)).to.equal('gzip');
      expect(Object.assign({}, ...coded.headers)).to.deep.equal({
        ETag: '"a-gz"',
        Vary: 'Accept-Encoding',
        'Content-Encoding': 'gzip',
      });
      for (const unchanged of [
        [request({}), reply()],
        [request({ 'accept-encoding': 'identity;q=0' }), reply()],
        [request({ 'accept-encoding': 'br' }), reply({ codings: BUSY })],
      ] as const)
        expect(await encoded(...unchanged)).to.equal(unchanged[1]);
    });

    it('is not made for HEAD, so its length is unknown', async () => {
      const head = request({ 'accept-encoding': 'br' }, 'HEAD');
      const never: Codings = { known: () => undefined, encode: () => Promise.reject(new Error('encoded for HEAD')) };
      const coded = await encoded(head, reply({ codings: never }));
      expect(coded.body).to.equal(undefined);
      expect(Object.assign({}, ...coded.headers)).to.include({ ETag: '"a-br"', 'Content-Encoding': 'br' });
      const known: Codings = { ...never, known: () => Buffer.from('1234') };
      expect((await encoded(head, reply({ codings: known }))).body).to.have.length(4);
    });
  });
});
