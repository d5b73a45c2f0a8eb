// Hostile header fields, added to a request.
import fc from 'fast-check';
import type { Mutation } from './draft.js';
import { hostileText, repeated, strayCredential } from './values.js';

const TAGS = [
  '*',
  '""',
  '"',
  'W/',
  'W/""',
  '"a", "b",, "c"',
  'github',
  `"${repeated('a', 9000)}"`,
  `${repeated('"a", ', 1500)}"b"`,
  '"\xff"',
  ',,,,',
  '*, *',
];
const DATES = [
  '0',
  '9999',
  '-1',
  'now',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Fri, 99 Foo 2020 99:99:99 GMT',
  repeated('9', 300),
  '2024-01-01',
];
const RANGES = [
  'bytes=0-',
  'bytes=-1',
  'bytes=9-1',
  'bytes=0-0,1-1',
  `bytes=${repeated('0-,', 3000)}0-`,
  'bytes',
  'bytes=a-b',
  'items=0-5',
  'bytes=0-99999999999999999999',
];
const ACCEPTS = [
  '',
  'text/html',
  'application/xml',
  '*/*;q=0',
  `${repeated('a/b,', 3500)}c/d`,
  ';;;',
  '*/*;q=NaN',
  'image/png;q=1e309',
];
const HOSTS = [
  '',
  'a b',
  'evil.example:99999',
  '[::1',
  'localhost:',
  '\xe9',
  '127.0.0.1@evil.example',
  repeated('a', 5000),
  'a/../b',
  '*',
];
const FORWARDED = [
  '',
  'unknown',
  '::1',
  '[::1]:80',
  '999.1.1.1',
  '127.0.0.1, 10.0.0.1',
  repeated('1.1.1.1,', 1500),
  '\xff',
  "' OR 1=1",
  '0x7f.1',
  '1.1.1.1:99999',
  'fe80::1%eth0',
];
const COOKIES = [
  '',
  '=',
  ';;;;',
  'a',
  'blazon_session',
  'blazon_session=',
  'blazon_session="',
  `blazon_session=${repeated('a', 7000)}`,
  '__Host-blazon_session=a',
  `${repeated('a=b; ', 2500)}c=d`,
  '__proto__=1; constructor=2',
  'blazon_session=%zz',
  'blazon_session=a; blazon_session=b',
  'a=\xff\xfe',
];
const ORIGINS = [
  '',
  'null',
  'http://evil.example',
  'http://localhost:1@evil.example',
  'file://',
  '*',
  'http://LOCALHOST',
  repeated('a', 5000),
];
const REQUEST_IDS = ['', ' ', 'a'.repeat(129), 'a b', '"}', '\x1b[2J', '../..', '\xe9', '__proto__'];

const single: readonly (readonly [string, readonly string[]])[] = [
  ['If-None-Match', TAGS],
  ['If-Match', TAGS],
  ['If-Modified-Since', DATES],
  ['If-Unmodified-Since', DATES],
  ['If-Range', [...TAGS, ...DATES]],
  ['Range', RANGES],
  ['Accept', ACCEPTS],
  ['Accept-Encoding', [...ACCEPTS, 'gzip', 'br;q=2', 'identity;q=0, *;q=0']],
  ['Accept-Language', ACCEPTS],
  ['Host', HOSTS],
  ['X-Forwarded-For', FORWARDED],
  ['X-Forwarded-Proto', FORWARDED],
  ['X-Forwarded-Host', HOSTS],
  ['Forwarded', ['for=', 'for="[::1]";;;', repeated('for=1,', 2000)]],
  ['Cookie', COOKIES],
  ['Origin', ORIGINS],
  ['Referer', ORIGINS],
  ['Sec-Fetch-Site', ['', 'cross-site', 'same-origin, cross-site', 'none', 'x']],
  ['X-Request-Id', REQUEST_IDS],
  ['Expect', ['100-continue', '100-Continue, x', '', 'miracles']],
  ['User-Agent', ['', repeated('a', 9000), '\xff\xfe', '<script>']],
  ['Connection', ['close, close', 'x-api-key', 'content-length', 'upgrade', repeated('a, ', 3000)]],
  ['X-HTTP-Method-Override', ['DELETE', 'CONNECT']],
  ['Upgrade-Insecure-Requests', ['1', 'x']],
  ['Access-Control-Request-Method', ['DELETE', '', repeated('a', 4000)]],
  ['Access-Control-Request-Headers', ['x-api-key', repeated('a,', 3000)]],
  ['Content-Length', ['0', '00', '+0', '-0', '0x0']],
];

const add =
  (...fields: readonly string[]): Mutation =>
  (draft) => ({ ...draft, fields: [...draft.fields, ...fields], ...(fields.some(isFraming) && { framing: [] }) });

/** Fields that leave the end of the request undefined. */
const isFraming = (field: string) => /^(?:content-length|transfer-encoding|expect|connection|upgrade):/i.test(field);

/** The names of fields in which a credential must not be repeated. */
const REPEATED = [
  'Host: localhost',
  'Host: evil.example',
  'Authorization: Bearer x',
  'Authorization: Basic eDp4',
  'X-API-Key: x',
  'X-API-Key: ',
  'Cookie: blazon_session=x',
  'Content-Type: text/html',
  'Origin: http://evil.example',
  'X-Forwarded-For: 1.1.1.1',
  'X-Request-Id: a',
  'If-None-Match: *',
  'Connection: keep-alive',
  'User-Agent: a',
];

export const fieldMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(...single)
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => add(`${name}: ${value}`))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...single)
      .chain(([name]) => hostileText.map((text) => add(`${name}: ${withoutLineEnds(text)}`))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'User-Agent',
        'Referer',
        'Origin',
        'X-Request-Id',
        'Accept',
        'If-None-Match',
        'Host',
        'X-Forwarded-For',
        'Cookie',
        'Range',
        'X-Anything',
      )
      .chain((name) => strayCredential.map((value) => add(`${name}: ${value}`))),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...REPEATED), fc.integer({ min: 1, max: 3 }))
      .map(([field, times]) => add(...Array.from({ length: times }, () => field))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 10, max: 2500 }), fc.boolean())
      .map(([count, isSame]) => add(...Array.from({ length: count }, (_, index) => `X-${isSame ? 'a' : index}: 1`))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(8000, 15_000, 16_500, 70_000).map((length) => add(`X-Long: ${repeated('a', length)}`)),
  },
);

function withoutLineEnds(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, ' ');
}
