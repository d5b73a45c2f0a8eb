// The service under PM2: reloaded under load without a failed request, and a killed process comes back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { someAccount } from '../support/accounts.js';
import { secretWatch } from '../support/secret-guard.js';
import { freePort } from '../../scripts/server-process.js';
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
import { temporaryDir } from '../support/temporary.js';
import { openClusterStores } from '../../src/compose/cluster-stores.js';
import { readPlans } from '../../config/plans.js';
import type { Stores } from '../../src/compose/stores.js';

const PM2 = fileURLToPath(import.meta.resolve('pm2/bin/pm2'));
const REQUESTS = process.env.BLAZON_LONG_TESTS === '1' ? 20_000 : 5000;
const CONNECTIONS = 16;
const COMMAND_LIMIT_MS = 90_000;

interface Instance {
  readonly pid: number;
  readonly pm2_env: { readonly status: string };
}

describeWithServers('the service under PM2', ['mongod', 'redis-server'], () => {
  let variables: Record<string, string>;
  let folder: ReturnType<typeof temporaryDir>;
  let base: string;
  let stores: Stores;

  /** With a home of its own, so that a PM2 of the machine is left alone. */
  async function pm2(...words: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [PM2, ...words], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder.path, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_LIMIT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Not `close`: its daemon keeps the pipes.
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`pm2 ${words.join(' ')}: ${code ?? 'killed'}\n${output}`);
    return output;
  }
  async function instances(): Promise<Instance[]> {
    const output = await pm2('jlist');
    return JSON.parse(output.slice(output.lastIndexOf('\n[') + 1)) as Instance[];
  }
  const pidOfDaemon = (): number => Number(readFileSync(join(folder.path, 'pm2', 'pm2.pid'), 'utf8'));

  before(async () => {
    const addresses = await sharedAddresses();
    await importSmallCatalog(addresses);
    stores = await openClusterStores({ ...addresses, plans: readPlans(), now: Date.now, onError: () => undefined });
    folder = temporaryDir();
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    variables = {
      ...clusterVariables(addresses),
      PM2_HOME: join(folder.path, 'pm2'),
      PM2_DISABLE_VERSION_CHECK: 'true',
      DATA_DIR: join(folder.path, 'data'),
      HOST: '127.0.0.1',
      PORT: String(port),
      BLAZON_INSTANCES: '2',
      LOG_LEVEL: 'warn',
    };
    await pm2('start', 'ecosystem.config.js');
    await eventually(() => isReady(base), 'answer');
  });
  after(async () => {
    let daemon: number | undefined;
    try {
      daemon = pidOfDaemon();
      await pm2('kill');
    } finally {
      if (daemon !== undefined) kill(daemon);
      await stores.close();
      secretWatch.inspectFolder(folder.path);
      folder.remove();
    }
  });

  async function customer(): Promise<string> {
    const { account, apiKey } = someAccount({ tier: 'internal' });
    await stores.accounts.insert(account);
    return apiKey;
  }

  it('fails no request while it is reloaded', async () => {
    const before = await instances();
    expect(before).to.have.length(2);
    const load = startLoad(CONNECTIONS, { apiKey: await customer(), next: () => base });
    while (load.answered() < REQUESTS / 4) await sleep(20);
    await pm2('reload', 'blazon');
    while (load.answered() < REQUESTS) await sleep(20);
    await load.stop();
    expect(load.others()).to.deep.equal({});
    const pids = (await instances()).map(({ pid }) => pid);
    expect(pids).to.have.length(2);
    for (const { pid } of before) expect(pids).to.not.include(pid);
  });

  it('starts a killed process again, and nothing that was acknowledged is lost', async () => {
    const apiKey = await customer();
    const [first, second] = await instances();
    process.kill(first!.pid, 'SIGKILL');
    const status = () =>
      eventually(
        // A connection may have been given to the one that died, and may never be answered.
        () => finalAnswer(() => statusOfKey(base, apiKey, AbortSignal.timeout(2000))).catch(() => undefined),
        'answer',
      );
    expect(await status()).to.equal(200);
    const back = await eventually(async () => {
      const all = await instances();
      const areBack = all.every(({ pid, pm2_env: env }) => env.status === 'online' && pid !== first!.pid);
      return all.length === 2 && areBack ? all : undefined;
    }, 'process in the place of the killed one');
    expect(back.map(({ pid }) => pid)).to.include(second!.pid);
    for (let tries = 0; tries < 20; tries++) expect(await status()).to.equal(200);
  });
});

/** Should it still be there. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
}
