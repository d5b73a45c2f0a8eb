// A trial that cannot fail proves nothing: each of its rules, against a service that breaks it.
import { expect } from 'chai';
import pLimit from 'p-limit';
import { derivedDocuments } from '../../../scripts/derived-documents.js';
import { filled, messageBytes, percentEncoded, placeholder, utf8Bytes, type Case } from '../../../scripts/fuzz/case.js';
import { caseGenerator } from '../../../scripts/fuzz/cases.js';
import { readApi } from '../../../scripts/fuzz/document.js';
import { collectFindings, findingLines } from '../../../scripts/fuzz/findings.js';
import type { Rule } from '../../../scripts/fuzz/oracles.js';
import { runTrial, type Report } from '../../../scripts/fuzz/run.js';
import { knownSecrets } from '../../../scripts/fuzz/secrets.js';
import { shrink } from '../../../scripts/fuzz/shrink.js';
import { FAULTS, startFaultyService, type Fault } from '../../support/faulty-service.js';

const RULE_OF: Readonly<Record<Fault, Rule>> = {
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
  'answers an undocumented status': 'undocumented status',
  'sends a body to HEAD': 'body to HEAD',
  'repeats the key': 'secret in an answer',
  'accepts everything': 'accepted',
  'counts too much': 'metering',
  'logs the key': 'secret in the log',
  'logs an error': 'error in the log',
  'writes to stderr': 'error in the log',
  'keeps connections': 'kept connection',
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
    const api = readApi(JSON.parse(derivedDocuments()['openapi.json']!));
    const [first, second, other] = [caseGenerator(api, 7), caseGenerator(api, 7), caseGenerator(api, 8)];
    const indexes = Array.from({ length: 200 }, (_, index) => index);
    const cases = indexes.map((index) => first.at(index));
    expect(indexes.toReversed().map((index) => second.at(index))).to.deep.equal(cases.toReversed());
    expect(indexes.map((index) => other.at(index))).to.not.deep.equal(cases);
    expect(new Set(cases.map(({ kind }) => kind)).size).to.be.above(15);
  });

  it('put credentials in the place of their names, whole or forged', () => {
    const credentials = { key: 'blz_0123', token: 't', session: 's', device: 'd', password: 'p', email: 'e' };
    const forged = (['replace', 'delete', 'insert', 'double', 'truncate', 'flip-case'] as const).map((forgery) =>
      filled(placeholder('key', { forgery, share: 0.25 }), credentials),
    );
    expect(filled(`X-API-Key: ${placeholder('key')}`, credentials)).to.equal('X-API-Key: blz_0123');
    expect(forged).to.deep.equal(['blA_0123', 'bl_0123', 'blxz_0123', 'blz_0123blz_0123', 'bl', 'blZ_0123']);
  });

  it('are bytes, placeholders apart', () => {
    const key = placeholder('key');
    expect(utf8Bytes(`é\ud800${key}`)).to.equal(`\xc3\xa9\xed\xa0\x80${key}`);
    expect(percentEncoded(`a é/${key}`)).to.equal(`a%20%c3%a9%2f${key}`);
    expect(
      messageBytes({ line: 'POST / HTTP/1.1', fields: ['Content-Length: auto'], body: key }, () => 'four'),
    ).to.equal('four\r\nfour\r\n\r\nfour');
    expect(
      messageBytes({ line: 'POST / HTTP/1.1', fields: ['Content-Length: auto'], body: 'four' }, (text) => text),
    ).to.equal('POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nfour');
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

  it('are shrunk to what matters', async () => {
    const smallest = await shrink(one, async ({ messages }) =>
      messages[0]!.fields.some((field) => field.startsWith('X-Bad')),
    );
    expect(smallest.messages[0]!.fields).to.deep.equal(['X-Bad: \x01']);
  });

  it('are reported once each, with the bytes and how to send them again, and no more than twenty', () => {
    const findings = collectFindings();
    for (const index of [3, 4]) findings.add({ rule: 'hang', text: 'was not answered' }, { index, case: one });
    for (let number = 0; number < 30; number++)
      findings.add({ rule: 'metering', text: String.fromCharCode(97 + number) });
    const lines = findingLines(findings.list(), 9);
    expect(lines[0]).to.equal(
      'hang: was not answered (2 times)\n  test, then read; npm run fuzz -- --seed 9 --index 3\n  "GET /bad HTTP/1.1\\r\\nHost: a\\r\\nX-Bad: \\x01\\r\\nX-API-Key: {key}\\r\\n\\r\\n"',
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
