// Removal of secrets from the log.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { newApiKey } from '../../src/accounts/api-key.js';
import type { AccountId } from '../../src/accounts/account.js';
import { linkToken } from '../../src/accounts/email-link.js';
import { newSession } from '../../src/accounts/session.js';
import { createLog, redacted } from '../../src/platform/log.js';

const ACCOUNT = 'AccountId012' as AccountId;
const KEY = newApiKey(ACCOUNT).raw;

const SECRETS: Readonly<Record<string, string>> = {
  'API key': KEY,
  'API key, escaped': KEY.replace('_', '%5F'),
  'API key, lower case': KEY.toLowerCase(),
  'API key, cut off': KEY.slice(0, 30),
  'publishable key': KEY.replace('blz_', 'blzp_'),
  'access token': jwt.sign({ sid: 'p3VnX0wQ7sLk2RtY' }, 'x'.repeat(32), { subject: ACCOUNT, expiresIn: 900 }),
  'session token': newSession(ACCOUNT, { userAgent: null, address: null }, new Date()).token,
  'link token': linkToken(ACCOUNT, { purpose: 'verify-email', nonce: 'p3VnX0wQ7sLk2RtY' }, 'x'.repeat(32)),
  'device token': `p3VnX0wQ7sLk2RtY${Date.now().toString(36)}.${randomBytes(32).toString('base64url')}`,
  hash: randomBytes(32).toString('hex'),
};

/**
 * Returns the last characters of a secret. They are random, so the log contains them only if it contains the secret.
 */
const endOf = (secret: string) => secret.slice(-20);

function written(act: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  act(createLog({ LOG_LEVEL: 'trace' }, { write: (line) => void lines.push(line) }));
  expect(lines).to.have.length(1);
  // Throws if the line is not valid JSON after secrets are removed.
  JSON.parse(lines[0]!);
  return lines[0]!;
}

class WithInput extends Error {
  constructor(
    message: string,
    readonly input: string,
  ) {
    super(message);
  }
}

describe('the log', () => {
  for (const [what, secret] of Object.entries(SECRETS)) {
    it(`contains no ${what}, in any place`, () => {
      const deep = new Error('outermost', { cause: new Error('middle', { cause: new Error(`innermost ${secret}`) }) });
      const renamed = new Error('well');
      renamed.stack = `Error: well\n    at ${secret} (file.js:1:1)`;
      for (const text of [
        written((log) => log.error(secret)),
        written((log) => log.error(`before${what === 'API key, cut off' ? ' ' : '/'}${secret}"\\after`)),
        written((log) => log.error({ err: new Error(`no ${secret}`) }, 'failed')),
        written((log) => log.error(new Error(secret))),
        written((log) => log.error({ err: deep }, 'failed')),
        written((log) => log.error({ err: renamed }, 'failed')),
        written((log) => log.error({ err: new AggregateError([new Error(secret)], 'several') }, 'failed')),
        written((log) => log.error({ err: secret }, 'failed')),
        written((log) => log.error({ err: new WithInput('failed', `x ${secret}`) }, 'failed')),
        written((log) => log.info({ a: { b: [{ c: secret }] }, [secret]: 1 }, 'nested')),
        written((log) => log.child({ token: secret }).debug('of a child')),
        written((log) =>
          log.warn(
            { headers: { cookie: `a=b; __Host-blazon_session=${secret}; c=d`, authorization: `Bearer ${secret}` } },
            'headers',
          ),
        ),
      ]) {
        expect(text).to.not.include(endOf(secret));
      }
    });
  }

  it('contains no URL of a request from an error', () => {
    const text = written((log) =>
      log.error({ err: new WithInput('Invalid URL: //a@[/private?x=secret', '//a@[/private?x=secret') }, 'failed'),
    );
    expect(text).to.not.include('secret').and.not.include('a@').and.not.include('"input"');
    expect(redacted('{"url":"smtp://user:pass word@mail.example/?a=1&b=2"}')).to.not.include('a=1');
    expect(redacted('connect smtp://user:secret@mail.example:25')).to.equal('connect smtp://…@mail.example:25');
  });

  it('contains no cookie, with or without a port in its name', () => {
    for (const name of ['blazon_session', '__Host-blazon_device', 'blazon_session_3000', '__Host-blazon_device_8443'])
      expect(redacted(`"cookie":"a=b; ${name}=brief; c=d"`)).to.equal(`"cookie":"a=b; ${name}=…; c=d"`);
  });

  it('keeps useful facts: type, message, stack, code, causes and ids', () => {
    const error = Object.assign(new TypeError('not a function', { cause: new Error('the reason') }), { code: 'ERR_X' });
    const line = JSON.parse(
      written((log) =>
        log.error(
          { err: error, requestId: '0b8c6f5e-93a1-4f0e-9f3e-2b7b7e7f1c11', path: '/v1/svg/github' },
          'request failed',
        ),
      ),
    ) as Record<string, unknown>;
    expect(line).to.deep.include({
      level: 'error',
      msg: 'request failed',
      requestId: '0b8c6f5e-93a1-4f0e-9f3e-2b7b7e7f1c11',
      path: '/v1/svg/github',
    });
    expect(line.time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line.err).to.include({ type: 'TypeError', code: 'ERR_X' });
    expect(line.err).to.have.property('message').that.includes('not a function').and.includes('the reason');
    expect(line.err)
      .to.have.property('stack')
      .that.matches(/at .*log\.test\.js/);
  });

  it('writes every line to a pipe in order, including the last lines before the end', async () => {
    const program = `
      import { createLog } from ${JSON.stringify(new URL('../../src/platform/log.js', import.meta.url).href)};
      const log = createLog({ LOG_LEVEL: 'info' });
      for (let count = 0; count < 5000; count++) log.info({ count }, 'a line of the log');
      process.stdin.once('data', () => { log.info('the last one'); process.exit(); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += String(chunk);
      if (output.includes('"count":4999') && !child.stdin.writableEnded) child.stdin.end('all read');
    }
    const lines = output.trim().split('\n');
    expect(lines).to.have.length(5001);
    expect(lines.slice(0, 5000).map((line) => (JSON.parse(line) as { count: number }).count)).to.deep.equal(
      Array.from({ length: 5000 }, (_, count) => count),
    );
    expect(lines.at(-1)).to.include('the last one');
  });
});
