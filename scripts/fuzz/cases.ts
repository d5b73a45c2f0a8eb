// The cases of a run: each a function of seed and index alone, so that any one of them can be sent again.
import fc from 'fast-check';
import { CREDENTIALS, placeholder, REQUEST_ID, type Case, type Message } from './case.js';
import { BODIES, FIELDS, MORE_FIELDS } from './hostile.js';
import type { Operation } from './operations.js';
import { WIRE_CASES } from './wire-cases.js';

const MAX_PIPELINED = 20;
const MAX_FIELDS = 3;
/** It would end the session of all that follow. */
const SIGN_OUT = '/auth/logout';

/** The cases of a seed by their index. Throws when there is no operation. */
export function casesOf(operations: readonly Operation[], seed: number): (index: number) => Case {
  const whole = operationCase(operations.filter(({ target }) => target !== SIGN_OUT));
  const inPieces = fc
    .tuple(whole, fc.integer({ min: 2, max: 12 }))
    .map(([one, writes]): Case => ({ ...one, kind: 'in pieces', writes }));
  const arbitrary = fc.oneof(
    { weight: 40, arbitrary: whole },
    ...WIRE_CASES,
    { weight: 4, arbitrary: brokenOff(whole) },
    { weight: 3, arbitrary: inPieces },
    { weight: 4, arbitrary: pipelined(whole) },
  );
  return (index) => {
    const [first] = fc.sample(arbitrary, { seed: mixed(seed, index), numRuns: 1 });
    if (!first) throw new Error('nothing was generated');
    return withRequestId(first, index);
  };
}

/** Neighboring seeds and indexes must not give the same cases. */
function mixed(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The lines of a log are traced back to the case by it. */
function withRequestId(one: Case, index: number): Case {
  const messages = one.messages.map((message) => {
    const hasOne = message.fields.length === 0 || message.fields.some((field) => /^x-request-id:/i.test(field));
    return hasOne ? message : { ...message, fields: [...message.fields, `X-Request-Id: ${REQUEST_ID}${index}`] };
  });
  return { ...one, messages };
}

/** A credential where none belongs. */
const strayCredential = fc.constantFrom(...CREDENTIALS).map(placeholder);
const strayParameter = fc
  .tuple(fc.constantFrom('key', 'api_key', 'X-API-Key', 'token', 'x'), strayCredential)
  .map(([name, value]) => `?${name}=${value}`);
const namedField = fc.constantFrom(...FIELDS);
const field = fc.oneof(
  {
    weight: 8,
    arbitrary: namedField.chain(([name, values]) => fc.constantFrom(...values).map((value) => `${name}: ${value}`)),
  },
  { weight: 5, arbitrary: fc.constantFrom(...MORE_FIELDS) },
  { weight: 3, arbitrary: fc.tuple(namedField, strayCredential).map(([[name], value]) => `${name}: ${value}`) },
);

/** Each is another client's, as far as limits by address go. */
const client = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => `X-Forwarded-For: 10.${bytes.join('.')}`);

/** Fields that leave the end of the request undefined. */
const isFraming = (text: string) => /^(?:content-length|transfer-encoding|expect|connection|upgrade):/i.test(text);

/** A request of the document with header fields, a credential or a body that do not belong there. */
function operationCase(operations: readonly Operation[]): fc.Arbitrary<Case> {
  return fc
    .record({
      operation: fc.constantFrom(...operations),
      suffix: fc.oneof({ weight: 5, arbitrary: fc.constant('') }, { weight: 1, arbitrary: strayParameter }),
      fields: fc.array(field, { maxLength: MAX_FIELDS }),
      body: fc.constantFrom(...BODIES),
      isHead: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
      address: client,
    })
    .map(({ operation: { method, target, takesKey }, suffix, fields, body, isHead, address }) => {
      const takesBody = method !== 'GET';
      const credential = takesKey
        ? `X-API-Key: ${placeholder('key')}`
        : `Authorization: Bearer ${placeholder('token')}`;
      const framing = takesBody ? ['Content-Type: application/json', 'Content-Length: auto'] : [];
      const isFramed = fields.some(isFraming);
      const message = {
        line: `${isHead && !takesBody ? 'HEAD' : method} ${target}${suffix} HTTP/1.1`,
        fields: ['Host: localhost', 'Connection: close', address, credential, ...framing, ...fields],
        body: takesBody ? body : '',
      };
      return {
        kind: 'header fields and body',
        role: isFramed ? 'leaver' : 'steady',
        messages: [message],
        ending: isFramed ? 'nudge' : 'read',
      };
    });
}

/** The outcome of such a request is unknown to its sender, so it counts for an account of its own. */
function brokenOff(whole: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .record({
      one: whole,
      sentShare: fc.double({ min: 0, max: 1, noNaN: true }),
      ending: fc.constantFrom<Case['ending']>('end', 'close', 'reset'),
      writes: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ one, ...how }) => ({ ...one, ...how, kind: 'broken off', role: 'leaver' }));
}

/** The last one closes the connection; an error in the midst of them may close it earlier. */
function pipelined(one: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const keptOpen = (message: Message): Message => ({
    ...message,
    fields: message.fields.filter((text) => text !== 'Connection: close'),
  });
  const endings = fc.constantFrom<Case['ending']>('nudge', 'nudge', 'nudge', 'close', 'reset');
  return fc.tuple(fc.array(one, { minLength: 2, maxLength: MAX_PIPELINED }), endings).map(([cases, ending]) => {
    const messages = cases.flatMap(({ messages: list }) => list);
    const kept = [...messages.slice(0, -1).map(keptOpen), ...messages.slice(-1)];
    return { kind: 'pipelined', role: 'leaver', messages: kept, ending };
  });
}
