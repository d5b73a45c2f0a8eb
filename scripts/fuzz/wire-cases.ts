// Requests that are malformed as HTTP: request lines, heads, framing, bytes that are no HTTP.
import fc from 'fast-check';
import { placeholder, type Case, type Message } from './case.js';
import * as hostile from './hostile.js';

const KEY = `X-API-Key: ${placeholder('key')}`;
const PICTURE = '/v1/svg/github';
const SIGN_IN = '/auth/login';
const USUAL_FIELDS = ['Host: localhost', 'Connection: close'];

const methods = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS');

const wire = (kind: string, message: Partial<Message>, ending: Case['ending'] = 'nudge'): Case => ({
  kind,
  role: 'leaver',
  messages: [{ line: '', fields: USUAL_FIELDS, body: '', ...message }],
  ending,
});

const targetCase = fc
  .tuple(methods, fc.constantFrom(...hostile.TARGETS), fc.constantFrom(...hostile.SUFFIXES))
  .map(([method, target, suffix]) => wire('request target', { line: `${method} ${target}${suffix} HTTP/1.1` }));

const lineCase = fc.constantFrom(...hostile.LINES).map((line) => wire('request line', { line }));

const bytesCase = fc
  .uint8Array({ minLength: 1, maxLength: 200 })
  .map((bytes) => wire('random bytes', { line: Buffer.from(bytes).toString('latin1'), fields: [] }));

const tunnelCase = fc
  .tuple(
    fc.constantFrom(...hostile.AUTHORITIES),
    fc.constantFrom<Case['ending']>('read', 'reset'),
    fc.constantFrom('', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01'),
  )
  .map(([authority, ending, body]) =>
    wire('CONNECT', { line: `CONNECT ${authority} HTTP/1.1`, fields: ['Host: localhost'], body }, ending),
  );

const upgradeCase = fc
  .tuple(fc.constantFrom(...hostile.UPGRADES), methods, fc.constantFrom<Case['ending']>('nudge', 'end'))
  .map(([protocol, method, ending]) => {
    const upgrade = ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`];
    const h2c = ['HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'];
    const websocket = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
    const fields = ['Host: localhost', KEY, ...upgrade, ...h2c, ...websocket];
    return wire('Upgrade', { line: `${method} ${PICTURE} HTTP/1.1`, fields }, ending);
  });

const headCase = fc
  .tuple(
    methods,
    fc.constantFrom(PICTURE, '/healthz', SIGN_IN, '/docs', '/nothing'),
    fc.subarray(hostile.BAD_FIELDS, { minLength: 1, maxLength: 3 }),
    fc.constantFrom([KEY], []),
  )
  .map(([method, target, bad, key]) =>
    wire('header fields', { line: `${method} ${target} HTTP/1.1`, fields: [...USUAL_FIELDS, ...key, ...bad] }),
  );

const hostCase = fc
  .tuple(
    methods,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    fc.subarray(['Host: a', 'Host: b', 'host: localhost', 'Host:']),
  )
  .map(([method, version, hosts]) =>
    wire('Host fields', { line: `${method} /healthz ${version}`, fields: ['Connection: close', ...hosts] }),
  );

const framingCase = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'GET', 'DELETE', 'HEAD'),
    lengths: fc.subarray(hostile.LENGTHS, { maxLength: 2 }),
    codings: fc.subarray(hostile.TRANSFER_CODINGS, { maxLength: 2 }),
    body: fc.constantFrom(...hostile.FRAMED_BODIES),
    isLengthFirst: fc.boolean(),
  })
  .map(({ method, lengths, codings, body, isLengthFirst }) => {
    const length = lengths.map((value) => `Content-Length: ${value}`);
    const coding = codings.map((value) => `Transfer-Encoding: ${value}`);
    const framing = isLengthFirst ? [...length, ...coding] : [...coding, ...length];
    const fields = ['Host: localhost', 'Content-Type: application/json', ...framing];
    return wire('framing', { line: `${method} ${SIGN_IN} HTTP/1.1`, fields, body });
  });

const chunkCase = fc
  .tuple(
    fc.constantFrom('POST', 'DELETE', 'GET', 'HEAD'),
    fc.constantFrom(SIGN_IN, '/auth/account', '/auth/logout', '/v1/catalog/batch', PICTURE, '/nothing'),
    fc.constantFrom(...hostile.CHUNKS),
  )
  .map(([method, target, body]) => {
    const fields = [...USUAL_FIELDS, KEY, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    return wire('chunks', { line: `${method} ${target} HTTP/1.1`, fields, body });
  });

/** Weights as numbers of cases in a hundred. */
export const WIRE_CASES: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Case> }[] = [
  { weight: 6, arbitrary: targetCase },
  { weight: 3, arbitrary: lineCase },
  { weight: 1, arbitrary: bytesCase },
  { weight: 1, arbitrary: tunnelCase },
  { weight: 1, arbitrary: upgradeCase },
  { weight: 4, arbitrary: headCase },
  { weight: 1, arbitrary: hostCase },
  { weight: 4, arbitrary: framingCase },
  { weight: 3, arbitrary: chunkCase },
];
