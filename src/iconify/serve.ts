// Services that answer requests to the Iconify API. The icon sets are rebuilt when the catalog changes.
import type { Serving } from '../platform/feature.js';
import { openIconSets } from './icon-sets.js';
import { createIconify } from './iconify.js';

export function serveIconify({ services, shares, log }: Serving) {
  const { catalog, publishedCatalog, turns } = services;
  const onError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const sets = openIconSets({ catalog: publishedCatalog, onError });
  // Does nothing until a request has built the icon sets. After that, keeps the sets up to date.
  const refresh = async (): Promise<void> => {
    if (sets.peek()) await sets.refresh();
  };
  catalog.onGeneration(() => void refresh().catch(onError));
  return {
    services: { iconify: createIconify({ sets, catalog, turns, cacheBytes: shares.iconAnswers }) },
    refresh,
    close: () => sets.close(),
  };
}
