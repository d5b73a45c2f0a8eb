// The rules of a fuzz trial, each with an answer that breaks it: a trial that cannot fail proves nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { derivedDocuments } from '../../../scripts/derived-documents.js';
import { readAnswers } from '../../../scripts/fuzz/answers.js';
import { placeholder, type Case } from '../../../scripts/fuzz/case.js';
import { casesOf } from '../../../scripts/fuzz/cases.js';
import type { Exchange } from '../../../scripts/fuzz/exchange.js';
import { collectFindings, findingLines } from '../../../scripts/fuzz/findings.js';
import { errorOutputViolations, logViolations } from '../../../scripts/fuzz/log-check.js';
import { readOperations } from '../../../scripts/fuzz/operations.js';
import { violationsOf, type Violation } from '../../../scripts/fuzz/oracles.js';
import { usageTally } from '../../../scripts/fuzz/usage.js';
import { openSecretSearch } from '../../../scripts/secret-search.js';
import { BUCKETS } from '../../../src/domain/metering/plan.js';
import { temporaryDir } from '../../support/temporary.js';

const SECRET = 'a-key-that-nobody-else-has';
const ERROR_FIELDS = [
  'Content-Type: application/json; charset=utf-8',
  'Cache-Control: no-store',
  'X-Request-Id: some-request',
  'Retry-After: 1',
];

function answer(status: number, body: string, fields: readonly string[] = ERROR_FIELDS): string {
  return `HTTP/1.1 ${status} X\r\n${[...fields, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}
const error = (code: string, message = 'no'): string => JSON.stringify({ error: code, message });
const without = (name: string): string[] => ERROR_FIELDS.filter((field) => !field.startsWith(name));

const caseOf = (method = 'GET'): Case => ({
  kind: 'test',
  role: 'steady',
  ending: 'read',
  messages: [{ line: `${method} /v1/svg/github HTTP/1.1`, fields: ['Host: a', `X-API-Key: ${SECRET}`], body: '' }],
});

/** The rules that these bytes break, as the whole answer of a connection that was closed after them. */
function broken(bytes: string, { method = 'GET', timedOut = false } = {}): Violation['rule'][] {
  const read = readAnswers(Buffer.from(bytes, 'latin1'), [method], true);
  const exchange: Exchange = { ...read, hasEnded: !timedOut, timedOut, refused: false };
  const secrets = openSecretSearch();
  secrets.add('key', SECRET);
  return violationsOf(caseOf(method), exchange, { secrets, fill: (text) => text }).map(({ rule }) => rule);
}

describe('a fuzz trial', () => {
  it('finds nothing in answers that keep every rule', () => {
    expect(broken(answer(200, '{"svg":true}'))).to.deep.equal([]);
    expect(broken(answer(200, `you sent ${SECRET}`))).to.deep.equal([]);
    expect(broken(answer(400, error('invalid_request')))).to.deep.equal([]);
    expect(broken(answer(429, error('quota_exceeded')))).to.deep.equal([]);
    expect(broken(answer(401, '').replace('Length: 0', 'Length: 40'), { method: 'HEAD' })).to.deep.equal([]);
  });

  const FAULTS: readonly (readonly [what: string, Violation['rule'], string, { method?: string; timedOut?: true }?])[] =
    [
      ['500', 'server error', answer(500, error('internal_error'))],
      ['503 without Retry-After', 'server error', answer(503, error('busy'), without('Retry-After'))],
      ['429 without Retry-After', 'error shape', answer(429, error('quota_exceeded'), without('Retry-After'))],
      ['no answer in time', 'hang', '', { timedOut: true }],
      ['a closed connection', 'no answer', ''],
      ['bytes that are no HTTP', 'not HTTP', 'what?\r\n\r\n'],
      ['bytes after an answer', 'not HTTP', `${answer(200, '{}')}more`],
      ['a large error', 'large error', answer(400, error('invalid_request', 'x'.repeat(9000)))],
      ['an error as HTML', 'error shape', answer(400, '<h1>no</h1>', ['Content-Type: text/html', ...ERROR_FIELDS])],
      ['an error that is cached', 'error shape', answer(400, error('invalid_request'), without('Cache-Control'))],
      ['an error without an id', 'error shape', answer(400, error('invalid_request'), without('X-Request-Id'))],
      ['an error of another shape', 'error shape', answer(400, '{"error":"invalid_request"}')],
      ['an unknown code', 'error code', answer(400, error('bad_luck'))],
      ['a code with another status', 'error code', answer(400, error('gone'))],
      ['a body to HEAD', 'body to HEAD', answer(400, '{}'), { method: 'HEAD' }],
      ['an error that repeats the key', 'secret in an answer', answer(400, error('invalid_request', SECRET))],
    ];
  for (const [what, rule, bytes, options] of FAULTS)
    it(`finds ${what}`, () => expect(broken(bytes, options)).to.include(rule));

  it('finds errors and secrets in the log and on stderr', async () => {
    const { path, remove } = temporaryDir();
    const [log, errors] = [join(path, 'log'), join(path, 'errors')];
    const lines = ['{"level":"info","msg":"started"}', '{"level":"error","msg":"failed","requestId":"fuzz-case-7"}'];
    writeFileSync(log, [...lines, `{"level":"info","key":"${SECRET}"}`].join('\n'));
    writeFileSync(errors, '(node:1) Warning: something is wrong\n');
    const secrets = openSecretSearch();
    secrets.add('key', SECRET);
    const found = [];
    for await (const violation of logViolations(log, secrets)) found.push(violation);
    for await (const violation of errorOutputViolations(errors, secrets)) found.push(violation);
    expect(found).to.have.length(3);
    expect(found[0]).to.include({ rule: 'error in the log', index: 7 });
    expect(found[1]).to.include({ rule: 'secret in the log', text: 'key, in key of ""' });
    expect(found[2]).to.include({ rule: 'error in the log' });
    remove();
  });

  it('finds usage that differs from the answers', () => {
    const [given] = readAnswers(Buffer.from(answer(200, '{}')), ['GET'], true).answers;
    const usage = (svg: number) => ({
      date: new Date().toISOString().slice(0, 10),
      endpoints: Object.fromEntries(BUCKETS.map((bucket) => [bucket, { used: bucket === 'svg' ? svg : 0 }])),
    });
    const tally = usageTally();
    for (let count = 0; count < 3; count++) tally.add('GET /v1/svg/github HTTP/1.1', given);
    expect(tally.compare(usage(3))).to.deep.equal([]);
    expect(tally.compare(usage(4))).to.deep.equal(['svg: 4 counted, 3 given, 0 unknown']);
    tally.add('GET /v1/svg/github HTTP/1.1', undefined);
    expect(tally.compare(usage(4))).to.deep.equal([]);
    expect(tally.compare(usage(2))).to.have.length(1);
  });

  it('has the same cases for the same seed and index, in any order', () => {
    const operations = readOperations(JSON.parse(derivedDocuments()['openapi.json']!));
    const [first, second, other] = [7, 7, 8].map((seed) => casesOf(operations, seed));
    const indexes = Array.from({ length: 200 }, (_, index) => index);
    const cases = indexes.map((index) => first!(index));
    expect(indexes.toReversed().map((index) => second!(index))).to.deep.equal(cases.toReversed());
    expect(indexes.map((index) => other!(index))).to.not.deep.equal(cases);
    expect(new Set(cases.map(({ kind }) => kind)).size).to.be.above(10);
  });

  it('reports a defect once, with the bytes and how to send them again, and no more than twenty', () => {
    const findings = collectFindings();
    const fields = ['X-Bad: \x01', `X-API-Key: ${placeholder('key')}`];
    const one: Case = { ...caseOf(), messages: [{ line: 'GET /bad HTTP/1.1', fields, body: '' }] };
    for (const index of [3, 4]) findings.add({ rule: 'hang', text: 'was not answered' }, { index, case: one });
    for (let number = 0; number < 30; number++)
      findings.add({ rule: 'metering', text: String.fromCharCode(97 + number) });
    const lines = findingLines(findings.list(), 9);
    expect(lines[0]).to.equal(
      'hang: was not answered (2 times)\n  test, then read; npm run fuzz -- --seed 9 --index 3\n' +
        '  "GET /bad HTTP/1.1\\r\\nX-Bad: \\u0001\\r\\nX-API-Key: {key}\\r\\n\\r\\n"',
    );
    expect(lines).to.have.length(21);
    expect(lines.at(-1)).to.equal('… and 11 more');
  });
});
