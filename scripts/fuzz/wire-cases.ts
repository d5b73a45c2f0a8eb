// Requests that are malformed as HTTP: request lines, heads, framing, bytes that are no HTTP.
import fc from 'fast-check';
import { CREDENTIALS, placeholder, type Case, type Message } from './case.js';
import { repeated } from './field-values.js';

const KEY = `X-API-Key: ${placeholder('key')}`;
const PICTURE = '/v1/svg/github';
const SIGN_IN = '/auth/login';

const methods = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS');

const wire = (kind: string, message: Message, more: Partial<Case> = {}): Case => ({
  kind,
  role: 'leaver',
  messages: [message],
  ending: 'nudge',
  ...more,
});
const line = (text: string): Message => ({ line: text, fields: ['Host: localhost', 'Connection: close'], body: '' });

/** Also what the parser of addresses may throw at. */
const TARGETS = [
  '*',
  '',
  '//',
  '///v1/svg/github',
  '//a@[/#',
  '//a@[/#?x=1',
  '//[',
  '//[::1',
  '//a:b@c:99999/x',
  '//\\',
  '/\\/\\',
  '/?',
  '/#',
  '/#?q=1',
  '?',
  'healthz',
  'http://',
  'http://[',
  'http://localhost/healthz',
  'https://evil.example/v1/svg/github',
  'ftp://localhost/',
  'javascript:alert(1)',
  'localhost:443',
  'localhost',
  '/healthz HTTP/1.1 HTTP/1.1',
  '/a b',
  '/\x01',
  '/\x7f',
  '/\xff\xfe',
  '/\xe2\x80\xae',
  '/%',
  '/%zz',
  '/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/../../../etc/passwd',
  '/v1/../healthz',
  '/v1/./svg/github',
  '/v1//svg/github',
  '/docs/../healthz',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/links/..%2f..%2fpackage.json',
  '/__proto__',
  '/constructor',
  '/v1/svg/__proto__',
  '/docs/__proto__',
  '/links/constructor',
  '/auth/sessions/__proto__',
  `/${repeated('a', 8000)}`,
  `/${repeated('a', 20_000)}`,
  `/${repeated('a/', 4000)}`,
  `/${repeated('../', 3000)}`,
  `/v1/svg/github?${repeated('a', 15_000)}`,
  `/?${repeated('a=1&', 3500)}`,
];

const SUFFIXES = ['', '', '', '%', '%c0%af', '%ed%a0%80', '%2e%2e%2f', '..%5c..', '{}|\\^`', '\xff\xfe', '#'];

const targetCase: fc.Arbitrary<Case> = fc
  .tuple(
    methods,
    fc.constantFrom(...TARGETS),
    fc.constantFrom(...SUFFIXES, ...CREDENTIALS.map((name) => `?x=${placeholder(name)}`)),
  )
  .map(([method, target, suffix]) => wire('request target', line(`${method} ${target}${suffix} HTTP/1.1`)));

const LINES = [
  'GET',
  'GET /',
  'GET  / HTTP/1.1',
  'GET / HTTP/1.1 ',
  ' GET / HTTP/1.1',
  'GET\t/\tHTTP/1.1',
  'GET / HTTP/0.9',
  'GET / HTTP/1.0',
  'GET /healthz HTTP/1.0',
  'GET / HTTP/1.2',
  'GET / HTTP/2.0',
  'GET / HTTP/9.9',
  'GET / HTTP/1.1.1',
  'GET / HTTP/',
  'GET / http/1.1',
  'GET / HTTPS/1.1',
  'GET / FTP/1.1',
  'PRI * HTTP/2.0',
  'HTTP/1.1 200 OK',
  'SSH-2.0-OpenSSH_9.0',
  'EHLO x',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  '\0\0\0\0',
  '\r\n\r\n\r\nGET / HTTP/1.1',
  'HEAD /x\rHTTP/1.1',
  `${repeated('A', 20_000)} / HTTP/1.1`,
  'SOURCE / HTTP/1.1',
  'GET / RTSP/1.0',
  'GET /\0 HTTP/1.1',
  'G ET / HTTP/1.1',
];

const lineCase = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...LINES).map((text) => wire('request line', line(text))) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .map((bytes) => wire('random bytes', { line: Buffer.from(bytes).toString('latin1'), fields: [], body: '' })),
  },
);

const AUTHORITIES = [
  'example.com:443',
  'localhost:22',
  '127.0.0.1:3000',
  '[::1]:80',
  '/',
  '*',
  ':',
  '',
  '@',
  'a@[/#',
  `${repeated('a', 4000)}:1`,
];

const tunnelCase = fc
  .tuple(
    fc.constantFrom(...AUTHORITIES),
    fc.constantFrom<Case['ending']>('read', 'reset'),
    fc.constantFrom('', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01'),
  )
  .map(([authority, ending, body]) =>
    wire(
      'CONNECT',
      { line: `CONNECT ${authority} HTTP/1.1`, fields: ['Host: localhost'], body },
      { ending: authority === '' ? 'nudge' : ending },
    ),
  );

const UPGRADES = ['websocket', 'h2c', 'TLS/1.0', 'x', '', 'websocket, h2c'];

const upgradeCase = fc
  .tuple(fc.constantFrom(...UPGRADES), methods, fc.constantFrom<Case['ending']>('nudge', 'end'))
  .map(([protocol, method, ending]) =>
    wire(
      'Upgrade',
      {
        line: `${method} ${PICTURE} HTTP/1.1`,
        fields: [
          'Host: localhost',
          KEY,
          'Connection: Upgrade, HTTP2-Settings',
          `Upgrade: ${protocol}`,
          'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          'Sec-WebSocket-Version: 13',
        ],
        body: '',
      },
      { ending },
    ),
  );

const BAD_FIELDS = [
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
  'X Y: 1',
  '"X": 1',
  'X: \x01\x02',
  'X: \x7f',
  `${repeated('X', 9000)}: 1`,
  `X: ${repeated('x', 70_000)}`,
  `X: ${repeated('\t', 5000)}`,
  'Host: localhost',
  'Host: localhost, evil.example',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \x0bchunked',
  'Trailer: X-API-Key',
  'Keep-Alive: timeout=99999999999',
  'Proxy-Connection: keep-alive',
  'TE: trailers, deflate;q=0.5',
];

const headCase = fc
  .tuple(
    methods,
    fc.constantFrom(PICTURE, '/healthz', SIGN_IN, '/docs', '/nothing'),
    fc.subarray(BAD_FIELDS, { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([method, target, fields, hasKey]) =>
    wire('header fields', {
      line: `${method} ${target} HTTP/1.1`,
      fields: ['Host: localhost', 'Connection: close', ...(hasKey ? [KEY] : []), ...fields],
      body: '',
    }),
  );

const noHostCase = fc
  .tuple(
    methods,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    fc.subarray(['Host: a', 'Host: b', 'host: localhost', 'Host:']),
  )
  .map(([method, version, hosts]) =>
    wire('Host fields', { line: `${method} /healthz ${version}`, fields: ['Connection: close', ...hosts], body: '' }),
  );

const JSON_BODY = '{"email":"nobody@fuzz.example","password":"some pass phrase"}';
const LENGTHS = [
  '-1',
  '+5',
  '0x10',
  '1e2',
  ' ',
  '',
  '5, 5',
  '5, 6',
  '5 5',
  '99999999999999999999',
  '18446744073709551615',
  'NaN',
  '4294967296',
  '٣',
  `${JSON_BODY.length}`,
  `${JSON_BODY.length - 1}`,
  `${JSON_BODY.length + 1}`,
  '0',
];
const CODINGS = [
  'chunked',
  'chunked, chunked',
  'Chunked',
  'xchunked',
  'identity',
  'chunked, gzip',
  'gzip, chunked',
  '',
  ' chunked',
  '"chunked"',
  'chunked;a=b',
];

const framingCase = fc
  .tuple(
    fc.constantFrom('POST', 'POST', 'GET', 'DELETE', 'HEAD'),
    fc.subarray(LENGTHS, { maxLength: 2 }),
    fc.subarray(CODINGS, { maxLength: 2 }),
    fc.constantFrom(
      JSON_BODY,
      `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n0\r\n\r\n`,
      '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ),
    fc.boolean(),
  )
  .map(([method, lengths, codings, body, isLengthFirst]) => {
    const fields = [
      lengths.map((value) => `Content-Length: ${value}`),
      codings.map((value) => `Transfer-Encoding: ${value}`),
    ];
    const framing = (isLengthFirst ? fields : fields.reverse()).flat();
    return wire('framing', {
      line: `${method} ${SIGN_IN} HTTP/1.1`,
      fields: ['Host: localhost', 'Content-Type: application/json', ...framing],
      body,
    });
  });

const CHUNKS = [
  'z\r\nx\r\n0\r\n\r\n',
  '-1\r\nx\r\n0\r\n\r\n',
  'ffffffffffffffff\r\nx',
  '10000000000000000\r\nx',
  '1\r\nxy\r\n0\r\n\r\n',
  '1\nx\n0\n\n',
  '1 \r\nx\r\n0\r\n\r\n',
  '0x1\r\nx\r\n0\r\n\r\n',
  '1;\r\nx\r\n0\r\n\r\n',
  `1;${repeated('a', 20_000)}\r\nx\r\n0\r\n\r\n`,
  '1;a="\r\n"\r\nx\r\n0\r\n\r\n',
  '2\r\n{}\r\n0\r\nX: 1\r\nX-API-Key: a\r\nContent-Length: 9\r\n\r\n',
  `2\r\n{}\r\n0\r\nX: ${repeated('x', 70_000)}\r\n\r\n`,
  '2\r\n{}\r\n0\r\n\x01\r\n\r\n',
  '\r\n\r\n',
  '0\r\n',
  '2\r\n{}\r\n',
  repeated('1\r\nx\r\n', 20_000) + '0\r\n\r\n',
  `${repeated('0', 5000)}2\r\n{}\r\n0\r\n\r\n`,
  `11170\r\n${repeated('x', 70_000)}\r\n0\r\n\r\n`,
];

const chunkCase = fc
  .tuple(
    fc.constantFrom('POST', 'DELETE', 'GET', 'HEAD'),
    fc.constantFrom(SIGN_IN, '/auth/account', '/auth/logout', '/v1/catalog/batch', PICTURE, '/nothing'),
    fc.constantFrom(...CHUNKS),
  )
  .map(([method, target, body]) =>
    wire('chunks', {
      line: `${method} ${target} HTTP/1.1`,
      fields: [
        'Host: localhost',
        'Connection: close',
        KEY,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ],
      body,
    }),
  );

/** Weights as numbers of cases a hundred. */
export const WIRE_CASES: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Case> }[] = [
  { weight: 6, arbitrary: targetCase },
  { weight: 3, arbitrary: lineCase },
  { weight: 1, arbitrary: tunnelCase },
  { weight: 1, arbitrary: upgradeCase },
  { weight: 4, arbitrary: headCase },
  { weight: 1, arbitrary: noHostCase },
  { weight: 4, arbitrary: framingCase },
  { weight: 3, arbitrary: chunkCase },
];
