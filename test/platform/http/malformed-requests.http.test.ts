// Malformed and malicious requests over raw sockets, and the responses to them. Each character of a request is sent as
// one byte.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { ERRORS } from '../../../src/platform/errors.js';
import { CONNECTION_LIMITS, createHttpServer } from '../../../src/platform/http/connections/server.js';
import { answersIn, exchangeRaw } from '../../support/raw-connection.js';
import { suiteServer } from '../../support/server.js';

const MAX_ERROR_BYTES = 8192;
const JSON_BODY = '{"slugs":["github"]}';
const CHUNKED = `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n0\r\n\r\n`;
const SMUGGLED = '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

const words = (text: string): string[] => text.trim().split(/\s+/);
const fields = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1`).join('\r\n');

describe('a malformed request', () => {
  const server = suiteServer();
  let key: string;
  /** Number of responses with status 200, by bucket. It must equal the counted usage. */
  const given = { svg: 0, batch: 0 };

  before(async () => void (key = await server.key()));

  const portOf = () => Number(new URL(server.base).port);
  const usual = () => ['Host: localhost', 'Connection: close', `X-API-Key: ${key}`];
  const get = (target: string, ...more: readonly string[]) =>
    `${[`GET ${target} HTTP/1.1`, ...usual(), ...more].join('\r\n')}\r\n\r\n`;
  const picture = (...more: readonly string[]) => get('/v1/svg/github', ...more);
  const post = (body: string, ...more: readonly string[]) =>
    `${['POST /v1/catalog/batch HTTP/1.1', ...usual(), 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n${body}`;

  /** Sends the bytes and returns the statuses of the responses. Fails if a response differs from the documentation. */
  async function exchange(bytes: string, port = portOf()): Promise<string> {
    const answers = answersIn(await exchangeRaw(port, bytes)).filter(({ status }) => status >= 200);
    for (const { status, head, body } of answers) {
      if (status === 200 && bytes.includes('/v1/svg/github')) given.svg += 1;
      if (status === 200 && bytes.includes('/v1/catalog/batch')) given.batch += 1;
      expect(`${head}\n${status < 400 ? '' : body}`).to.not.include(key.slice(16));
      if (status >= 400) expectError({ status, head, body }, bytes.startsWith('HEAD '));
    }
    return answers.map(({ status }) => status).join(', ');
  }

  function expectError(answer: { status: number; head: string; body: string }, isHead: boolean): void {
    const { status, head, body } = answer;
    expect(head).to.match(/^Content-Type: application\/json; charset=utf-8$/im);
    expect(head).to.match(/^Cache-Control: no-store$/im);
    expect(head).to.match(/^X-Request-Id: [^,\r\n]+$/im);
    expect(body.length).to.be.most(MAX_ERROR_BYTES);
    if (isHead) return void expect(body).to.equal('');
    const { error, message } = JSON.parse(body) as { error: keyof typeof ERRORS; message: string };
    expect(ERRORS[error].status).to.equal(status);
    expect(message).to.not.equal('');
  }

  async function expectEach(statuses: string | number, values: readonly string[], bytesOf: (value: string) => string) {
    for (const value of values)
      expect(await exchange(bytesOf(value)), JSON.stringify(value.slice(0, 80))).to.equal(String(statuses));
  }

  describe('by its request line', () => {
    const lineOnly = (line: string) => `${[line, ...usual()].join('\r\n')}\r\n\r\n`;

    it('is a 400', () =>
      expectEach(
        400,
        [
          ...['GET', ' GET / HTTP/1.1', 'GET / HTTP/1.1 ', 'G ET / HTTP/1.1', 'GET\t/\tHTTP/1.1', 'GET /\0 HTTP/1.1'],
          ...words('GET/HTTP/1.1 EHLO SSH-2.0-OpenSSH_9.0'),
          ...words('HTTP/ HTTP/1.2 HTTP/9.9 HTTP/1.1.1 http/1.1 HTTPS/1.1 FTP/1.1').map(
            (version) => `GET / ${version}`,
          ),
          ...['PRI * HTTP/2.0', 'HTTP/1.1 200 OK', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', '\0\0\0\0'],
          ...['HEAD /x\rHTTP/1.1', 'HEAD /healthz HTTP/7', `${'A'.repeat(20_000)} / HTTP/1.1`],
        ],
        lineOnly,
      ));

    it('is accepted in the older forms of HTTP', () =>
      expectEach(200, ['GET /healthz HTTP/1.0', '\r\n\r\nGET /healthz HTTP/1.1', 'GET  /healthz HTTP/1.1'], lineOnly));

    it('is a 405 for a method that no route has', () =>
      expectEach(405, words('SOURCE PROPFIND TRACE'), (method) => lineOnly(`${method} / HTTP/1.1`)));

    it('is a 400 for CONNECT', () =>
      expectEach(400, words('example.com:443 localhost:22 [::1]:80 / * : @ a@[/#'), (authority) =>
        lineOnly(`CONNECT ${authority} HTTP/1.1`),
      ));

    it('is a 400 if it is random bytes', async () => {
      for (const bytes of fc.sample(fc.uint8Array({ minLength: 1, maxLength: 200 }), { seed: 1, numRuns: 50 }))
        expect(await exchange(`${Buffer.from(bytes).toString('latin1')}\r\n\r\n\r\n`)).to.match(/^(?:400)?$/);
    });
  });

  describe('by its target', () => {
    it('is a 400', () =>
      expectEach(
        400,
        [
          ...words('* //a@[/# //a@[/#?x=1 /# /#?q=1 ? healthz http:// http://[ http://localhost/healthz'),
          ...words('https://evil.example/v1/svg/github ftp://localhost/ localhost javascript:alert(1) localhost:443'),
          ...['', '/healthz HTTP/1.1 HTTP/1.1', '/a b', '/\x01', '/\x7f', '/\xff\xfe', '/\xe2\x80\xae'],
          ...[`/${'a'.repeat(20_000)}`, `/v1/svg/github?${'a'.repeat(15_000)}`, `/?${'a=1&'.repeat(3500)}`],
          ...words('/v1/svg/__proto__ /v1/svg/% /v1/svg/%c0%af /v1/svg/%ed%a0%80 /v1/svg/%2e%2e%2f /v1/svg/..%5c..'),
          ...['/v1/svg/{}|\\^`'],
        ],
        get,
      ));

    it('is a 404, also if it leads out of a folder', () =>
      expectEach(
        404,
        [
          ...words('// ///v1/svg/github //[ //[::1 //\\ //a:b@c:99999/x /\\/\\ /% /%zz /%00 /__proto__ /constructor'),
          ...words('/%2e%2e/%2e%2e/etc/passwd /../../../etc/passwd /v1/../healthz /v1/./svg/github /v1//svg/github'),
          ...words('/docs/../healthz /docs/%2e%2e/%2e%2e/package.json /docs/__proto__ /links/..%2f..%2fpackage.json'),
          ...['/links/constructor', `/${'a'.repeat(8000)}`, `/${'a/'.repeat(4000)}`, `/${'../'.repeat(3000)}`],
        ],
        get,
      ));
  });

  describe('by its header fields', () => {
    it('is a 400', () =>
      expectEach(
        400,
        [
          ...[
            ': x',
            'X',
            'X : 1',
            ' X: 1',
            'X: 1\r\n folded',
            'X: a\nY: b',
            'X: a\rY: b',
            'X: \0',
            'X\0: 1',
            'X\xe9: 1',
          ],
          ...['X Y: 1', '"X": 1', 'X: \x01\x02', 'X: \x7f', 'Host: localhost', 'Host: localhost, evil.example'],
          ...[`X: ${'x'.repeat(16_500)}`, `X: ${'x'.repeat(70_000)}`, fields(2500), 'X-Request-Id: \x1b[2J'],
          ...['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked, identity', 'Transfer-Encoding: \x0bchunked'],
          ...['Content-Length: +0', 'Content-Length: -0', 'Content-Length: 0x0'],
          ...['Expect: miracles', 'Expect: ', 'Expect: 100-Continue, x'],
          ...['Authorization: Bearer x', 'Authorization: Basic eDp4'],
        ],
        picture,
      ));

    it('is a 401 for a second key', () => expectEach(401, ['X-API-Key: x', 'X-API-Key: '], picture));

    it('gets an error without a body in answer to HEAD', () =>
      expectEach(400, ['X : 1', 'Host: evil.example', 'Expect: miracles'], (bad) =>
        picture(bad).replace('GET', 'HEAD'),
      ));

    const HARMLESS: Readonly<Record<string, readonly string[]>> = {
      'If-None-Match': ['""', '"', 'W/', '"a", "b",, "c"', `${'"a", '.repeat(1500)}"b"`, '"\xff"', ',,,,'],
      'If-Match': ['""', '"', 'W/""', `${'"a", '.repeat(1500)}"b"`, '"\xff"', '*'],
      'If-Modified-Since': ['0', '-1', 'now', 'Fri, 99 Foo 2020 99:99:99 GMT', '9'.repeat(300)],
      'If-Range': ['"', 'W/', '-1', 'Fri, 99 Foo 2020 99:99:99 GMT'],
      Range: ['bytes=0-', 'bytes=-1', 'bytes=9-1', `bytes=${'0-,'.repeat(3000)}0-`, 'bytes', 'items=0-5'],
      Accept: ['', 'text/html', '*/*;q=0', `${'a/b,'.repeat(3500)}c/d`, ';;;', '*/*;q=NaN', 'image/png;q=1e309'],
      'Accept-Encoding': ['', '*;q=0', `${'a,'.repeat(3500)}c`, ';;;', 'br;q=2', 'identity;q=0, *;q=0'],
      'Accept-Language': ['', '*;q=0', `${'a,'.repeat(3500)}c`, ';;;', 'en;q=1e309'],
      'X-Forwarded-For': ['', 'unknown', '[::1]:80', '999.1.1.1', '1.1.1.1,'.repeat(1500), '\xff', 'fe80::1%eth0'],
      'X-Forwarded-Proto': ['', 'javascript', 'http,'.repeat(2000)],
      Forwarded: ['for=', 'for="[::1]";;;', 'for=1,'.repeat(2000)],
      Cookie: [
        ...words('= ;;;; blazon_session=" __Host-blazon_session=a blazon_session=%zz'),
        ...['__proto__=1; constructor=2', `blazon_session=${'a'.repeat(7000)}`, `${'a=b; '.repeat(2500)}c=d`],
      ],
      Origin: ['', ...words('null http://evil.example http://localhost:1@evil.example file:// *'), 'a'.repeat(5000)],
      Referer: ['', ...words('null http://evil.example http://localhost:1@evil.example *'), 'a'.repeat(5000)],
      'Sec-Fetch-Site': ['', 'same-origin, cross-site', 'x'],
      'X-Request-Id': ['', ' ', 'a'.repeat(129), '"}', '../..', '\xe9', '__proto__'],
      'User-Agent': ['', 'a'.repeat(9000), '\xff\xfe', '<script>'],
      Connection: ['close', 'x-api-key', 'content-length', 'upgrade', 'a, '.repeat(3000)],
      'X-HTTP-Method-Override': ['DELETE', 'CONNECT'],
      'Content-Type': ['text/html', 'application/json; charset=x'],
      'Content-Length': ['0', '00'],
      Expect: ['100-continue'],
    };
    for (const [name, values] of Object.entries(HARMLESS))
      it(`is answered as usual with odd values of ${name}`, () =>
        expectEach(200, values, (value) => picture(`${name}: ${value}`)));

    it('is answered as usual with odd values of Host', () =>
      expectEach(
        200,
        ['', 'a b', 'evil.example:99999', '[::1', 'localhost:', '\xe9', '127.0.0.1@evil.example', 'a'.repeat(5000)],
        (host) => picture().replace('Host: localhost', `Host: ${host}`),
      ));

    it('is answered as usual with many and long header fields', () =>
      expectEach(
        200,
        [fields(10), fields(500), `${'X'.repeat(9000)}: 1`, `X: ${'x'.repeat(15_000)}`, `X: ${'\t'.repeat(5000)}`],
        picture,
      ));

    it('is answered in HTTP/1.1 when it asks for another protocol', () =>
      expectEach(200, ['websocket', 'TLS/1.0', 'x', '', 'websocket, h2c'], (protocol) =>
        picture(`Upgrade: ${protocol}`).replace('Connection: close', 'Connection: Upgrade'),
      ));
  });

  describe('by the length of its body', () => {
    it('is a 400', async () => {
      await expectEach(
        400,
        [...words('-1 +5 0x10 1e2 99999999999999999999 NaN 0 19'), ' ', '', '5, 5', '5, 6', '5 5', '\xd9\xa3'],
        (length) => post(JSON_BODY, `Content-Length: ${length}`),
      );
      await expectEach(400, ['20', '19', '0', '', '5, 5'], (length) =>
        post(JSON_BODY, 'Content-Length: 20', `Content-Length: ${length}`),
      );
    });

    it('is a 400 if it has a transfer coding, too, and the rest is not a request', async () => {
      const coding = 'Transfer-Encoding: chunked';
      for (const order of [0, 1])
        await expectEach(400, ['0', '5', String(SMUGGLED.length), '-1', '', 'NaN'], (length) =>
          post(
            SMUGGLED,
            ...(order === 0 ? [coding, `Content-Length: ${length}`] : [`Content-Length: ${length}`, coding]),
          ),
        );
    });

    it('is a 400 for a transfer coding other than chunked', async () => {
      await expectEach(200, ['chunked', 'Chunked', ' chunked'], (coding) =>
        post(CHUNKED, `Transfer-Encoding: ${coding}`),
      );
      await expectEach(
        400,
        ['"chunked"', 'chunked, chunked', 'chunked, gzip', 'chunked;a=b', 'identity', 'xchunked', ''],
        (coding) => post(CHUNKED, `Transfer-Encoding: ${coding}`),
      );
      await expectEach(400, ['chunked', 'gzip', 'identity', 'gzip, chunked'], (coding) =>
        post(CHUNKED, 'Transfer-Encoding: chunked', `Transfer-Encoding: ${coding}`),
      );
    });
  });

  describe('by its chunks', () => {
    const chunked = (body: string) => post(body, 'Transfer-Encoding: chunked');

    it('is a 400', async () => {
      await expectEach(400, ['z', '-1', '0x1', '1 ', '1;', `1;${'a'.repeat(20_000)}`, '1;a="\r\n"'], (size) =>
        chunked(`${size}\r\nx\r\n0\r\n\r\n`),
      );
      await expectEach(
        400,
        [
          ...[
            '10000000000000000\r\nx',
            '1\r\nxy\r\n0\r\n\r\n',
            '1\nx\n0\n\n',
            '\r\n\r\n',
            '2\r\n{}\r\n0\r\n\x01\r\n\r\n',
          ],
          '2\r\n{}\r\n0\r\nX: 1\r\nX-API-Key: a\r\nContent-Length: 9\r\n\r\n',
          `2\r\n{}\r\n0\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
          `${'0'.repeat(5000)}2\r\n{}\r\n0\r\n\r\n`,
          `${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`,
        ],
        chunked,
      );
    });

    it('is a 413 if they are too large together', () =>
      expectEach(413, [`11170\r\n${'x'.repeat(70_000)}\r\n0\r\n\r\n`], chunked));
  });

  it('is a 400 after its time limit if it never ends', async () => {
    const impatient: Server = createHttpServer(server.service.handle, {
      ...CONNECTION_LIMITS,
      ...{ headMs: 200, requestMs: 200, checkMs: 20 },
    });
    impatient.listen(0, '127.0.0.1');
    await once(impatient, 'listening');
    const { port } = impatient.address() as AddressInfo;
    const unfinished = [
      ...['G', 'GET /', 'GET / HTTP/1.1\r\n', picture().slice(0, -2), picture('Content-Length: 5')],
      ...['21', '4294967296', '18446744073709551615'].map((length) => post(JSON_BODY, `Content-Length: ${length}`)),
      ...['ffffffffffffffff\r\nx', '0\r\n', '2\r\n{}\r\n'].map((body) => post(body, 'Transfer-Encoding: chunked')),
    ];
    const statuses = await Promise.all(unfinished.map((bytes) => exchange(bytes, port)));
    impatient.close();
    expect(statuses).to.deep.equal(unfinished.map(() => '400'));
  });

  it('ends a series of pipelined requests, and earlier ones are answered in order', async () => {
    const open = (target: string) => get(target).replace('Connection: close\r\n', '');
    const row = open('/healthz') + open('/nothing') + open('/healthz');
    const statuses = (text: string) => answersIn(text).map(({ status }) => status);
    expect(statuses(await exchangeRaw(portOf(), row, picture('X : 1') + row))).to.deep.equal([200, 404, 200, 400]);
    expect(await exchange(row.repeat(7) + get('/healthz'))).to.equal(`${'200, 404, 200, '.repeat(7)}200`);
  });

  it('is answered normally if it arrives in pieces', async () => {
    for (const bytes of [picture(), post(JSON_BODY, 'Content-Length: 20'), post(CHUNKED, 'Transfer-Encoding: chunked')])
      for (const size of [bytes.length >> 1, 31, 17]) {
        const pieces = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(answersIn(await exchangeRaw(portOf(), ...pieces)).map(({ status }) => status)).to.deep.equal([200]);
        given[bytes === picture() ? 'svg' : 'batch'] += 1;
      }
  });

  it('harms no other if it is aborted', async () => {
    // Uses another account for these requests, because a request may or may not be counted if its client disconnects.
    const bytes = post(CHUNKED, 'Transfer-Encoding: chunked').replace(key, await server.key());
    for (let length = 1; length < bytes.length; length += 7)
      for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
        const socket = connect({ port: portOf(), host: '127.0.0.1' }).on('error', () => undefined);
        await new Promise<void>((resolve) => void socket.write(bytes.slice(0, length), () => resolve()));
        socket.resume()[end]();
      }
    expect(await exchange(picture())).to.equal('200');
  });

  describe('when all of them are over', () => {
    it('leave a ready service without errors that has counted each 200 once', async () => {
      expect(server.errors()).to.deep.equal([]);
      expect(await server.used(key)).to.include(given);
      expect((await server.get('/readyz')).status).to.equal(200);
    });
  });
});
