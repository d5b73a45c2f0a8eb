// Services with which request handlers read the catalog, and functions that support the import into an empty or
// outdated catalog.
import { readLicenseTexts } from '../../config/licenses.js';
import type { Serving } from '../platform/feature.js';
import { commandText } from '../platform/command-text.js';
import { bundleUpdate } from './bundle-update.js';
import { openCatalog } from './catalog.js';
import { bundledCatalog } from './sources/bundle-folder.js';
import { createNotice } from './write-license-notice.js';

export async function serveCatalog({ stores, shares, log }: Serving) {
  const bounds = { entryBytes: shares.catalogEntries, drawingChars: shares.catalogDrawings };
  const onPollError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const catalog = await openCatalog({ store: stores.catalog, bounds, onPollError });
  return {
    services: {
      catalog,
      // Indexes use the state of the catalog service, so that requests and indexes change to a new catalog at the same
      // time.
      publishedCatalog: {
        state: async () => catalog.state(),
        entries: () => stores.catalog.entries(),
        sources: () => stores.catalog.sources(),
      },
      notice: createNotice({ store: stores.catalog, state: () => catalog.state(), texts: readLicenseTexts() }),
      catalogUpdates: {
        async bundleUpdate() {
          const bundle = bundledCatalog();
          return bundle && bundleUpdate(bundle.facts, await stores.catalog.sources());
        },
        async discardImport() {
          // `beginImport` removes the rows of imports that were never published. The new session imports nothing, and
          // is closed immediately.
          const session = await stores.catalog.beginImport();
          await session?.close();
          return session !== undefined;
        },
      },
    },
    checks: {
      async catalog() {
        if (!catalog.state())
          throw new Error(
            `the catalog is empty: it is being imported, or must be imported with ${commandText('catalog import')}`,
          );
      },
    },
    refresh: () => catalog.refresh(),
    close: async () => catalog.close(),
  };
}
