// `npm run doctor`, on an embedded folder and on real Redis and MongoDB servers.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { expect } from 'chai';
import { FEATURES } from '../../src/features.js';
import { openFence } from '../../src/platform/processes/fence.js';
import { openClusterStores } from '../../src/platform/stores/cluster-stores.js';
import type { Finding } from '../../src/platform/doctor-finding.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { sampleCatalog } from '../support/sample-catalog.js';
import { runCli, runCliProcess } from '../support/cli.js';
import { openClusterBackend } from '../support/cluster-backend.js';
import { freePort } from '../../scripts/server-process.js';
import { sellPlans, startFakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { describeWithServers, shared, startRedis } from '../support/servers.js';
import { temporaryDir } from '../support/temporary.js';
import type { TestBackend } from '../support/test-backend.js';

const SECRET = 'kQ3v9ZpX7mLr2TtY8cWnB5sHf4GdJ6uE';
/** Environment variables with which doctor finds no problem. */
const HEALTHY = {
  PUBLIC_URL: 'https://icons.example',
  TRUST_PROXY: '1',
  /** URL of the mail server, set by `withMailServer`. */
  SMTP_URL: '',
  JWT_SECRET: SECRET,
};
const ADVISED = new Set(['warning', 'error']);

type Variables = Record<string, string>;

/** Starts the mail server of `HEALTHY` for the tests of this suite. */
function withMailServer(): void {
  let mails: MailServer;
  before(async () => {
    mails = await startMailServer();
    HEALTHY.SMTP_URL = mails.url;
  });
  after(() => mails.down());
}

/** Runs doctor. Returns the findings by subject, and the exit code. */
async function examine(variables: Variables, run = runCli) {
  const { status, stdout, stderr } = await run('doctor', ['--json'], variables);
  expect(stderr).to.equal('');
  const findings = JSON.parse(stdout) as Finding[];
  for (const { check, status: grade, message, advice } of findings) {
    expect(message, check).to.match(/\.$/);
    expect(advice !== null, check).to.equal(ADVISED.has(grade));
  }
  const secret = variables.JWT_SECRET ?? '';
  if (secret !== '') expect(stdout).to.not.include(secret);
  expect(status).to.equal(findings.some((one) => one.status === 'error') ? 1 : 0);
  return { status, of: (check: string) => findings.find((one) => one.check === check), findings };
}

const statuses = (findings: readonly Finding[]) => findings.map(({ check, status }) => `${check}: ${status}`);

/**
 * Returns name, size and time of each file in the folder. Omits the files that SQLite creates beside an open database.
 */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .map((name) => `${name} ${statSync(join(folder, name)).size} ${statSync(join(folder, name)).mtimeMs}`);

describe('npm run doctor, embedded', () => {
  withMailServer();
  let fence: string;
  let root: string;
  let remove: () => void;
  let DATA_DIR: string;
  before(async () => {
    ({ path: root, remove } = temporaryDir());
    DATA_DIR = join(root, 'data');
    cpSync(await sampleCatalog(), DATA_DIR, { recursive: true });
    fence = (await openFence(DATA_DIR)).hasNamespaces ? 'ok' : 'warning';
    execFileSync('chmod', ['-R', 'go=', DATA_DIR]);
  });
  after(() => remove());

  it('finds nothing wrong with a healthy folder, and writes nothing', async () => {
    const before = filesIn(DATA_DIR);
    const { findings, status } = await examine({ ...HEALTHY, DATA_DIR });
    expect(statuses(findings)).to.deep.equal([
      'PUBLIC_URL: ok',
      'TRUST_PROXY: ok',
      'JWT_SECRET: ok',
      'SMTP_URL: ok',
      'billing: ok',
      'webhook origins: ok',
      'disk: ok',
      'DATA_DIR: ok',
      `user: ${process.getuid?.() === 0 ? 'warning' : 'ok'}`,
      `worker sandbox: ${fence}`,
      'database access: ok',
      'database: ok',
      'database schema: ok',
      'catalog: ok',
    ]);
    expect(status).to.equal(0);
    const { stdout } = await runCli('doctor', [], { ...HEALTHY, DATA_DIR });
    expect(stdout)
      .to.match(/^ok {7}PUBLIC_URL: /)
      .and.match(process.getuid?.() === 0 ? /\nErrors: 0, warnings: 1\.\n$/ : /\nNo problems found\.\n$/);
    expect(filesIn(DATA_DIR)).to.deep.equal(before);
  });

  it('warns when the service runs as root, by the owner of its folder', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const folder = temporaryDir();
    const finding = async () => (await examine({ ...HEALTHY, DATA_DIR: folder.path })).of('user');
    expect(await finding()).to.include({ status: 'warning' });
    chownSync(folder.path, 65_534, 65_534);
    expect(await finding()).to.include({ status: 'ok' });
    folder.remove();
  });

  it('exits with 0 if everything works, with warnings: no mail server, this machine only', async () => {
    const { of, status } = await examine({ DATA_DIR });
    expect(status).to.equal(0);
    expect(of('PUBLIC_URL')).to.have.property('status', 'warning');
    expect(of('SMTP_URL')).to.have.property('status', 'warning');
    expect(of('SMTP_URL')?.message).to.equal(
      `The variable is not set: mail is written to files in ${join(DATA_DIR, 'outbox')}.`,
    );
    expect(of('JWT_SECRET')?.message).to.equal('The variable is not set. The service generates a secret in DATA_DIR.');
    expect((await runCli('doctor', [], { DATA_DIR })).stdout).to.match(/\nErrors: 0, warnings: [23]\.\n/);
  });

  it('names a mail server that does not answer, and sends nothing to a working one', async () => {
    const port = await freePort();
    const { of, status } = await examine({
      ...HEALTHY,
      DATA_DIR,
      SMTP_URL: `smtp://ada:the%20mail%20password@127.0.0.1:${port}`,
    });
    expect(status).to.equal(0);
    expect(of('SMTP_URL')).to.have.property('status', 'warning');
    expect(of('SMTP_URL')?.message).to.include(`127.0.0.1:${port} cannot be used`).and.not.include('password');
    const mails = await startMailServer();
    const working = await examine({ ...HEALTHY, DATA_DIR, SMTP_URL: mails.url });
    expect(working.of('SMTP_URL')).to.have.property('status', 'ok');
    expect(mails.tries()).to.equal(0);
    await mails.down();
  });

  it('warns of a mail server whose password is sent unencrypted', async () => {
    const mails = await startMailServer({ password: 'the mail password' });
    const SMTP_URL = `${mails.url.replace('127.0.0.1', 'ada:the%20mail%20password@0.0.0.0')}?tls=off`;
    const { of } = await examine({ ...HEALTHY, DATA_DIR, SMTP_URL });
    expect(of('SMTP_URL')).to.have.property('status', 'warning');
    expect(of('SMTP_URL')?.message).to.include('tls=off').and.not.include('cannot be used');
    await mails.down();
  });

  it('names files that others can read, and the command that fixes them', async () => {
    const other = temporaryDir();
    const folder = join(other.path, "it's open");
    cpSync(DATA_DIR, folder, { recursive: true });
    mkdirSync(join(folder, 'outbox'), { mode: 0o700 });
    for (const name of ['jwt-secret', 'outbox/one.eml']) writeFileSync(join(folder, name), 'a word', { mode: 0o600 });
    const files = ['blazon.sqlite', 'jwt-secret', 'outbox', 'outbox/one.eml'];
    await namesOpenFiles(folder, { ...HEALTHY, DATA_DIR: folder }, files);
    other.remove();
  });

  it('names the days after which an old secret may be removed', async () => {
    const { of } = await examine({ ...HEALTHY, DATA_DIR, JWT_SECRET: `${SECRET},${SECRET}x` });
    expect(of('JWT_SECRET')).to.deep.include({
      status: 'ok',
      message:
        '2 with at least 32 bytes each; the first one signs. The others can be removed 3 days after the first one was added, if the secrets of webhook endpoints were rotated since then.',
    });
  });

  it('names a folder without a database, and creates none', async () => {
    const missing = join(root, 'none');
    const { of, status } = await examine({ ...HEALTHY, DATA_DIR: missing });
    expect(status).to.equal(1);
    expect(of('database')).to.deep.include({ status: 'error', message: `There is no database in ${missing}.` });
    expect(of('disk')).to.have.property('status', 'ok');
    expect(readdirSync(root)).to.deep.equal(['data']);
  });

  it('names proxies that are not trusted, or trusted without being there', async () => {
    const none = await examine({ ...HEALTHY, DATA_DIR, TRUST_PROXY: '0' });
    expect(none.of('TRUST_PROXY')).to.have.property('status', 'error');
    const plain = { ...HEALTHY, DATA_DIR, PUBLIC_URL: 'http://icons.example', INSECURE_HTTP: '1', HOST: '0.0.0.0' };
    const direct = await examine(plain);
    expect(direct.of('TRUST_PROXY')).to.have.property('status', 'warning');
    expect(direct.of('PUBLIC_URL')?.message).to.include('cookies are not Secure');
    expect(direct.status).to.equal(0);
  });

  it('names the number of a secret that can be guessed, never the secret', async () => {
    const weak = 'abcabcabcabcabcabcabcabcabcabcabc';
    const { of, findings } = await examine({ ...HEALTHY, DATA_DIR, JWT_SECRET: `${SECRET},${weak}` });
    expect(of('JWT_SECRET')).to.have.property('status', 'warning');
    expect(of('JWT_SECRET')?.message).to.match(/^Secret 2 /);
    expect(of('JWT_SECRET')?.advice).to.include('Remove this one 3 days later');
    expect(JSON.stringify(findings)).to.not.include(SECRET).and.not.include(weak);
  });

  it('names a damaged database, a database of another release, and an empty catalog', async () => {
    const other = join(root, 'other');
    const db = openDatabase(other);
    const { of: empty } = await examine({ ...HEALTHY, DATA_DIR: other });
    expect(empty('database schema')?.message).to.match(/older release; \d+ migrations are missing/);
    db.exec('PRAGMA user_version = 1000');
    expect((await examine({ ...HEALTHY, DATA_DIR: other })).of('database schema')).to.have.property('status', 'error');
    db.close();
    // Runs the commands in separate processes, because this process may have cached pages of the database.
    const fresh = { ...HEALTHY, DATA_DIR: join(root, 'fresh') };
    await runCliProcess('account', ['create', 'first@example.com'], fresh);
    const { of } = await examine(fresh, runCliProcess);
    expect(of('catalog')).to.deep.include({ status: 'error', message: 'The catalog is empty: nothing was imported.' });
    await damage(join(fresh.DATA_DIR, 'blazon.sqlite'));
    expect((await examine(fresh, runCliProcess)).of('database')?.message).to.match(/^The database is damaged: /);
  });

  it('asks Stripe for the prices, and names a missing one, a wrong key, and a silent Stripe', async () => {
    const stripe = await startFakeStripe();
    const variables = { ...HEALTHY, DATA_DIR, ...sellPlans(stripe, 'whsec_x') };
    const right = await examine(variables);
    expect(right.of('billing prices')).to.have.property('status', 'ok');
    expect(right.status).to.equal(0);
    const missing = await examine({ ...variables, STRIPE_PRICE_PRO_MONTH: 'price_of_nothing' });
    expect(missing.of('billing prices')?.message).to.match(
      /^STRIPE_PRICE_PRO_MONTH is set to the price price_of_nothing, /,
    );
    const wrong = await examine({ ...variables, STRIPE_SECRET_KEY: 'sk_test_of_another_account' });
    expect(wrong.of('billing prices')?.advice).to.match(/^Correct STRIPE_SECRET_KEY/);
    expect(wrong.status).to.equal(1);
    await stripe.close();
    const away = await examine(variables);
    expect(away.of('billing prices')).to.have.property('status', 'warning');
    expect(away.status).to.equal(0);
  });

  it('exits with 78 and one line for a variable that cannot be', async () => {
    const { status, stdout, stderr } = await runCli('doctor', [], { DATA_DIR, PORT: 'abc' });
    expect({ status, stdout }).to.deep.equal({ status: 78, stdout: '' });
    expect(stderr).to.match(/^PORT: "abc"; allowed: .*\n$/);
  });
});

/**
 * Makes each file, and then the folder, readable by other users. Doctor must report each of them until the test has
 * followed doctor's advice.
 */
async function namesOpenFiles(folder: string, variables: Variables, files: readonly string[]): Promise<void> {
  for (const name of files) {
    const path = join(folder, name);
    chmodSync(folder, 0o755);
    chmodSync(path, statSync(path).isDirectory() ? 0o750 : 0o640);
    const { of, status } = await examine(variables);
    expect(of('DATA_DIR'), name).to.have.property('status', 'error');
    expect(of('DATA_DIR')?.message).to.equal(`Other users have access to ${folder} (mode 755) and 1 more.`);
    expect(status).to.equal(1);
    chmodSync(folder, 0o700);
    expect((await examine(variables)).of('DATA_DIR'), 'out of their reach').to.have.property('status', 'ok');
    chmodSync(folder, 0o755);
    execFileSync('sh', ['-c', of('DATA_DIR')?.advice ?? '']);
    expect(statSync(path).mode & 0o077, name).to.equal(0);
    expect((await examine(variables)).of('DATA_DIR'), name).to.have.property('status', 'ok');
  }
  chmodSync(folder, 0o750);
  expect((await examine(variables)).of('DATA_DIR')).to.deep.include({
    status: 'warning',
    message: `Other users have access to ${folder} (mode 750).`,
  });
}

async function damage(path: string): Promise<void> {
  const { open } = await import('node:fs/promises');
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(2000, 'x'), 0, 2000, 4096);
  await file.close();
}

describeWithServers('npm run doctor, cluster', ['mongod', 'redis-server'], () => {
  withMailServer();
  const { path: DATA_DIR, remove } = temporaryDir();
  let backend: TestBackend;
  let healthy: Variables;
  before(async () => {
    backend = await openClusterBackend(DATA_DIR, { now: Date.now, catalog: 'sample' });
    healthy = { ...HEALTHY, ...backend.variables, JWT_SECRET: SECRET };
  });
  after(async () => {
    await backend.close();
    remove();
  });

  it('checks servers, persistence, replica set, clocks, indexes and catalog', async () => {
    const redis = await startRedis({ append: true });
    try {
      const { findings, status } = await examine({ ...healthy, REDIS_URL: redis.url });
      const name = `redis 127.0.0.1:${redis.port}`;
      expect(statuses(findings.slice(10))).to.deep.equal([
        `${name}: ok`,
        `${name} memory: ok`,
        `${name} persistence: ok`,
        `${name} clock: ok`,
        'mongodb: ok',
        // A warning, because the replica set of the tests has only one member.
        'mongodb replica set: warning',
        'mongodb schema: ok',
        'mongodb clock: ok',
        'catalog: ok',
      ]);
      expect(status).to.equal(0);
    } finally {
      await redis.stop();
    }
  });

  it('names mails that others can read, and the command that fixes them', async () => {
    const outbox = join(DATA_DIR, 'outbox');
    mkdirSync(outbox, { mode: 0o700 });
    writeFileSync(join(outbox, 'one.eml'), 'a link', { mode: 0o600 });
    await namesOpenFiles(DATA_DIR, healthy, ['outbox', join('outbox', 'one.eml')]);
  });

  it('names a Redis that evicts keys, and one without persistence', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    try {
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      const { of, status } = await examine({ ...healthy, REDIS_URL: redis.url });
      const name = `redis 127.0.0.1:${redis.port}`;
      expect(status).to.equal(1);
      expect(of(`${name} memory`)).to.deep.include({ status: 'error', advice: 'Set maxmemory-policy noeviction.' });
      expect(of(`${name} persistence`)).to.deep.include({ status: 'warning', advice: 'Set appendonly yes.' });
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });

  it('names the server that cannot be reached, without the password, and checks the other', async () => {
    const port = await freePort();
    const noRedis = await examine({ ...healthy, REDIS_URL: `redis://someone:hidden-word@127.0.0.1:${port}` });
    expect(noRedis.status).to.equal(1);
    expect(noRedis.of('redis')?.message).to.include('ECONNREFUSED');
    expect(noRedis.of('redis')?.advice).to.include('REDIS_URL');
    expect(noRedis.of('catalog')).to.have.property('status', 'ok');
    const noMongo = await examine({
      ...healthy,
      MONGODB_URI: `mongodb://someone:hidden-word@127.0.0.1:${port}/blazon?replicaSet=rs0`,
    });
    expect(noMongo.status).to.equal(1);
    expect(noMongo.of('mongodb')?.message).to.include('ECONNREFUSED');
    expect(noMongo.of('mongodb')?.advice).to.include('MONGODB_URI');
    expect(noMongo.findings.some(({ check }) => check.startsWith('redis'))).to.equal(true);
    expect(JSON.stringify([noRedis.findings, noMongo.findings])).to.not.include('hidden-word');
  });

  it('names a MongoDB without collections, or with an empty catalog, and creates nothing', async () => {
    const mongodbUri = (await shared.mongo()).uri();
    const { of } = await examine({ ...healthy, MONGODB_URI: mongodbUri });
    expect(of('mongodb schema')?.message).to.include('0.1.0');
    expect(of('catalog')).to.have.property('status', 'error');
    expect((await examine({ ...healthy, MONGODB_URI: mongodbUri })).of('mongodb schema')).to.have.property(
      'status',
      'warning',
    );
    const stores = await openClusterStores({
      mongodbUri,
      redisUrl: healthy.REDIS_URL ?? '',
      features: FEATURES,
      now: Date.now,
      onError: () => undefined,
    });
    await stores.close();
    const migrated = await examine({ ...healthy, MONGODB_URI: mongodbUri });
    expect(migrated.of('mongodb schema')).to.have.property('status', 'ok');
    expect(migrated.of('catalog')).to.have.property('status', 'error');
    expect(migrated.status).to.equal(1);
    const client = await MongoClient.connect(mongodbUri);
    await client
      .db()
      .collection<{ _id: string; appliedAt: Date }>('migrations')
      .insertOne({ _id: 'newer-1', appliedAt: new Date() });
    await client.close();
    const newer = await examine({ ...healthy, MONGODB_URI: mongodbUri });
    expect(newer.of('mongodb schema')).to.have.property('status', 'error');
    expect(newer.of('mongodb schema')?.message).to.include('newer-1');
  });
});
