// The receivers of docs/webhooks.md, with exactly the code that is printed there.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '../../scripts/server-process.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from } from '../support/auth.js';
import { suiteServer } from '../support/server.js';
import { temporaryDir } from '../support/temporary.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDE = readFileSync(`${ROOT}docs/webhooks.md`, 'utf8');

function codeOf(language: string): string {
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1];
  if (code === undefined) throw new Error(`docs/webhooks.md has no ${language}`);
  return code;
}

const folder = temporaryDir();
const RECEIVERS = [
  { language: 'js', file: `${ROOT}dist/test/webhooks/receiver-of-docs.mjs`, program: process.execPath },
  { language: 'python', file: `${folder.path}/receiver.py`, program: 'python3' },
] as const;
const ports = await Promise.all(RECEIVERS.map(() => freePort()));
const origins = ports.map((port) => `http://127.0.0.1:${port}`);

describe('receivers of docs/webhooks.md', () => {
  const server = suiteServer({ TRUST_PROXY: '1', WEBHOOK_ORIGINS: origins.join(',') });
  const running: ChildProcess[] = [];
  before(() => server.service.startJobs());
  after(() => {
    running.forEach((one) => one.kill('SIGKILL'));
    folder.remove();
  });

  RECEIVERS.forEach(({ language, file, program }, index) => {
    it(`verify events in ${language}, and events that curl sends`, async () => {
      const customer = await server.customer('free');
      const send = (path: string, body: object) =>
        ask(server, path, { bearer: customer.accessToken, headers: from(), body });
      const added = await send('/auth/webhooks', { url: `${origins[index]}/`, kinds: ['key.regenerated'] });
      const { secret } = added.body as { secret: string };
      writeFileSync(file, codeOf(language));
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(ports[index]) };
      const child = spawn(program, [file], { env });
      running.push(child);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const statusOf = () =>
        fetch(origins[index]!, {
          method: 'POST',
          body: '{}',
          headers: { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
        }).then(
          ({ status }) => status,
          () => undefined,
        );
      expect(await eventually(statusOf, 'receiver'), output).to.equal(400);
      await send('/auth/regenerate-key', { currentPassword: PASSWORD });
      await eventually(() => /evt_\w+ key\.regenerated \{"hint"/.test(output), 'event in the output');
      const shell = promisify(execFile)('sh', ['-c', codeOf('sh')], { env: { ...env, RECEIVER: origins[index] } });
      expect((await shell).stdout.trim()).to.equal('204');
      expect(output).to.include('evt_from_curl webhook.test');
    });
  });
});
