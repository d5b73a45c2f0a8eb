// Picture routes on a real server, with the imported catalog, real metering, and a rasterizer that the test provides.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readPlans } from '../../config/plans.js';
import { openEmbeddedQuotaAdmissions } from '../../src/metering/quota-admissions.sqlite.js';
import type { Bucket } from '../../src/accounts/plan.js';
import { pictureRoutes } from '../../src/pictures/pictures.routes.js';
import type { Rasterizer } from '../../src/pictures/rasterizer.js';
import { publicCatalog } from '../../src/catalog/account-catalogs.js';
import { createMetering } from '../../src/metering/metering.js';
import { someAccount } from './accounts.js';
import { openPictures } from './pictures.js';
import { startRoutes } from './route-server.js';
import { recordStores } from './stores.js';
import { temporaryDatabase } from './temporary.js';

export interface PictureAccount {
  readonly ask: (path: string, method?: 'GET' | 'HEAD') => Promise<Response>;
  /** Sends the request on a new connection and never reads the response. */
  readonly open: (path: string) => Promise<Socket>;
  readonly used: (bucket: Bucket) => Promise<number>;
}

export interface PictureServer {
  account(email: string): Promise<PictureAccount>;
  close(): Promise<void>;
}

export async function openPictureServer(rasterizer: Rasterizer): Promise<PictureServer> {
  const pictures = await openPictures(rasterizer);
  const { db, close: closeDatabase } = temporaryDatabase();
  const shared = publicCatalog(pictures.catalog);
  const plans = readPlans();
  const counting = createMetering({ admissions: openEmbeddedQuotaAdmissions({ db, plans, now: Date.now }), plans });
  const { base, port, close } = await startRoutes({
    routes: pictureRoutes,
    services: { ...pictures, metering: counting, accountCatalogs: { cached: () => shared } },
  });

  return {
    async account(email) {
      const { account, apiKey } = someAccount({ email, tier: 'internal' });
      await recordStores(db).accounts.insert(account);
      return {
        ask: (path, method = 'GET') => fetch(base + path, { method, headers: { 'X-API-Key': apiKey } }),
        async open(path) {
          const socket = connect(port, '127.0.0.1').on('error', () => undefined);
          await once(socket, 'connect');
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n\r\n`);
          return socket;
        },
        used: async (bucket) => (await counting.usageOf(account.id)).endpoints[bucket].used,
      };
    },
    async close() {
      await close();
      await pictures.close();
      closeDatabase();
    },
  };
}
