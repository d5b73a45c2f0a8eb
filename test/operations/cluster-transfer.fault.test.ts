// Transfers of all data between SQLite and a cluster, when their process is killed. Incomplete data is never served,
// and a repeated transfer starts from the beginning.
import { FEATURES } from '../../src/features.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import { someAccount } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { clusterVariables, importSmallCatalog, openTestStores, sharedAddresses } from '../support/service-cluster.js';
import { describeWithServers } from '../support/servers.js';
import { endServices, launchService } from '../support/service-process.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const ACCOUNTS = 2000;

describeWithServers('a transfer that is killed', ['mongod', 'redis-server'], () => {
  const root = temporaryDir();
  const dataDir = join(root.path, 'data');
  before(async () => {
    await importSmallCatalog({ mongodbUri: '', redisUrl: '' }, dataDir);
    const stores = await openCommandStores(embeddedIn(dataDir), {
      features: FEATURES,
      now: Date.now,
      onError: () => undefined,
    });
    for (let count = 0; count < ACCOUNTS; count++) await stores.accounts.insert(someAccount().account);
    await stores.close();
  });
  afterEach(endServices);
  after(() => root.remove());

  /** Runs a command, and kills it as soon as `isDue` returns true. Returns false if the command ended first. */
  async function killed(
    words: readonly string[],
    variables: Readonly<Record<string, string>>,
    isDue: () => Promise<boolean>,
  ): Promise<boolean> {
    const child = spawn(process.execPath, [CLI, ...words], { env: { PATH: process.env.PATH, ...variables } });
    const exit = once(child, 'exit');
    while (child.exitCode === null && !(await isDue())) await sleep(2);
    child.kill('SIGKILL');
    const [code] = (await exit) as [number | null];
    if (code !== null) expect(code).to.equal(0);
    return code === null;
  }

  async function expectNotServed(variables: Readonly<Record<string, string>>): Promise<void> {
    const service = launchService({ ...variables, DATA_DIR: join(root.path, 'served'), PORT: '0' });
    expect(await service.exit).to.equal(78);
    expect(service.output()).to.match(/MONGODB_URI: a transfer into this database was not finished\. Run it again/);
  }

  for (const written of [1, ACCOUNTS / 2, ACCOUNTS])
    it(`is not served if it ends after ${written} accounts, and succeeds when it is repeated`, async () => {
      const addresses = await sharedAddresses();
      const variables = { ...clusterVariables(addresses), DATA_DIR: dataDir };
      const client = await MongoClient.connect(addresses.mongodbUri);
      const accounts = client.db().collection('accounts');
      const isDue = async () => (await accounts.countDocuments()) >= written;
      if (await killed(['migrate', '--to', 'cluster'], variables, isDue)) {
        await expectNotServed(variables);
        const { status, stdout, stderr } = await runCli('migrate', ['--to', 'cluster'], variables);
        expect(status, stderr).to.equal(0);
        expect(stdout).to.match(new RegExp(`^accounts +${ACCOUNTS} +${ACCOUNTS} .+ equal$`, 'm'));
      }
      await client.close();
    });

  const REPLACED = 30;
  /**
   * Moment of the kill → function that returns true at this moment. `names`: names of all collections. `written`:
   * number of accounts written so far.
   */
  const MOMENTS: Readonly<Record<string, (names: readonly string[], written: number) => boolean>> = {
    'after the first collection got another name': (names) => names.some((name) => name.startsWith('replaced-')),
    'after the last collection got another name': (names) => names.some((name) => name.endsWith('-migrations')),
    'while it writes': (names, written) => names.some((name) => name.endsWith('-migrations')) && written > 0,
  };
  for (const [moment, isMoment] of Object.entries(MOMENTS))
    it(`keeps all that it replaces when it is killed ${moment}, and is run again`, async () => {
      const addresses = await sharedAddresses();
      const variables = { ...clusterVariables(addresses), DATA_DIR: join(root.path, 'scratch') };
      const file = join(root.path, 'backup.sqlite');
      if (!existsSync(file)) expect((await runCli('backup', [file], { DATA_DIR: dataDir })).status).to.equal(0);
      const stores = await openTestStores(addresses);
      for (let count = 0; count < REPLACED; count++) await stores.accounts.insert(someAccount().account);
      await stores.close();
      const client = await MongoClient.connect(addresses.mongodbUri);
      const db = client.db();
      const names = async () => (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      const isDue = async () => isMoment(await names(), await db.collection('accounts').countDocuments());
      if (await killed(['restore', file, '--replace'], variables, isDue)) {
        await expectNotServed(variables);
        const { status, stdout, stderr } = await runCli('restore', [file, '--replace'], variables);
        expect(status, stderr).to.equal(0);
        expect(stdout).to.match(new RegExp(`^accounts +${ACCOUNTS} +${ACCOUNTS} .+ equal$`, 'm'));
      }
      const kept = (await names()).filter((name) => name.startsWith('replaced-'));
      const [accounts = ''] = kept.filter((name) => name.endsWith('-accounts'));
      expect(await db.collection(accounts).countDocuments()).to.equal(REPLACED);
      expect(new Set(kept).size).to.equal(new Set(kept.map((name) => name.split('-').at(-1))).size);
      const indexes = await db.collection('accounts').indexes();
      expect(indexes.map(({ name }) => name)).to.include('email');
      await client.close();
    });
});
