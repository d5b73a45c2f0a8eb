// Readiness before, during and after the first import.
import { expect } from 'chai';
import { openCatalogTools } from '../../src/catalog/catalog-tools.js';
import { smallSource } from '../support/catalog-imports.js';
import { startServer } from '../support/server.js';
import { embeddedIn } from '../support/stores.js';

describe('a service without a catalog', () => {
  it('is not ready before the index of search and brands is built', async () => {
    const server = await startServer({}, Date.now, 'none');
    const readiness = async () => {
      const response = await server.get('/readyz');
      const { checks } = (await response.json()) as { checks: Record<string, string> };
      return { status: response.status, checks };
    };
    const before = await readiness();
    expect(before.status).to.equal(503);
    expect(before.checks.catalog).to.include('empty');
    expect(before.checks.search).to.include('not built');

    const tools = await openCatalogTools(embeddedIn(server.dataDir));
    await tools.importSources(() => undefined, [await smallSource(server.dataDir, ['acme'])]);
    await tools.close();
    // The service may have noticed the catalog in the meantime. If it reports that it is ready, it must have a search
    // index.
    const meanwhile = await readiness();
    expect(meanwhile.status === 200).to.equal(meanwhile.checks.catalog === 'ok' && meanwhile.checks.search === 'ok');
    await server.service.refreshCatalog();
    expect(await readiness()).to.deep.equal({
      status: 200,
      checks: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    });
    await server.close();
  });
});
