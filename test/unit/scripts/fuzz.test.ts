// A trial that cannot fail proves nothing: each of its rules, against a service that breaks it.
import { expect } from 'chai';
import pLimit from 'p-limit';
import { derivedDocuments } from '../../../scripts/derived-documents.js';
import { filled, placeholder, sentBytes, type Case } from '../../../scripts/fuzz/case.js';
import { caseGenerator } from '../../../scripts/fuzz/cases.js';
import { readOperations } from '../../../scripts/fuzz/document.js';
import { collectFindings, findingLines } from '../../../scripts/fuzz/findings.js';
import type { Violation } from '../../../scripts/fuzz/oracles.js';
import { runTrial, type Report } from '../../../scripts/fuzz/run.js';
import { knownSecrets } from '../../../scripts/fuzz/secrets.js';
import { FAULTS, startFaultyService, type Fault } from '../../support/faulty-service.js';

const RULE_OF: Readonly<Record<Fault, Violation['rule']>> = {
  'answers 500': 'server error',
  'is busy without Retry-After': 'server error',
  hangs: 'hang',
  'closes without an answer': 'no answer',
  'answers bytes that are no HTTP': 'not HTTP',
  'answers a large error': 'large error',
  'answers HTML': 'error shape',
  'caches errors': 'error shape',
  'answers an unknown code': 'error code',
  'answers a code with another status': 'error code',
  'sends a body to HEAD': 'body to HEAD',
  'repeats the key': 'secret in an answer',
  'counts too much': 'metering',
  'logs the key': 'secret in the log',
  'logs an error': 'error in the log',
  'writes to stderr': 'error in the log',
  'stops listening': 'unfinished',
  'is not ready': 'not alive',
  'takes too much memory': 'memory',
  'ends with 1': 'not ended',
  'does not end': 'not ended',
};

const REQUESTS = 250;

async function trialOf(fault?: Fault): Promise<Report> {
  const service = await startFaultyService(fault);
  try {
    const deadlineMs = fault === 'hangs' ? 100 : 10_000;
    return await runTrial(service, { seed: 1, requests: REQUESTS, deadlineMs, maxMemoryMb: 500, maxRunMs: 60_000 });
  } finally {
    service.remove();
  }
}

describe('a fuzz trial', () => {
  /** Some at once: most of their time they wait for what a faulty service does not do. */
  const atOnce = pLimit(5);
  const trials = new Map<Fault | undefined, Promise<Report>>();

  before(() => {
    for (const fault of [undefined, ...FAULTS]) {
      const trial = atOnce(() => trialOf(fault));
      trial.catch(() => undefined);
      trials.set(fault, trial);
    }
  });

  it('finds nothing in a service that keeps every rule', async () => {
    const { sent, findings } = (await trials.get(undefined))!;
    expect(findingLines(findings, 1)).to.deep.equal([]);
    expect(sent).to.equal(REQUESTS);
  });

  for (const fault of FAULTS) {
    it(`finds a service that ${fault}`, async () => {
      const { findings } = (await trials.get(fault))!;
      expect(findings.map(({ rule }) => rule)).to.include(RULE_OF[fault]);
    });
  }
});

describe('the cases of a fuzz trial', () => {
  it('are the same for the same seed and index, in any order', () => {
    const operations = readOperations(JSON.parse(derivedDocuments()['openapi.json']!));
    const [first, second, other] = [
      caseGenerator(operations, 7),
      caseGenerator(operations, 7),
      caseGenerator(operations, 8),
    ];
    const indexes = Array.from({ length: 200 }, (_, index) => index);
    const cases = indexes.map((index) => first.at(index));
    expect(indexes.toReversed().map((index) => second.at(index))).to.deep.equal(cases.toReversed());
    expect(indexes.map((index) => other.at(index))).to.not.deep.equal(cases);
    expect(new Set(cases.map(({ kind }) => kind)).size).to.be.above(10);
  });

  it('hold credentials in the place of their names, and count the body after that', () => {
    const key = placeholder('key');
    const message = { line: 'POST / HTTP/1.1', fields: [`X-API-Key: ${key}`, 'Content-Length: auto'], body: key };
    const credentials = { key: 'blz_0123', token: 't', session: 's', device: 'd' };
    expect(
      sentBytes({ kind: 'test', role: 'steady', ending: 'read', messages: [message] }, (text) =>
        filled(text, credentials),
      ),
    ).to.equal('POST / HTTP/1.1\r\nX-API-Key: blz_0123\r\nContent-Length: 8\r\n\r\nblz_0123');
  });
});

describe('the findings of a fuzz trial', () => {
  const one: Case = {
    kind: 'test',
    role: 'steady',
    ending: 'read',
    messages: [
      { line: 'GET /bad HTTP/1.1', fields: ['Host: a', 'X-Bad: \x01', `X-API-Key: ${placeholder('key')}`], body: '' },
    ],
  };

  it('are reported once each, with the bytes and how to send them again, and no more than twenty', () => {
    const findings = collectFindings();
    for (const index of [3, 4]) findings.add({ rule: 'hang', text: 'was not answered' }, { index, case: one });
    for (let number = 0; number < 30; number++)
      findings.add({ rule: 'metering', text: String.fromCharCode(97 + number) });
    const lines = findingLines(findings.list(), 9);
    expect(lines[0]).to.equal(
      'hang: was not answered (2 times)\n  test, then read; npm run fuzz -- --seed 9 --index 3\n  "GET /bad HTTP/1.1\\r\\nHost: a\\r\\nX-Bad: \\u0001\\r\\nX-API-Key: {key}\\r\\n\\r\\n"',
    );
    expect(lines).to.have.length(21);
    expect(lines.at(-1)).to.equal('… and 11 more');
  });

  it('name a secret in whatever form it appears', () => {
    const secrets = knownSecrets();
    secrets.add('password', 'a "pass" phrase');
    for (const text of [
      '{"p":"a \\"pass\\" phrase"}',
      '?p=a%20%22pass%22%20phrase',
      '?p=a+%22pass%22+phrase',
      Buffer.from('a "pass" phrase').toString('base64'),
    ]) {
      expect(secrets.find(`before ${text} after`)).to.deep.equal(['password']);
    }
    expect(secrets.find('a "pass"')).to.deep.equal([]);
  });
});
