// The watch over secrets sees each kind wherever it may be planted, and says nothing where it belongs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createAccessTokens } from '../../../src/services/accounts/access-tokens.js';
import { openDatabase } from '../../../src/adapters/embedded/sqlite/database.js';
import type { AccountId } from '../../../src/domain/account/account.js';
import { newApiKey } from '../../../src/domain/account/api-key.js';
import { renewedDevice } from '../../../src/domain/account/trusted-device.js';
import { linkToken, newLink } from '../../../src/domain/account/email-link.js';
import { newSession, type SessionId } from '../../../src/domain/account/session.js';
import {
  secretsOfBody,
  secretsOfMail,
  secretsOfValue,
  tokensIn,
  type SecretKind,
} from '../../support/secret-shapes.js';
import { openSecretWatch, type SecretWatch } from '../../support/secret-watch.js';

const ID = 'AccountId012' as AccountId;
const AT = new Date();
const SECRET = 'a secret that signs what this service signs';
const DEVICE_HOLDER = {
  account: { id: ID, password: { hash: '', version: 1, changedAt: AT } },
  at: AT,
};

/** One of each, as it would appear. */
const SAMPLES: Readonly<Record<SecretKind, string>> = {
  password: 'ada\'s "pass/phrase" + für mich',
  'API key': newApiKey(ID).raw,
  'access token': createAccessTokens({ secrets: [SECRET], issuer: 'https://icons.example', now: Date.now }).issue(
    { accountId: ID, sessionId: 'session' as SessionId },
    new Date(Date.now() + 900_000),
  ).token,
  'session token': newSession(ID, { userAgent: null, address: null }, AT).token,
  'device token': renewedDevice(undefined, DEVICE_HOLDER, [SECRET]),
  'link token': linkToken(ID, newLink('reset-password', AT), SECRET),
  'signing secret': SECRET,
  'mail password': 'the password of the mail server',
};
const KINDS = Object.keys(SAMPLES) as SecretKind[];
const TOKENS = KINDS.filter((kind) => /key|token/.test(kind));

describe('the watch over secrets', () => {
  let watch: SecretWatch;
  let folder: string;
  beforeEach(() => {
    watch = openSecretWatch();
    // Not one of those that the run itself searches: what is planted here is no failure.
    folder = mkdtempSync(join(tmpdir(), 'blazon-planted-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, content: string, mode = 0o600): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), mode);
  }
  const learn = (kind: SecretKind) =>
    watch.remember(TOKENS.includes(kind) ? tokensIn(SAMPLES[kind]) : [{ kind, value: SAMPLES[kind] }]);
  function expectFound(kind: SecretKind, place: string): void {
    const findings = watch.findings();
    expect(
      findings.some((line) => line.startsWith(`${kind} (`) && line.includes(` in ${place}`)),
      `${kind} in ${place}: ${findings.join('; ')}`,
    ).to.equal(true);
    expect(findings.join()).to.not.include(SAMPLES[kind]).and.not.include(SAMPLES[kind].slice(-20));
  }

  for (const kind of KINDS)
    it(`finds a planted ${kind} in texts, in files of whatever form, and in a database that has deleted it`, () => {
      const secret = SAMPLES[kind];
      learn(kind);
      watch.inspectText('the log', `{"level":30,"msg":${JSON.stringify(`said ${secret} aloud`)}}\n`);
      watch.inspectShown('the output', `known is ${secret}\n`);
      write('plain.txt', `x${secret}`);
      write('below/encoded.txt', Buffer.from(`for ${secret}`).toString('base64'));
      const db = openDatabase(folder);
      db.exec('CREATE TABLE audit (detail TEXT) STRICT');
      db.prepare('INSERT INTO audit VALUES (?)').run(JSON.stringify({ detail: secret }));
      db.exec('DELETE FROM audit');
      watch.inspectOpenDatabase(folder);
      expectFound(kind, 'blazon.sqlite-wal');
      db.close();
      watch.inspectFolder(folder);
      for (const place of ['the log', 'the output', 'plain.txt', 'below/encoded.txt', 'blazon.sqlite'])
        expectFound(kind, place);
    });

  it('needs no memory for a key and an access token', () => {
    for (const kind of ['API key', 'access token'] as const) {
      write(`${kind}.txt`, `text ${SAMPLES[kind]} text`);
      watch.inspectFolder(folder);
      expectFound(kind, `${kind}.txt`);
    }
    const mistyped = SAMPLES['API key'].slice(0, -1) + (SAMPLES['API key'].endsWith('0') ? '1' : '0');
    const other = openSecretWatch();
    other.inspectText(
      'the log',
      `${mistyped} eyJ.eyJ.x blz_ ${'blz_'.repeat(30)} ${SAMPLES['access token'].slice(10)}`,
    );
    expect(other.findings()).to.deep.equal([]);
  });

  it('finds nothing where nothing is, nor where a secret belongs', () => {
    for (const kind of KINDS) learn(kind);
    write('jwt-secret', SAMPLES['signing secret']);
    write('outbox/one.eml', `Follow https://icons.example/reset-password#token=${SAMPLES['link token']}`);
    write('notes.txt', `${ID} ada@example.com ${SAMPLES['API key'].slice(-4)}`);
    watch.inspectFolder(folder);
    watch.inspectText('the log', 'nothing here');
    expect(watch.findings()).to.deep.equal([]);
  });

  it('does not take a place for allowed that others may read, or another secret for that which belongs there', () => {
    for (const kind of KINDS) learn(kind);
    write('jwt-secret', SAMPLES['signing secret'], 0o644);
    write('outbox/one.eml', `Your key: ${SAMPLES['API key']}`);
    watch.inspectFolder(folder);
    expectFound('signing secret', 'jwt-secret, which others may read');
    expectFound('API key', 'outbox/one.eml');
  });

  it('looks only at what a database does not share with the catalog it is a copy of', () => {
    learn('password');
    const page = (text: string) => text.padEnd(4096, '.');
    const shared = page(SAMPLES.password);
    write('original/blazon.sqlite', shared + page('catalog'));
    write('copies/blazon.sqlite', shared + page('catalog'));
    watch.knowCatalog(join(folder, 'original'));
    watch.inspectFolder(join(folder, 'copies'));
    expect(watch.findings()).to.deep.equal([]);
    write('copies/blazon.sqlite', shared + page(`x${SAMPLES.password}`));
    watch.inspectFolder(join(folder, 'copies'));
    expectFound('password', 'blazon.sqlite');
  });
});

it('secrets are recognized wherever they come along', () => {
  const text = TOKENS.map((kind) => `${kind}=${SAMPLES[kind]}; `).join('');
  expect(tokensIn(text).map(({ kind }) => kind)).to.have.members(TOKENS);
  expect(secretsOfMail(text).map(({ kind }) => kind)).to.deep.equal(['link token']);
  const passwords = { password: SAMPLES.password, newPassword: 'another pass phrase', currentPassword: 'one more' };
  const body = JSON.stringify({ ...passwords, email: 'ada@example.com', apiKey: SAMPLES['API key'] });
  for (const sent of [body, `${body.slice(0, -1)}, "broken`])
    expect(secretsOfBody(sent).map(({ kind }) => kind)).to.deep.equal(['password', 'password', 'password', 'API key']);
  expect(secretsOfBody(body)[0]?.value).to.equal(SAMPLES.password);
  expect(secretsOfBody('{"newPassword":"ada@example.com"}'), 'an address').to.deep.equal([]);
  const account = { password: { hash: 'x', version: 1 } };
  const value = { given: [{ password: SAMPLES.password }, SAMPLES['link token']], at: AT, account };
  expect(secretsOfValue(value).map(({ kind }) => kind)).to.deep.equal(['password', 'link token']);
});
