// The service process: successful and failing starts, kills, and normal stops.
import { once } from 'node:events';
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { VARIABLES } from '../../config/env.js';
import { openTestAccounts } from '../support/account-services.js';
import { eventually } from '../support/auth.js';
import { MINUTE_MS } from '../support/clock.js';
import { answersIn, deafClient } from '../support/raw-connection.js';
import { sampleCatalog } from '../support/sample-catalog.js';
import { freePort } from '../../scripts/server-process.js';
import {
  beginService,
  endServices,
  launchService,
  MAIN,
  registerAt,
  ROOT,
  serviceFolder,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

function ask(agent: Agent, address: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent, headers }, (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection, body }));
    });
    request.on('error', reject);
  });
}

async function used(base: string, apiKey: string, bucket = 'svg'): Promise<number> {
  const report = (await (await fetch(`${base}/v1/usage`, { headers: { 'X-API-Key': apiKey } })).json()) as {
    endpoints: Record<string, { used: number }>;
  };
  return report.endpoints[bucket]!.used;
}

/**
 * Opens a connection and sends the headers of a request and the first bytes (`begun`) of a body of 20 bytes. Resolves
 * when the server has received them.
 */
async function halfRequest(base: string, head: string, begun: string): Promise<Socket> {
  const client = connect(Number(new URL(base).port), '127.0.0.1');
  client.on('error', () => undefined);
  // Both requests are in one packet. When the response to the first request arrives, the server has started to read the
  // second one.
  client.write(
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n' +
      `${head}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n${begun}`,
  );
  await once(client, 'data');
  return client;
}

describe('the process', () => {
  const dataDir = serviceFolder();

  const start = (
    variables: Record<string, string> = {},
    command?: readonly [string, ...string[]],
  ): Promise<ServiceProcess> => startService({ DATA_DIR: dataDir(), ...variables }, command);

  it('mails a password reset that it accepted just before it was killed', async () => {
    const { child, base, exit } = await start();
    await registerAt(base);
    const forgot = await fetch(`${base}/auth/forgot-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":"ada@example.com"}',
    });
    child.kill('SIGKILL');
    expect(forgot.status).to.equal(202);
    await exit;
    const parts = await openTestAccounts({ dataDir: dataDir(), now: () => Date.now() + MINUTE_MS });
    const purposes = async () =>
      (await parts.accounts.findByEmail('ada@example.com'))!.links.map(({ purpose }) => purpose);
    expect(await purposes(), 'the process died too late').to.not.include('reset-password');
    await parts.resets.drain();
    expect(await purposes()).to.include('reset-password');
    await parts.close();
  });

  for (const REGISTRATION of ['closed', 'open'])
    it(`explains how to create the first account with REGISTRATION=${REGISTRATION}`, async () => {
      const { output } = await start({ REGISTRATION });
      const step = 'npm run account -- create you@example.com --tier internal';
      await eventually(() => output().includes(step), 'next step');
    });

  it('prints its variables with --help, its version with --version, and rejects other arguments', async () => {
    const ended = async (word: string) => {
      const { exit, output } = launchService({ DATA_DIR: dataDir() }, [process.execPath, MAIN, word]);
      return { code: await exit, output: output() };
    };
    const help = await ended('--help');
    expect(help.code).to.equal(0);
    for (const name of Object.keys(VARIABLES)) expect(help.output).to.include(`  ${name}`);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await ended('--version')).to.deep.equal({ code: 0, output: `${version}\n` });
    expect(await ended('--port')).to.deep.equal({ code: 2, output: "error: unknown option '--port'\n" });
    expect((await ended('extra')).code).to.equal(2);
  });

  it('stops when the shell of `npm start` gets SIGTERM, and frees its port', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
    const { child, base, exit } = await start({}, ['/bin/sh', '-c', scripts.start]);
    child.kill('SIGTERM');
    expect(await exit).to.equal(0);
    expect(await fetch(`${base}/healthz`).catch(() => 'rejected')).to.equal('rejected');
  });

  for (const [variables, line] of [
    [{ PORT: 'abc' }, /^PORT: "abc"; allowed: a whole number from 0 to 65535\n$/],
    [{ PUBLIC_URL: 'http://icons.example' }, /^PUBLIC_URL: "http:\/\/icons\.example"; allowed: .+\n$/],
    [{ MONGODB_URI: 'mongodb://db' }, /^REDIS_URL: is not set, but MONGODB_URI is; .+\n$/],
    [{ REDIS_URL: 'redis://cache' }, /^MONGODB_URI: is not set, but REDIS_URL is; .+\n$/],
    [{ MONGODB_URI: 'mongodb://db', REDIS_URL: 'redis://cache' }, /^JWT_SECRET: is not set; .+\n$/],
    [{ DATA_DIR: '/proc/no/such/folder' }, /^DATA_DIR: \/proc\/no\/such\/folder cannot be used \(.+\n$/],
    [{ DATA_DIR: '/dev/null' }, /^DATA_DIR: \/dev\/null cannot be used \(.+\n$/],
    [{ DATA_DIR: '/dev/null/x' }, /^DATA_DIR: \/dev\/null\/x cannot be used \(.+\n$/],
    [{ HOST: '203.0.113.9' }, /^HOST: 203\.0\.113\.9 .+\n$/],
  ] as const) {
    it(`stops with one line and code 78 for ${JSON.stringify(variables)}`, async () => {
      const { exit, output } = launchService({ DATA_DIR: dataDir(), ...variables });
      expect(await exit).to.equal(78);
      expect(output()).to.match(line);
    });
  }

  it('stops with one line and code 78 when its secret is too short', async () => {
    writeFileSync(join(dataDir(), 'jwt-secret'), 'short');
    const { exit, output } = launchService({ DATA_DIR: dataDir(), PORT: '0' });
    expect(await exit).to.equal(78);
    expect(output()).to.match(
      /^DATA_DIR: the secret in this folder cannot be used \(.+jwt-secret has fewer than 32 bytes\. Delete it .+\)\n$/,
    );
  });

  it('keeps every answered registration and count through kill -9', async () => {
    const customers: { readonly apiKey: string; answered: number }[] = [];
    for (let round = 0; ; round++) {
      const service = await start();
      const { base } = service;
      for (const { apiKey, answered } of customers)
        expect(await used(base, apiKey))
          .to.be.at.least(answered)
          .and.at.most(40);
      if (round === 3) return;
      const { status, apiKey } = await registerAt(base, `round${round}@example.com`);
      expect(status).to.equal(201);
      const customer = { apiKey, answered: 0 };
      customers.push(customer);
      const load = Array.from({ length: 40 }, async () => {
        const response = await fetch(`${base}/v1/svg/github`, { headers: { 'X-API-Key': apiKey } });
        if (response.status === 200) customer.answered += 1;
        // Kills the service while other requests are running.
        if (customer.answered > 10 * round) await service.kill();
      });
      await Promise.allSettled(load);
    }
  });

  const listens = (base: string): Promise<boolean> => fetch(`${base}/healthz`).then(Boolean, () => false);

  it('finishes requests in flight on SIGTERM, and ends with 0', async () => {
    const { base, child, exit } = await start();
    const { apiKey } = await registerAt(base);
    const client = await halfRequest(
      base,
      `POST /v1/catalog/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}`,
      '{"slugs":',
    );
    child.kill('SIGTERM');
    await eventually(async () => !(await listens(base)), 'end of listening');
    client.write('["github"]}');
    const [answer] = answersIn(await text(client));
    expect(answer).to.include({ status: 200 });
    expect(JSON.parse(answer!.body)).to.have.nested.property('results[0].status', 200);
    expect(await exit).to.equal(0);
  });

  it('ends while a body never ends and a mail server does not respond', async () => {
    const silent = createServer();
    const mailing = once(silent, 'connection');
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { base, child, exit } = await start({
      SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    await registerAt(base);
    const slow = await halfRequest(base, 'POST /auth/login HTTP/1.1\r\nHost: x', '{');
    await mailing;
    try {
      child.kill('SIGTERM');
      expect(await exit).to.equal(0);
    } finally {
      slow.destroy();
      silent.close();
    }
  });

  it('ends with 0 while clients of every kind keep idle connections open', async () => {
    const { base, child, exit } = await start();
    const port = Number(new URL(base).port);
    const clients = [
      deafClient(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'),
      deafClient(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      deafClient(port, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)),
      deafClient(port, 'no HTTP\r\n\r\n'),
      deafClient(port, 'GET / HTTP/1.1\r\nHo'),
      deafClient(port, ''),
    ];
    try {
      await ask(new Agent(), `${base}/healthz`);
      child.kill('SIGTERM');
      expect(await exit).to.equal(0);
    } finally {
      for (const client of clients) client.destroy();
    }
  });

  it('fails no request on keep-alive connections while it stops, and does not wait for them', async () => {
    const { base, child, exit } = await start();
    const { apiKey } = await registerAt(base);
    let answered = 0;
    async function client(): Promise<{ last: Answer | undefined; error: NodeJS.ErrnoException }> {
      // Each client has its own agent with one connection. A common agent would mix the connections of the clients.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      let last: Answer | undefined;
      for (;;) {
        try {
          last = await ask(agent, `${base}/v1/svg/github`, { 'X-API-Key': apiKey });
          answered += 1;
        } catch (error) {
          return { last, error: error as NodeJS.ErrnoException };
        }
      }
    }
    const clients = Array.from({ length: 20 }, client);
    while (answered < 500) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGTERM');
    for (const { last, error } of await Promise.all(clients)) {
      expect(error.code, 'only new connections are rejected').to.equal('ECONNREFUSED');
      expect(last?.connection).to.equal('close');
    }
    expect(await exit).to.equal(0);
  });

  it('answers `Connection: close` while draining, and closes idle connections', async () => {
    const { base, child, exit } = await start();
    const probe = new Agent({ keepAlive: true, maxSockets: 1 });
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await ask(idle, `${base}/readyz`)).connection).to.equal('keep-alive');
    expect(await ask(probe, `${base}/readyz`)).to.include({ status: 200, connection: 'keep-alive' });
    child.kill('SIGTERM');
    // Repeats the request on one connection until the process is shutting down.
    let answer: Answer;
    do answer = await ask(probe, `${base}/readyz`);
    while (answer.status === 200);
    expect(answer).to.include({ status: 503, connection: 'close' });
    expect(JSON.parse(answer.body)).to.have.property('status', 'draining');
    expect(await exit).to.equal(0);
    idle.destroy();
  });

  describe('without a catalog', () => {
    const BROWSER = { Accept: 'text/html,*/*;q=0.8' };
    const COUNTS = /([\d,]+) of [\d,]+ icons read/g;
    let empty: ReturnType<typeof temporaryDir>;
    beforeEach(() => (empty = temporaryDir()));
    afterEach(async () => {
      await endServices();
      empty.remove();
    });

    const begin = (): Promise<ServiceProcess> => beginService({ DATA_DIR: empty.path });
    const page = (base: string): Promise<Response | undefined> =>
      fetch(base, { headers: BROWSER }).catch(() => undefined);
    const countsIn = (text: string): string[] => [...text.matchAll(COUNTS)].map(([, count = '']) => count);

    async function importedRows(): Promise<number> {
      const { openDatabase } = await import('../../src/platform/stores/sqlite/database.js');
      const db = openDatabase(empty.path);
      const { n } = db.prepare('SELECT count(*) AS n FROM catalogRows').get() as { n: number };
      db.close();
      return n;
    }

    it('reports the progress of the first import in the log and on its pages, and Ctrl-C discards it', async function () {
      const service = await begin();
      const opened = await eventually(() => page(service.base), 'answer');
      expect(opened.status).to.equal(503);
      expect(await opened.text()).to.include('Blazon is starting');
      expect(service.output()).to.match(/^The catalog is empty\. The service imports the catalog now, .+\n/);
      const shown = await eventually(async () => {
        const response = await page(service.base);
        return countsIn((await response?.text()) ?? '')[0];
      }, 'counts on the page');
      expect(shown).to.not.equal('0');
      const lines = await eventually(() => {
        const counts = countsIn(service.output());
        return counts.length > 1 ? counts : undefined;
      }, 'two lines that count');
      expect(new Set(lines).size).to.equal(lines.length);
      expect(await importedRows()).to.be.above(0);
      // With `npm start`, the process gets the signal twice: from the terminal and from npm.
      service.child.kill('SIGINT');
      service.child.kill('SIGINT');
      expect(await service.exit).to.equal(0);
      expect(service.output()).to.match(
        /\nStopped before the import had finished; partial data was deleted\. The next start imports the catalog again\.\n$/,
      );
      expect(service.output()).to.not.match(/^ +at /m);
      expect(await importedRows()).to.equal(0);
      const next = await begin();
      await eventually(
        () => next.output().startsWith('The catalog is empty. The service imports the catalog now'),
        'next import',
      );
    });

    it('ends with 1 and one line when the import fails', async function () {
      // Limits files to 2 MB. Node ignores the signal SIGXFSZ, so a write beyond the limit fails with an error.
      const command = ['/bin/sh', '-c', `ulimit -f 4096; exec ${process.execPath} ${MAIN}`] as const;
      const { exit, output } = await beginService({ DATA_DIR: empty.path }, command);
      expect(await exit).to.equal(1);
      expect(output()).to.match(
        /\nThe catalog could not be imported\. [^\n]*disk I\/O error[^\n]* start the service again\. npm run doctor [^\n]+\n$/,
      );
      expect(output()).to.not.match(/^ +at /m);
    });
  });
});

describe('a process that runs', () => {
  let data: ReturnType<typeof temporaryDir>;
  let service: ServiceProcess;
  before(async () => {
    data = temporaryDir();
    cpSync(await sampleCatalog(), data.path, { recursive: true });
    service = await startService({ DATA_DIR: data.path, DATADIR: '/tmp' });
  });
  after(async () => {
    await endServices();
    data.remove();
  });

  it('prints its address, the reference and the first requests', async () => {
    const port = new URL(service.base).port;
    await eventually(
      () => service.output().includes('npm run account -- create you@example.com --tier internal'),
      'first step',
    );
    expect(service.output()).to.include(`http://localhost:${port}/docs`);
    expect(service.output()).to.match(/Mails +files in \/.+\/outbox, because SMTP_URL is not set/);
  });

  it('has a lock for its user only', () => {
    expect(statSync(join(data.path, 'service.lock')).mode & 0o077).to.equal(0);
  });

  it('warns when it runs as root', async () => {
    const warns = () => service.output().includes('the service runs as root');
    if (process.getuid?.() === 0) await eventually(warns, 'warning');
    else expect(warns()).to.equal(false);
  });

  it('warns of a variable that is likely misspelled', () => {
    expect(service.output()).to.include('DATADIR is not a Blazon variable. Did you mean DATA_DIR?');
  });

  it('locks its folder: a second process ends with one line and code 78', async () => {
    const second = launchService({ DATA_DIR: data.path, PORT: String(await freePort()) });
    expect(await second.exit).to.equal(78);
    expect(second.output()).to.match(/^DATA_DIR: .+ is in use by another Blazon process\. .+\n$/);
    expect((await fetch(`${service.base}/healthz`)).status).to.equal(200);
  });

  for (const variable of ['PORT', 'METRICS_PORT'] as const) {
    it(`uses its port alone: a second process with it as ${variable} ends with one line and code 78`, async () => {
      const other = temporaryDir();
      cpSync(data.path, other.path, { recursive: true });
      const { port } = new URL(service.base);
      const second = launchService({ DATA_DIR: other.path, PORT: '0', [variable]: port });
      expect(await second.exit).to.equal(78);
      expect(second.output()).to.match(
        new RegExp(
          `^${variable}: ${port} is already in use on 127\\.0\\.0\\.1\\. .+ for example ${variable}=\\d+ npm start\\n$`,
        ),
      );
      other.remove();
    });
  }

  it('logs the loss of the hashing process, without its input', async function () {
    if (process.platform !== 'linux') this.skip();
    await registerAt(service.base);
    const [host = 0] = readFileSync(`/proc/${service.child.pid}/task/${service.child.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number);
    process.kill(host, 'SIGKILL');
    const warning = await eventually(() => /^\{.*hashing failed.*$/m.exec(service.output())?.[0], 'warning');
    expect(JSON.parse(warning))
      .to.deep.include({ level: 'warn', reason: 'the hashing process ended (SIGKILL)' })
      .and.have.all.keys('level', 'time', 'reason', 'msg');
    expect((await registerAt(service.base, 'mallory@example.com')).status).to.equal(201);
  });

  it('answers malformed HTTP with JSON, and keeps serving', async () => {
    const say = (bytes: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(service.base).port), '127.0.0.1', () => socket.write(bytes));
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
      });
    for (const bytes of [
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET http://evil.example/v1/svg/nodedotjs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const answer = await say(bytes);
      expect(answer, bytes.slice(0, 60)).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).to.match(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).to.have.property('error', 'invalid_request');
    }
    expect((await fetch(`${service.base}/healthz`)).status).to.equal(200);
  });

  it('rejects metered requests while the database cannot be written, and counts again afterwards', async () => {
    const { apiKey } = await registerAt(service.base, 'eve@example.com');
    const get = () => fetch(`${service.base}/v1/svg/github`, { headers: { 'X-API-Key': apiKey } });
    expect((await get()).status).to.equal(200);
    const { openDatabase } = await import('../../src/platform/stores/sqlite/database.js');
    const other = openDatabase(data.path);
    // Makes every write of usage fail, like a full disk.
    other.exec("CREATE TRIGGER full BEFORE UPDATE ON usage BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END;");
    const response = await get();
    expect(response.status).to.equal(503);
    expect(response.headers.get('retry-after')).to.equal('2');
    expect(await response.json()).to.have.property('error', 'unavailable');
    other.exec('DROP TRIGGER full');
    other.close();
    expect((await get()).status).to.equal(200);
    expect(await used(service.base, apiKey)).to.equal(2);
  });
});
