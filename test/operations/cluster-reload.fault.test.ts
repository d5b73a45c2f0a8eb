// The service under a real PM2: restarts of killed processes, and `npm run reload`. No request may fail during a
// reload. If the new release cannot start, the old processes keep running.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { freePort } from '../../scripts/server-process.js';
import { pageKey } from '../support/page-keys.js';
import { createTestPm2, type CommandEnd, type TestPm2 } from '../support/pm2.js';
import { describeWithServers } from '../support/servers.js';
import {
  clusterVariables,
  finalAnswer,
  ICONS,
  importSmallCatalog,
  openTestStores,
  sharedAddresses,
  statusOfKey,
} from '../support/service-cluster.js';
import { startLoad, type Load } from '../support/service-load.js';
import { isReady, ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';
import type { Stores } from '../../src/platform/stores/stores.js';

const CONNECTIONS = 4;
/** Number of responses to wait for before and after each reload. */
const SOME_ANSWERS = 100;
const WHAT_A_RELEASE_HAS = ['package.json', 'ecosystem.config.js', 'config', 'src'];
const WHAT_A_BUILD_HAS = ['config', 'src', 'workers', 'dashboard', 'docs'];
/**
 * Beginning of a statement that runs only under PM2. Before a reload, the new release is started once without PM2, as a
 * test. This test does not run the statement, and therefore finds no fault in it.
 */
const UNDER_PM2 = 'if (process.env.pm_id !== undefined)';

describeWithServers('the service under PM2', ['mongod', 'redis-server'], () => {
  let release: ReturnType<typeof temporaryDir>;
  let pm2: TestPm2;
  let base: string;
  let stores: Stores;
  let redisUrl: string;
  let main: string;
  let code: string;

  before(async () => {
    const addresses = await sharedAddresses();
    ({ redisUrl } = addresses);
    await importSmallCatalog(addresses);
    stores = await openTestStores(addresses);
    release = copyOfRelease();
    main = join(release.path, 'dist/src/main.js');
    code = readFileSync(main, 'utf8');
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    pm2 = createTestPm2(release.path, {
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
    release.remove();
  });

  it('starts a killed process again, and nothing that was acknowledged is lost', async () => {
    const { account, apiKey } = someAccount({ tier: 'internal' });
    await stores.accounts.insert(account);
    const [first, second] = await pm2.instances();
    process.kill(first!.pid, 'SIGKILL');
    const status = () =>
      eventually(
        // Aborts each attempt after two seconds, because a request on a connection of the killed process may never get
        // a response.
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

  describe('with npm run reload', () => {
    let load: Load;
    before(async () => {
      const { raw, apiKey } = await pageKey({ stores });
      // Includes an Iconify path, because the first request to this path makes a new process build the icon sets. No
      // request may fail during this work.
      const paths = [...ICONS.map((slug) => `/v1/svg/${slug}`), `/iconify/${raw}/blazon.json?icons=${ICONS.join()}`];
      load = startLoad(CONNECTIONS, { apiKey, next: () => base, paths });
    });
    after(() => load.stop());
    beforeEach(async () => {
      writeFileSync(main, code);
      await someAnswers();
    });
    afterEach(async () => {
      await someAnswers();
      expect(load.others()).to.deep.equal({});
    });

    async function someAnswers(): Promise<void> {
      const enough = load.answered() + SOME_ANSWERS;
      while (load.answered() < enough) await sleep(20);
    }
    const build = (first: string) => writeFileSync(main, `${first}\n${code}`);
    const reload = (words: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) =>
      pm2.node(join(release.path, 'dist/src/cli/main.js'), ['reload', ...words], variables);
    const pids = async () => (await pm2.instances()).map(({ pid }) => pid).sort((one, other) => one - other);
    async function expectNothingReloaded(run: () => Promise<CommandEnd>, ...texts: readonly (string | RegExp)[]) {
      const before = await pids();
      const { code: exitCode, output } = await run();
      expect(exitCode, output).to.equal(1);
      for (const text of [...texts, 'Nothing was reloaded']) expect(output).to.match(new RegExp(text));
      expect(output).to.not.include(redisUrl);
      expect(await pids()).to.deep.equal(before);
    }

    it('replaces every process', async () => {
      const before = await pids();
      const { code: exitCode, output } = await reload();
      expect(exitCode, output).to.equal(0);
      const after = await pids();
      expect(after).to.have.length(2);
      for (const pid of before) expect(after).to.not.include(pid);
    });

    it('applies a changed variable to every process, and keeps it', async () => {
      const port = await freePort();
      const metrics = `http://127.0.0.1:${port}`;
      const changed = await reload([], { METRICS_PORT: String(port) });
      expect(changed.code, changed.output).to.equal(0);
      expect(await isReady(metrics)).to.equal(true);
      const kept = await reload();
      expect(kept.code, kept.output).to.equal(0);
      expect(await isReady(metrics)).to.equal(true);
      const isDefault = await reload([], { METRICS_PORT: '' });
      expect(isDefault.code, isDefault.output).to.equal(0);
      expect(await isReady(metrics)).to.equal(false);
    });

    it('rejects a build that cannot start, with its last lines', async () => {
      build(`console.error('the module is missing, says ' + process.env.REDIS_URL); process.exit(3);`);
      await expectNothingReloaded(reload, 'the module is missing', 'ended with exit code 3');
    });

    it('rejects a build that never becomes ready', async () => {
      build('await new Promise((resolve) => setTimeout(resolve, 1e9));');
      await expectNothingReloaded(() => reload(['--wait', '3']), 'was not ready within 3 s');
    });

    it('rejects a wrong variable', async () => {
      await expectNothingReloaded(() => reload([], { RENDER_THREADS: 'many' }), 'RENDER_THREADS.*allowed');
    });

    it('rejects a store that is away', async () => {
      const away = { REDIS_URL: `redis://:a-password-of-redis@127.0.0.1:${await freePort()}` };
      const run = async () => {
        const end = await reload([], away);
        expect(end.output).to.not.include('a-password-of-redis');
        return end;
      };
      await expectNothingReloaded(run, 'ERROR +redis', 'Fix the problems marked ERROR');
    });

    for (const [what, first, wait, reason] of [
      ['ends', `${UNDER_PM2} { console.error('no place under PM2'); process.exit(3); }`, '120', 'the process ended'],
      [
        'is not ready',
        `${UNDER_PM2} await new Promise((resolve) => setTimeout(resolve, 1e9));`,
        '30',
        'the process was not ready',
      ],
    ] as const)
      it(`stops at the first process that ${what} under PM2, keeps its predecessor, and continues after the cause is fixed`, async () => {
        const before = await pids();
        build(first);
        const failed = await reload(['--wait', wait]);
        expect(failed.code, failed.output).to.equal(1);
        expect(failed.output).to.include(`The new process 0 was stopped: ${reason}`);
        if (what === 'ends') expect(failed.output).to.include('no place under PM2');
        // Both old processes still run. PM2 no longer lists one of them, so the test looks up the process ids.
        for (const pid of before) expect(process.kill(pid, 0)).to.equal(true);
        await someAnswers();

        writeFileSync(main, code);
        const mended = await reload();
        expect(mended.code, mended.output).to.equal(0);
        const after = await pm2.instances();
        expect(after.map((one) => one.pm_id)).to.have.members([0, 1]);
        for (const { pid } of after) expect(before).to.not.include(pid);
      });
  });
});

/** Creates a copy of the release, so that a test can break the build in the copy. */
function copyOfRelease(): ReturnType<typeof temporaryDir> {
  const folder = temporaryDir();
  for (const name of WHAT_A_RELEASE_HAS) cpSync(join(ROOT, name), join(folder.path, name), { recursive: true });
  mkdirSync(join(folder.path, 'dist'));
  for (const name of WHAT_A_BUILD_HAS)
    cpSync(join(ROOT, 'dist', name), join(folder.path, 'dist', name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  return folder;
}
