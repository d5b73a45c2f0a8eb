// Hostile values: of header fields, request targets, request lines, framing. Strings hold one byte a character.
import { CREDENTIALS, placeholder } from './case.js';

const words = (text: string): string[] => text.trim().split(/\s+/);
const long = (text: string, times: number) => text.repeat(times);

const TAGS = ['""', '"', 'W/', 'W/""', '"a", "b",, "c"', 'github', `${long('"a", ', 1500)}"b"`, '"\xff"', ',,,,', '*'];
const DATES = ['0', '-1', 'now', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Fri, 99 Foo 2020 99:99:99 GMT', long('9', 300)];
const RANGES = ['bytes=0-', 'bytes=-1', 'bytes=9-1', `bytes=${long('0-,', 3000)}0-`, 'bytes', 'items=0-5'];
const ACCEPTS = ['', 'text/html', '*/*;q=0', `${long('a/b,', 3500)}c/d`, ';;;', '*/*;q=NaN', 'image/png;q=1e309'];
const CODINGS = [...ACCEPTS, 'gzip', 'br;q=2', 'identity;q=0, *;q=0'];
const HOSTS = [
  '',
  'a b',
  'evil.example:99999',
  '[::1',
  'localhost:',
  '\xe9',
  '127.0.0.1@evil.example',
  long('a', 5000),
];
const ADDRESSES = ['', 'unknown', '::1', '[::1]:80', '999.1.1.1', long('1.1.1.1,', 1500), '\xff', 'fe80::1%eth0'];
const COOKIES = [
  ...words('= ;;;; blazon_session=" __Host-blazon_session=a blazon_session=%zz'),
  ...['__proto__=1; constructor=2', 'blazon_session=a; blazon_session=b'],
  ...[`blazon_session=${long('a', 7000)}`, `${long('a=b; ', 2500)}c=d`],
];
const ORIGINS = ['', ...words('null http://evil.example http://localhost:1@evil.example file:// *'), long('a', 5000)];

export const FIELDS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['If-None-Match', TAGS],
  ['If-Match', TAGS],
  ['If-Modified-Since', DATES],
  ['If-Range', [...TAGS, ...DATES]],
  ['Range', RANGES],
  ['Accept', ACCEPTS],
  ['Accept-Encoding', CODINGS],
  ['Accept-Language', ACCEPTS],
  ['Host', HOSTS],
  ['X-Forwarded-For', ADDRESSES],
  ['X-Forwarded-Proto', ADDRESSES],
  ['Forwarded', ['for=', 'for="[::1]";;;', long('for=1,', 2000)]],
  ['Cookie', COOKIES],
  ['Origin', ORIGINS],
  ['Referer', ORIGINS],
  ['Sec-Fetch-Site', ['', 'cross-site', 'same-origin, cross-site', 'x']],
  ['X-Request-Id', ['', ' ', 'a'.repeat(129), '"}', '\x1b[2J', '../..', '\xe9', '__proto__']],
  ['Expect', ['100-continue', '100-Continue, x', '', 'miracles']],
  ['User-Agent', ['', long('a', 9000), '\xff\xfe', '<script>']],
  ['Connection', ['close, close', 'x-api-key', 'content-length', 'upgrade', long('a, ', 3000)]],
  ['X-HTTP-Method-Override', ['DELETE', 'CONNECT']],
  ['Access-Control-Request-Headers', ['x-api-key', long('a,', 3000)]],
  ['Content-Length', ['0', '00', '+0', '-0', '0x0']],
  ['X-Anything', [...CREDENTIALS.map(placeholder), '']],
];

/** Fields that a request has already, fields of a great length, and very many. */
export const MORE_FIELDS = [
  ...['Host: localhost', 'Authorization: Bearer x', 'Authorization: Basic eDp4', 'X-API-Key: x', 'X-API-Key: '],
  ...['Cookie: blazon_session=x', 'Content-Type: text/html', 'Connection: keep-alive'],
  ...[8000, 15_000, 16_500, 70_000].map((length) => `X-Long: ${long('a', length)}`),
  ...[10, 500, 2500].map((count) => Array.from({ length: count }, (_, index) => `X-${index}: 1`).join('\r\n')),
];

/** Bodies that are no JSON, too deep, too long, or that hold what belongs elsewhere. */
export const BODIES = [
  ...['', '{}', '{"slugs":["github"]}', '{"a":', '\xff\xfe{\0}\0', '{"__proto__":{"isAdmin":true}}'],
  ...[`${long('[', 20_000)}${long(']', 20_000)}`, `"${long('a', 70_000)}"`],
  ...CREDENTIALS.map(placeholder).flatMap((it) => [`{"${it}":1}`, `{"email":"${it}","password":"${it}"}`]),
];

/** Among them those that the parser of addresses may throw at. */
export const TARGETS = [
  ...words('* // ///v1/svg/github //a@[/# //a@[/#?x=1 //[ //[::1 //a:b@c:99999/x /? /# /#?q=1 ? healthz / //\\ /\\/\\'),
  ...words('http:// http://[ http://localhost/healthz https://evil.example/v1/svg/github ftp://localhost/ localhost'),
  ...words('javascript:alert(1) localhost:443 /% /%zz /%00 /%2e%2e/%2e%2e/etc/passwd /../../../etc/passwd'),
  ...words('/v1/../healthz /v1/./svg/github /v1//svg/github /docs/../healthz /docs/%2e%2e/%2e%2e/package.json'),
  ...words('/links/..%2f..%2fpackage.json /__proto__ /constructor /v1/svg/__proto__ /docs/__proto__'),
  ...words('/links/constructor /auth/sessions/__proto__'),
  ...['', '/healthz HTTP/1.1 HTTP/1.1', '/a b', '/\x01', '/\x7f', '/\xff\xfe', '/\xe2\x80\xae'],
  ...[`/${long('a', 8000)}`, `/${long('a', 20_000)}`, `/${long('a/', 4000)}`, `/${long('../', 3000)}`],
  ...[`/v1/svg/github?${long('a', 15_000)}`, `/?${long('a=1&', 3500)}`],
];
export const SUFFIXES = [
  ...['', '', '', '\xff\xfe', ...words('% %c0%af %ed%a0%80 %2e%2e%2f ..%5c.. {}|\\^` #')],
  ...CREDENTIALS.map((name) => `?x=${placeholder(name)}`),
];

export const LINES = [
  ...['GET', 'GET /', 'GET  / HTTP/1.1', 'GET / HTTP/1.1 ', ' GET / HTTP/1.1', 'GET\t/\tHTTP/1.1', 'G ET / HTTP/1.1'],
  ...words('0.9 1.0 1.2 2.0 9.9 1.1.1').map((version) => `GET / HTTP/${version}`),
  ...['GET /healthz HTTP/1.0', 'GET / HTTP/', 'GET / http/1.1', 'GET / HTTPS/1.1', 'GET / FTP/1.1', 'GET / RTSP/1.0'],
  ...['PRI * HTTP/2.0', 'HTTP/1.1 200 OK', 'SSH-2.0-OpenSSH_9.0', 'EHLO x', 'SOURCE / HTTP/1.1', 'GET /\0 HTTP/1.1'],
  ...['\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', '\0\0\0\0', '\r\n\r\n\r\nGET / HTTP/1.1', 'HEAD /x\rHTTP/1.1'],
  `${long('A', 20_000)} / HTTP/1.1`,
];

export const AUTHORITIES = [
  ...words('example.com:443 localhost:22 127.0.0.1:3000 [::1]:80 / * : @ a@[/#'),
  `${long('a', 4000)}:1`,
];
export const UPGRADES = ['websocket', 'h2c', 'TLS/1.0', 'x', '', 'websocket, h2c'];

export const BAD_FIELDS = [
  ...[': x', 'X', 'X : 1', ' X: 1', 'X: 1\r\n folded', 'X: a\nY: b', 'X: a\rY: b', 'X: \0', 'X\0: 1', 'X\xe9: 1'],
  ...['X Y: 1', '"X": 1', 'X: \x01\x02', 'X: \x7f', 'Host: localhost', 'Host: localhost, evil.example'],
  ...[`${long('X', 9000)}: 1`, `X: ${long('x', 70_000)}`, `X: ${long('\t', 5000)}`],
  ...['Content-Length: 5', 'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'],
  ...['Transfer-Encoding: chunked, identity', 'Transfer-Encoding: \x0bchunked', 'Trailer: X-API-Key'],
  ...['Keep-Alive: timeout=99999999999', 'Proxy-Connection: keep-alive', 'TE: trailers, deflate;q=0.5'],
];

const JSON_BODY = '{"email":"nobody@fuzz.example","password":"some pass phrase"}';
const BODY_LENGTHS = [JSON_BODY.length, JSON_BODY.length - 1, JSON_BODY.length + 1].map(String);
export const LENGTHS = [
  ...words('-1 +5 0x10 1e2 99999999999999999999 18446744073709551615 NaN 4294967296 ٣ 0'),
  ...[' ', '', '5, 5', '5, 6', '5 5', ...BODY_LENGTHS],
];
export const TRANSFER_CODINGS = [
  ...words('chunked Chunked xchunked identity "chunked" chunked;a=b'),
  ...['chunked, chunked', 'chunked, gzip', 'gzip, chunked', '', ' chunked'],
];
export const FRAMED_BODIES = [
  JSON_BODY,
  `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n0\r\n\r\n`,
  '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
];

export const CHUNKS = [
  ...['z', '-1', '0x1', '1 ', '1;', `1;${long('a', 20_000)}`, '1;a="\r\n"'].map((size) => `${size}\r\nx\r\n0\r\n\r\n`),
  ...['ffffffffffffffff\r\nx', '10000000000000000\r\nx', '1\r\nxy\r\n0\r\n\r\n', '1\nx\n0\n\n', '\r\n\r\n', '0\r\n'],
  ...['2\r\n{}\r\n', '2\r\n{}\r\n0\r\n\x01\r\n\r\n', `${long('0', 5000)}2\r\n{}\r\n0\r\n\r\n`],
  '2\r\n{}\r\n0\r\nX: 1\r\nX-API-Key: a\r\nContent-Length: 9\r\n\r\n',
  `2\r\n{}\r\n0\r\nX: ${long('x', 70_000)}\r\n\r\n`,
  `${long('1\r\nx\r\n', 20_000)}0\r\n\r\n`,
  `11170\r\n${long('x', 70_000)}\r\n0\r\n\r\n`,
];
