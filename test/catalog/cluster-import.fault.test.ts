// Two service processes that start at the same time on empty servers: one imports the catalog, and the other waits.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig } from '../../config/catalog.js';
import { openSanitizer } from '../../src/catalog/sanitizer.worker.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import type { Slug } from '../../src/catalog/entry.js';
import type { ImportSession } from '../../src/catalog/catalog-store.js';
import { importCatalog } from '../../src/catalog/import/import-catalog.js';
import { importText } from '../../src/catalog/import/import-progress.js';
import { eventually } from '../support/auth.js';
import { smallSource } from '../support/catalog-imports.js';
import { runCli } from '../support/cli.js';
import { describeWithServers } from '../support/servers.js';
import {
  clusterVariables,
  openTestStores,
  sharedAddresses,
  type ClusterAddresses,
} from '../support/service-cluster.js';
import { beginService, endServices, isReady, untilReady } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

describeWithServers('two processes that start without a catalog', ['mongod', 'redis-server'], function () {
  let addresses: ClusterAddresses;
  let stores: Stores;
  let folder: ReturnType<typeof temporaryDir>;
  const open = () => openTestStores(addresses);
  const begin = (name: string) => beginService({ ...clusterVariables(addresses), DATA_DIR: join(folder.path, name) });
  beforeEach(async () => {
    addresses = await sharedAddresses();
    folder = temporaryDir();
    // All three connections open at the same time. Only one of them may create the indexes.
    const [first, ...others] = await Promise.all([open(), open(), open()]);
    await Promise.all(others.map((one) => one.close()));
    stores = first;
  });
  afterEach(async () => {
    await endServices();
    await stores.close();
    folder.remove();
  });

  async function importIcon(session: ImportSession): Promise<void> {
    const sanitizer = openSanitizer();
    await importCatalog({
      sources: [await smallSource(folder.path, ['acme'])],
      store: { ...stores.catalog, beginImport: async () => session },
      sanitizer,
      policy: { ...readCatalogConfig(), hosts: readBrandFacts().hosts },
      onProgress: () => undefined,
    });
    await sanitizer.close();
  }

  it("wait for another process's import, and serve its catalog", async () => {
    const session = (await stores.catalog.beginImport())!;
    const { status, stderr } = await runCli('catalog', ['import'], {
      ...clusterVariables(addresses),
      DATA_DIR: join(folder.path, 'command'),
    });
    expect([status, stderr.trim().split('\n').length], stderr).to.deep.equal([75, 1]);
    const processes = await Promise.all([begin('a'), begin('b')]);
    for (const { child, base, output } of processes) {
      await eventually(() => output().includes(importText({ phase: 'elsewhere' })), 'attempt to import');
      expect(child.exitCode, output()).to.equal(null);
      expect(await isReady(base)).to.equal(false);
    }
    await importIcon(session);
    await Promise.all(processes.map(untilReady));
    expect((await stores.catalog.find('acme' as Slug)).kind).to.equal('entry');
    expect((await stores.catalog.state())!.generation, 'one import').to.equal(1);
  });

  it('import it once', async function () {
    if (process.env.BLAZON_LONG_TESTS !== '1') this.skip();
    const processes = await Promise.all([begin('a'), begin('b')]);
    for (const one of processes)
      while (!(await isReady(one.base))) {
        expect(one.child.exitCode, one.output()).to.equal(null);
        await sleep(500);
      }
    expect((await stores.catalog.state())!.generation, 'one import').to.equal(1);
  });
});
