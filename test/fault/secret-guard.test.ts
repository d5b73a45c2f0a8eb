// No test run that leaves a secret behind is green.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openTestAccounts, PASSWORD, registered, rejection, someClient } from '../support/account-services.js';
import { ask, newLinkToken, OWN_PAGE } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { secretWatch } from '../support/secret-guard.js';
import { startServer } from '../support/server.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const MOCHA = path('../../../node_modules/mocha/bin/mocha.js');

const expectKnown = (kinds: readonly string[], texts: readonly string[]) =>
  expect(texts.map((text) => secretWatch.knows(text)[0])).to.deep.equal(kinds);

describe('the secrets of a test run', () => {
  it('make the run fail when they are left behind, and are not printed', async () => {
    const child = spawn(
      process.execPath,
      [MOCHA, '--no-config', '--timeout', '30000', path('secret-leak-fixture.js')],
      { env: { PATH: process.env.PATH } },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [status] = (await once(child, 'close')) as [number];
    expect(status, output).to.equal(1);
    expect(output)
      .to.match(/^ +2 passing/m)
      .and.match(/^ +1 failing/m);
    expect(output).to.include('password (raw) in debug.txt, after "a run that leaks leaves a password in a file"');
    expect(output).to.include('session token (raw) in cookies.txt').and.include('session token (raw) in an error');
    expect(output)
      .to.not.include(PASSWORD)
      .and.not.match(/blazon_session=/);
  });

  it('are remembered from what clients send and get', async () => {
    const server = await startServer({
      JWT_SECRET: 'first signing secret of this test run,second signing secret of this test run',
      SMTP_URL: '',
    });
    const register = await fetch(`${server.base}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":"ada@example.com","password":"a p\\u00e4ss phrase of ada"}',
    });
    const { apiKey, accessToken } = (await register.json()) as { apiKey: string; accessToken: string };
    const cookies = register.headers.getSetCookie();
    expectKnown(
      ['password', 'API key', 'access token', 'session token', 'device token', 'signing secret'],
      ['a päss phrase of ada', apiKey, accessToken, ...cookies, 'second signing secret of this test run'],
    );
    await ask(server, '/auth/login', { body: '{"email":"ada@example.com","password":"a wrong pass phrase", broken' });
    const renewed = await ask(server, '/auth/refresh', { cookie: cookies[0]?.split(';')[0] ?? '', headers: OWN_PAGE });
    expectKnown(['password', 'access token'], ['a wrong pass phrase', String(renewed.body.accessToken)]);
    const link = await newLinkToken(server, 'ada@example.com', { purpose: 'verify-email' });
    await server.close();
    expectKnown(['link token'], [link]);
  });

  it('are remembered from arguments and results of services', async () => {
    const parts = await openTestAccounts({ variables: { SMTP_URL: 'smtp://ada:the%20mail%20password@127.0.0.1:1' } });
    const { apiKey, sessionToken, access, deviceToken } = await registered(parts, {
      email: 'ada@example.com',
      password: 'pass phrase for a service',
      client: someClient(),
    });
    expect(await rejection(parts.links.resetPassword('no link', 'pass phrase for nobody', someClient()))).to.equal(
      'invalid_request',
    );
    await parts.close();
    expectKnown(
      [
        'password',
        'password',
        'mail password',
        'API key',
        'session token',
        'access token',
        'device token',
        'signing secret',
      ],
      [
        'pass phrase for a service',
        'pass phrase for nobody',
        'the mail password',
        apiKey,
        sessionToken,
        access.token,
        deviceToken,
        parts.linkSecrets[0],
      ],
    );
  });

  it('are remembered from the output of commands', async () => {
    const server = await startServer();
    const { stdout } = await runCli('account', ['create', 'ada@example.com', '--json'], { DATA_DIR: server.dataDir });
    await server.close();
    const { apiKey, resetLink } = JSON.parse(stdout) as { apiKey: string; resetLink: { address: string } };
    expectKnown(['API key', 'link token'], [apiKey, resetLink.address]);
  });
});
