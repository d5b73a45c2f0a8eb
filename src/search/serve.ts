// Services that request handlers need for searches: the indexes of search and of hosts. The indexes are rebuilt when
// the catalog changes.
import { hash } from 'node:crypto';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import type { Serving } from '../platform/feature.js';
import { openCatalogIndex } from './indexes.js';
import { createSearch } from './search.js';

export async function serveSearch({ stores, services, shares, log }: Serving) {
  const { catalog, publishedCatalog, deployment, turns } = services;
  const facts = { brandFacts: readBrandFacts(), kinds: readKinds().kinds };
  const onError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const index = openCatalogIndex({ catalog: publishedCatalog, ...facts, onError });
  // The integrity check at the start skips a part of large database files. Building the index reads this part, so that
  // damage in it is found.
  await stores.readIntact(() => index.current());
  catalog.onGeneration(() => void index.refresh().catch(onError));
  const fingerprint = hash('sha256', JSON.stringify([deployment.version, deployment.origin, facts]));
  return {
    services: {
      index,
      search: createSearch({ index, turns, cacheBytes: shares.searches }),
      // The text contains the generation numbers of both the catalog and the index, because the index changes a moment
      // after the catalog. `publishedAt` is not enough, because it stays the same when an entry is withdrawn.
      catalogVersion: () => {
        const { publishedAt = '', generation = 0 } = catalog.state() ?? {};
        return `${fingerprint} ${publishedAt} ${generation} ${index.peek()?.generation ?? 0}`;
      },
    },
    checks: {
      async search() {
        if (!index.peek()?.generation) throw new Error('the index for search and brands is not built yet');
      },
    },
    refresh: async () => {
      await index.refresh();
    },
    close: () => index.close(),
  };
}
