// SVG files in the forms that editors save (encodings, .svgz), for every route that accepts drawings.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { zipSync } from 'fflate';
import { suiteServer, type Customer } from '../support/server.js';
import { expectError } from '../support/expect-error.js';

const DRAWN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>Größe</title><path id="Größe" fill="#ff0000" d="M0 0h24v24z"/></svg>';
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n${DRAWN}`;
const UTF_16 = Buffer.from(`\uFEFF${DRAWN}`, 'utf16le');
const BOMB = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(2 ** 20, ' '))));

const FILES: Readonly<Record<string, Buffer>> = {
  'latin-1.svg': Buffer.from(declared('ISO-8859-1'), 'latin1'),
  'windows-1252.svg': Buffer.from(declared('windows-1252'), 'latin1'),
  'utf-16-le.svg': UTF_16,
  'utf-16-be.svg': Buffer.from(UTF_16).swap16(),
  'zipped.svgz': gzipSync(DRAWN),
  'zipped-latin-1.svgz': gzipSync(Buffer.from(declared('ISO-8859-1'), 'latin1')),
};
const REJECTED: readonly (readonly [name: string, bytes: Buffer, detail: object, message: RegExp])[] = [
  [
    'unknown.svg',
    Buffer.from(declared('klingon')),
    { code: 'bad_encoding', line: 1 },
    /"klingon".*Save the file as UTF-8/,
  ],
  ['undeclared.svg', Buffer.from(`\n${DRAWN}`, 'latin1'), { code: 'bad_encoding', line: 2 }, /not valid UTF-8.*line 2/],
  ['bomb.svgz', BOMB, { code: 'too_large' }, /larger than 1,048,576 bytes when unzipped/],
  ['damaged.svgz', gzipSync(DRAWN).subarray(0, 60), { code: 'bad_encoding' }, /gzip data of the file is damaged/],
  ['bitmap.svg', Buffer.from('89504e470d0a1a0a0000', 'hex'), { code: 'not_svg' }, /file is binary/],
];

interface ErrorBody {
  readonly message: string;
  readonly details: readonly object[];
}

interface Archived {
  readonly results: readonly {
    readonly file: string;
    readonly status: number;
    readonly message?: string;
    readonly details?: readonly object[];
  }[];
}

describe('files of drawings', () => {
  const server = suiteServer();
  let customer: Customer;
  beforeEach(async () => {
    customer = await server.customer('pro');
  });

  const send = (path: string, body: Buffer | string, type: string, headers: Record<string, string> = {}) =>
    fetch(`${server.base}${path}`, {
      method: 'PUT',
      headers: { 'X-API-Key': customer.apiKey, 'Content-Type': type, ...headers },
      body: body as string,
    });
  const putSvg = (bytes: Buffer, headers: Record<string, string> = {}) =>
    send('/v1/brands/acme/variants/default', bytes, 'image/svg+xml', headers);
  const drawingOf = async (slug: string) =>
    (await fetch(`${server.base}/v1/svg/${slug}`, { headers: { 'X-API-Key': customer.apiKey } })).text();
  const putBrand = async () =>
    expect((await send('/v1/brands/acme', '{"title":"Acme"}', 'application/json')).status).to.equal(201);

  it('are uploaded in any encoding that browsers read, and in gzip', async () => {
    await putBrand();
    for (const [name, bytes] of Object.entries(FILES)) {
      const answer = await putSvg(bytes);
      expect(answer.status, `${name}: ${await answer.text()}`).to.be.oneOf([200, 201]);
      expect(await drawingOf('acme'), name)
        .to.contain('fill="#ff0000"')
        .and.contain('M0 0h24v24z');
    }
  });

  it('are rejected with the encoding, the line and the advice', async () => {
    await putBrand();
    for (const [name, bytes, detail, message] of REJECTED) {
      const body = (await expectError(await putSvg(bytes), 422, 'unprocessable')) as unknown as ErrorBody;
      expect(body.message, name).to.match(message);
      expect(body.details[0], name).to.include({ field: 'body', ...detail });
    }
  });

  describe('that are previewed', () => {
    const preview = (bytes: Buffer, headers: Record<string, string> = { 'X-API-Key': customer.apiKey }) =>
      fetch(`${server.base}/v1/drawings`, {
        method: 'POST',
        headers: { 'Content-Type': 'image/svg+xml', ...headers },
        body: bytes as unknown as string,
      });

    it('get the response of an upload, in their colors, and are not stored', async () => {
      await putBrand();
      for (const [name, bytes] of Object.entries(FILES)) {
        const answer = await preview(bytes);
        expect(answer.status, name).to.equal(200);
        const svg = await answer.text();
        await putSvg(bytes);
        expect(await drawingOf('acme'), name).to.contain(/<path[^>]*>/.exec(svg)?.[0]);
        expect(svg).to.match(/^<svg/).and.contain('fill="#ff0000"');
        expect(Object.fromEntries(answer.headers)).to.include({
          'content-type': 'image/svg+xml',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-store',
        });
      }
      const other = await server.customer('free');
      expect((await preview(Buffer.from(DRAWN), { Authorization: `Bearer ${other.accessToken}` })).status).to.equal(
        200,
      );
      const { total } = (await (
        await fetch(`${server.base}/v1/brands`, { headers: { 'X-API-Key': other.apiKey } })
      ).json()) as { total: number };
      expect(total).to.equal(0);
      const usage = (await (
        await fetch(`${server.base}/v1/usage`, { headers: { 'X-API-Key': other.apiKey } })
      ).json()) as { endpoints: Record<string, { used: number }> };
      expect(Object.values(usage.endpoints).every(({ used }) => used === 0)).to.equal(true);
    });

    it('are rejected like uploads', async () => {
      await putBrand();
      const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<text>A</text></svg>');
      for (const bytes of [script, ...REJECTED.map(([, one]) => one)]) {
        const body = (await expectError(await preview(bytes), 422, 'unprocessable')) as unknown as ErrorBody;
        const upload = (await expectError(await putSvg(bytes), 422, 'unprocessable')) as unknown as ErrorBody;
        expect(body).to.deep.equal(upload);
      }
      for (const [headers, status, code] of [
        [{ 'Content-Type': 'image/png' }, 415, 'unsupported_media_type'],
        [{ 'Content-Encoding': 'gzip' }, 415, 'unsupported_media_type'],
        [{ 'X-API-Key': '' }, 401, 'invalid_api_key'],
      ] as const)
        await expectError(
          await preview(Buffer.from(DRAWN), { 'X-API-Key': customer.apiKey, ...headers }),
          ...([status, code] as const),
        );
    });

    it('have a separate rate limit', async () => {
      const { id } = customer;
      const rules = [{ limit: 120, windowMs: 60_000 }];
      for (let count = 0; count < 120; count++)
        await server.stores.rateLimits.consume([{ key: `drawing-previews:${id}`, rules }]);
      const answer = await preview(Buffer.from(DRAWN));
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
      await expectError(answer, 429, 'rate_limited');
      await putBrand();
    });
  });

  it('have no Content-Encoding', async () => {
    await putBrand();
    const answer = await putSvg(gzipSync(DRAWN), { 'Content-Encoding': 'gzip' });
    await expectError(answer, 415, 'unsupported_media_type');
  });

  it('are part of archives, which reject the others by name', async () => {
    const rejected = Object.fromEntries(REJECTED.map(([name, bytes]) => [name, bytes]));
    const sidecar = Buffer.from(
      '{"title":"Zipped","variants":{"wordmark":"latin-1.svg","badge":"zipped-latin-1.svgz"}}',
    );
    const files = { ...FILES, ...rejected, 'zipped.json': sidecar, 'zipped.svg': Buffer.from(DRAWN) };
    const answer = await send('/v1/brands', Buffer.from(zipSync(files)), 'application/zip');
    const { results } = (await answer.json()) as Archived;
    const accepted = results.filter(({ status }) => status === 201).map(({ file }) => file);
    expect(accepted).to.include.members(Object.keys(FILES).filter((name) => name !== 'zipped.svgz'));
    for (const [name, , detail, message] of REJECTED) {
      const result = results.find(({ file }) => file === name);
      expect(result?.message, name).to.match(message);
      expect(result?.details?.[0], name).to.include({ field: name, ...detail });
    }
    expect(results.find(({ file }) => file === 'zipped.svgz')).to.include({
      ...{ status: 422, message: 'zipped.svg already contains this drawing' },
    });
    expect(await drawingOf('latin-1')).to.contain('M0 0h24v24z');
    expect(await drawingOf('zipped?variant=badge')).to.contain('M0 0h24v24z');
  });
});
