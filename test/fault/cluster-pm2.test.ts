// The service under PM2: reloaded under load without a failed request, and a killed process comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { someAccount } from '../support/accounts.js';
import { freePort } from '../../scripts/server-process.js';
import { createTestPm2, type TestPm2 } from '../support/pm2.js';
import { describeWithServers } from '../support/servers.js';
import {
  clusterVariables,
  finalAnswer,
  importSmallCatalog,
  sharedAddresses,
  statusOfKey,
} from '../support/service-cluster.js';
import { startLoad } from '../support/service-load.js';
import { isReady, ROOT } from '../support/service-process.js';
import { openClusterStores } from '../../src/compose/cluster-stores.js';
import { readPlans } from '../../config/plans.js';
import type { Stores } from '../../src/ports/stores.js';

const REQUESTS = process.env.BLAZON_LONG_TESTS === '1' ? 20_000 : 5000;
const CONNECTIONS = 16;

describeWithServers('the service under PM2', ['mongod', 'redis-server'], () => {
  let pm2: TestPm2;
  let base: string;
  let stores: Stores;

  before(async () => {
    const addresses = await sharedAddresses();
    await importSmallCatalog(addresses);
    stores = await openClusterStores({ ...addresses, plans: readPlans(), now: Date.now, onError: () => undefined });
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    pm2 = createTestPm2(ROOT, {
      ...clusterVariables(addresses),
      HOST: '127.0.0.1',
      PORT: String(port),
      BLAZON_INSTANCES: '2',
      LOG_LEVEL: 'warn',
    });
    await pm2.pm2('start', 'ecosystem.config.js');
    await eventually(() => isReady(base), 'answer');
  });
  after(async () => {
    await pm2.end();
    await stores.close();
  });

  async function customer(): Promise<string> {
    const { account, apiKey } = someAccount({ tier: 'internal' });
    await stores.accounts.insert(account);
    return apiKey;
  }

  it('fails no request while it is reloaded', async () => {
    const before = await pm2.instances();
    expect(before).to.have.length(2);
    const load = startLoad(CONNECTIONS, { apiKey: await customer(), next: () => base });
    while (load.answered() < REQUESTS / 4) await sleep(20);
    await pm2.pm2('reload', 'blazon');
    while (load.answered() < REQUESTS) await sleep(20);
    await load.stop();
    expect(load.others()).to.deep.equal({});
    const pids = (await pm2.instances()).map(({ pid }) => pid);
    expect(pids).to.have.length(2);
    for (const { pid } of before) expect(pids).to.not.include(pid);
  });

  it('starts a killed process again, and nothing that was acknowledged is lost', async () => {
    const apiKey = await customer();
    const [first, second] = await pm2.instances();
    process.kill(first!.pid, 'SIGKILL');
    const status = () =>
      eventually(
        // A connection may have been given to the one that died, and may never be answered.
        () => finalAnswer(() => statusOfKey(base, apiKey, AbortSignal.timeout(2000))).catch(() => undefined),
        'answer',
      );
    expect(await status()).to.equal(200);
    const back = await eventually(async () => {
      const all = await pm2.instances();
      const areBack = all.every(({ pid, pm2_env: env }) => env.status === 'online' && pid !== first!.pid);
      return all.length === 2 && areBack ? all : undefined;
    }, 'process in the place of the killed one');
    expect(back.map(({ pid }) => pid)).to.include(second!.pid);
    for (let tries = 0; tries < 20; tries++) expect(await status()).to.equal(200);
  });
});
