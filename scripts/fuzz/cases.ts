// The cases of a run: each a function of seed and index alone, so that any one of them can be sent again.
import fc from 'fast-check';
import { REQUEST_ID, type Case, type Role } from './case.js';
import type { Api, Operation } from './document.js';
import { caseOf, goodDraft } from './draft.js';
import { mutationsOf } from './mutations.js';
import { WIRE_CASES } from './wire-cases.js';

const MAX_PIPELINED = 20;
const MAX_FURTHER_MUTATIONS = 2;

export interface CaseGenerator {
  at(index: number): Case;
}

/** Throws when the document has no operation. */
export function caseGenerator({ operations, origin }: Api, seed: number): CaseGenerator {
  const perOperation = fc.oneof(...operations.map((operation) => operationCase(operation, origin)));
  const arbitrary = fc.oneof(
    { weight: 70, arbitrary: perOperation },
    ...WIRE_CASES,
    { weight: 3, arbitrary: brokenOff(perOperation) },
    { weight: 2, arbitrary: inPieces(perOperation) },
    { weight: 3, arbitrary: pipelined(perOperation) },
  );
  return {
    at(index) {
      const [first] = fc.sample(arbitrary, { seed: mixed(seed, index), numRuns: 1 });
      if (!first) throw new Error('nothing was generated');
      return withRequestId(first, index);
    },
  };
}

/** Neighboring seeds and indexes must not give the same cases. */
function mixed(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** By which the lines of a log are traced back to it. */
function withRequestId(one: Case, index: number): Case {
  const messages = one.messages.map((message) => {
    const hasOne = message.fields.length === 0 || message.fields.some((field) => /^x-request-id:/i.test(field));
    return hasOne ? message : { ...message, fields: [...message.fields, `X-Request-Id: ${REQUEST_ID}${index}`] };
  });
  return { ...one, messages };
}

const client = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => `10.${bytes.join('.')}`);

function operationCase(operation: Operation, origin: string): fc.Arbitrary<Case> {
  const mutations = fc.oneof(
    ...mutationsOf(operation).map(({ name, weight, mutation }) => ({
      weight,
      arbitrary: mutation.map((change) => ({ name, change })),
    })),
  );
  const further = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(mutations, { minLength: 1, maxLength: MAX_FURTHER_MUTATIONS }) },
  );
  return fc.tuple(goodDraft(operation, origin), mutations, further, client).map(([draft, first, others, address]) =>
    caseOf(
      [first, ...others].reduce((changed, { change }) => change(changed), draft),
      { kind: first.name, client: address },
    ),
  );
}

/** What becomes of such a request is not known to its sender, so it counts for an account of its own. */
function asLeaver(role: Role): Role {
  return role === 'steady' || role === 'free' ? 'leaver' : role;
}

function brokenOff(whole: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(
      whole,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom<Case['ending']>('end', 'end', 'close', 'reset', 'reset', 'hold'),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([one, sentShare, ending, writes]) => ({
      kind: 'broken off',
      role: asLeaver(one.role),
      messages: one.messages,
      sentShare: ending === 'hold' ? Math.min(0.95, sentShare) : sentShare,
      writes,
      ending,
    }));
}

function inPieces(whole: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(whole, fc.integer({ min: 2, max: 12 }))
    .map(([one, writes]) => ({ ...one, kind: 'in pieces', writes }));
}

/** The last one closes the connection; an error in the midst of them may close it earlier. */
function pipelined(one: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(
      fc.array(one, { minLength: 2, maxLength: MAX_PIPELINED }),
      fc.constantFrom<Case['ending']>('nudge', 'nudge', 'nudge', 'close', 'reset'),
    )
    .map(([cases, ending]) => {
      const messages = cases.flatMap(({ messages: list }) => list);
      const kept = messages.map((message, index) =>
        index === messages.length - 1
          ? message
          : { ...message, fields: message.fields.filter((field) => field !== 'Connection: close') },
      );
      return {
        kind: 'pipelined',
        role: cases.every(({ role }) => asLeaver(role) === 'leaver') ? 'leaver' : 'expendable',
        messages: kept,
        ending,
      };
    });
}
