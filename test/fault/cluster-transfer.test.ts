// A transfer that is killed: what it has written is never served, and the next one begins anew.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openCommandStores } from '../../src/compose/open-stores.js';
import { someAccount } from '../support/accounts.js';
import { runCli } from '../support/cli.js';
import { clusterVariables, importSmallCatalog, sharedAddresses } from '../support/service-cluster.js';
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
    const stores = await openCommandStores(embeddedIn(dataDir), { now: Date.now, onError: () => undefined });
    for (let count = 0; count < ACCOUNTS; count++) await stores.accounts.insert(someAccount().account);
    await stores.close();
  });
  afterEach(endServices);
  after(() => root.remove());

  for (const written of [1, ACCOUNTS / 2, ACCOUNTS])
    it(`after ${written} accounts is not served, and ends well when it is run again`, async () => {
      const addresses = await sharedAddresses();
      const variables = { ...clusterVariables(addresses), DATA_DIR: dataDir };
      const client = await MongoClient.connect(addresses.mongodbUri);
      const child = spawn(process.execPath, [CLI, 'migrate', '--to', 'cluster'], {
        env: { PATH: process.env.PATH, ...variables },
      });
      const exit = once(child, 'exit');
      while ((await client.db().collection('accounts').countDocuments()) < written && child.exitCode === null)
        await sleep(2);
      child.kill('SIGKILL');
      const [code] = (await exit) as [number | null];
      await client.close();
      // It may have been faster than the kill.
      if (code === null) {
        const service = launchService({ ...variables, DATA_DIR: join(root.path, 'served'), PORT: '0' });
        expect(await service.exit).to.equal(78);
        expect(service.output()).to.match(/MONGODB_URI: a transfer into this database was not finished; run it again/);
        const { status, stdout, stderr } = await runCli('migrate', ['--to', 'cluster'], variables);
        expect(status, stderr).to.equal(0);
        expect(stdout).to.match(new RegExp(`^accounts +${ACCOUNTS} +${ACCOUNTS} .+ equal$`, 'm'));
      } else expect(code).to.equal(0);
      await client.close();
    });
});
