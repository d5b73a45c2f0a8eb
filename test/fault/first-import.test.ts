// Readiness before, during and after the first import.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readEnv } from '../../config/env.js';
import { openCatalogTools } from '../../src/compose/catalog-tools.js';
import { openSvgFolder } from '../../src/compose/icon-sources.js';
import { compose } from '../../src/compose/service.js';
import { createHttpServer } from '../../src/http/connections/server.js';
import { capturedLog } from '../support/secret-taps.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

describe('a service without a catalog', () => {
  it('is not ready before the index of search and brands is built', async () => {
    const { path, remove } = temporaryDir();
    const dataDir = join(path, 'data');
    const env = readEnv({ DATA_DIR: dataDir, PORT: '0' }, '0.0.0');
    const { log, inspect } = capturedLog();
    const service = await compose(env, log);
    const server = createHttpServer(service.handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const readiness = async () => {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
      const { checks } = (await response.json()) as { checks: Record<string, string> };
      return { status: response.status, checks };
    };
    const before = await readiness();
    expect(before.status).to.equal(503);
    expect(before.checks.catalog).to.include('empty');
    expect(before.checks.search).to.include('not built');

    const icons = join(path, 'icons');
    mkdirSync(icons);
    writeFileSync(
      join(icons, 'acme.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></svg>',
    );
    const tools = await openCatalogTools(embeddedIn(dataDir));
    await tools.importSources(
      () => undefined,
      [await openSvgFolder({ folder: icons, kind: 'brands', prefix: null, title: null, license: 'MIT' })],
    );
    await tools.close();
    // It may be noticed by now; what is ready has its index in any case.
    const meanwhile = await readiness();
    expect(meanwhile.status === 200).to.equal(meanwhile.checks.catalog === 'ok' && meanwhile.checks.search === 'ok');
    await service.refreshCatalog();
    expect(await readiness()).to.deep.equal({
      status: 200,
      checks: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    });

    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await service.close();
    remove();
    inspect();
  });
});
