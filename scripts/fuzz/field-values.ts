// Hostile values of header fields.

export const repeated = (text: string, times: number) => text.repeat(times);

const TAGS = [
  '*',
  '""',
  '"',
  'W/',
  'W/""',
  '"a", "b",, "c"',
  'github',
  `${repeated('"a", ', 1500)}"b"`,
  '"\xff"',
  ',,,,',
];
const DATES = ['0', '-1', 'now', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Fri, 99 Foo 2020 99:99:99 GMT', repeated('9', 300)];
const RANGES = ['bytes=0-', 'bytes=-1', 'bytes=9-1', `bytes=${repeated('0-,', 3000)}0-`, 'bytes', 'items=0-5'];
const ACCEPTS = ['', 'text/html', '*/*;q=0', `${repeated('a/b,', 3500)}c/d`, ';;;', '*/*;q=NaN', 'image/png;q=1e309'];
const HOSTS = [
  '',
  'a b',
  'evil.example:99999',
  '[::1',
  'localhost:',
  '\xe9',
  '127.0.0.1@evil.example',
  repeated('a', 5000),
];
const ADDRESSES = ['', 'unknown', '::1', '[::1]:80', '999.1.1.1', repeated('1.1.1.1,', 1500), '\xff', 'fe80::1%eth0'];
const COOKIES = [
  '=',
  ';;;;',
  'blazon_session="',
  `blazon_session=${repeated('a', 7000)}`,
  '__Host-blazon_session=a',
  `${repeated('a=b; ', 2500)}c=d`,
  '__proto__=1; constructor=2',
  'blazon_session=%zz',
  'blazon_session=a; blazon_session=b',
];
const ORIGINS = [
  '',
  'null',
  'http://evil.example',
  'http://localhost:1@evil.example',
  'file://',
  '*',
  repeated('a', 5000),
];

export const FIELDS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['If-None-Match', TAGS],
  ['If-Match', TAGS],
  ['If-Modified-Since', DATES],
  ['If-Range', [...TAGS, ...DATES]],
  ['Range', RANGES],
  ['Accept', ACCEPTS],
  ['Accept-Encoding', [...ACCEPTS, 'gzip', 'br;q=2', 'identity;q=0, *;q=0']],
  ['Accept-Language', ACCEPTS],
  ['Host', HOSTS],
  ['X-Forwarded-For', ADDRESSES],
  ['X-Forwarded-Proto', ADDRESSES],
  ['Forwarded', ['for=', 'for="[::1]";;;', repeated('for=1,', 2000)]],
  ['Cookie', COOKIES],
  ['Origin', ORIGINS],
  ['Referer', ORIGINS],
  ['Sec-Fetch-Site', ['', 'cross-site', 'same-origin, cross-site', 'x']],
  ['X-Request-Id', ['', ' ', 'a'.repeat(129), '"}', '\x1b[2J', '../..', '\xe9', '__proto__']],
  ['Expect', ['100-continue', '100-Continue, x', '', 'miracles']],
  ['User-Agent', ['', repeated('a', 9000), '\xff\xfe', '<script>']],
  ['Connection', ['close, close', 'x-api-key', 'content-length', 'upgrade', repeated('a, ', 3000)]],
  ['X-HTTP-Method-Override', ['DELETE', 'CONNECT']],
  ['Access-Control-Request-Headers', ['x-api-key', repeated('a,', 3000)]],
  ['Content-Length', ['0', '00', '+0', '-0', '0x0']],
  ['X-Anything', ['']],
];

/** Of names that a request has already. */
export const REPEATED_FIELDS = [
  'Host: localhost',
  'Authorization: Bearer x',
  'Authorization: Basic eDp4',
  'X-API-Key: x',
  'X-API-Key: ',
  'Cookie: blazon_session=x',
  'Content-Type: text/html',
  'Connection: keep-alive',
];
