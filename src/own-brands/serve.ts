// Services that request handlers need for own brands: catalogs that include own brands, and changes of own brands.
import { createAccountCatalogs } from '../catalog/account-catalogs.js';
import { openSanitizer } from '../catalog/sanitizer.worker.js';
import type { Serving } from '../platform/feature.js';
import { createUnpackingMemory } from './archive.js';
import { createDrawingUploads } from './drawing-uploads.js';
import { createOwnBrandPages } from './own-index.js';
import { createOwnBrands } from './own-brands.js';

/** Number of processes that sanitize uploaded drawings. The processes end when there are no uploads. */
const UPLOAD_PROCESSES = 2;
const UPLOAD_TIMEOUT_MS = 5000;
const UPLOAD_IDLE_MS = 30_000;

export function serveOwnBrands({ stores, services, shares, fence }: Serving) {
  const { catalog, turns, accountContext } = services;
  const accountCatalogs = createAccountCatalogs({
    ...{ catalog, turns, ownBrands: createOwnBrandPages(stores.ownBrandTexts) },
    bounds: { pageBytes: shares.ownBrands, drawingChars: shares.ownDrawings },
  });
  const limits = { drawingTimeoutMs: UPLOAD_TIMEOUT_MS, idleMs: UPLOAD_IDLE_MS };
  const sanitizer = openSanitizer({ processes: UPLOAD_PROCESSES, fence, ...limits });
  return {
    services: {
      accountCatalogs,
      ownBrands: createOwnBrands({
        ...accountContext,
        catalogs: accountCatalogs,
        uploads: createDrawingUploads({ sanitizer, atOnce: UPLOAD_PROCESSES }),
        unpackingMemory: createUnpackingMemory(shares.unpackedArchives),
      }),
    },
    close: () => sanitizer.close(),
  };
}
