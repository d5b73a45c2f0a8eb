// The picture routes on a real server over the imported catalog and a rasterizer of the test's own, with real metering.
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { readPlans } from '../../config/plans.js';
import { openEmbeddedQuotaAdmissions } from '../../src/adapters/embedded/accounts/quota-admissions.js';
import type { Bucket } from '../../src/domain/metering/plan.js';
import { createHttpApp } from '../../src/http/app.js';
import { createAuthentication } from '../../src/http/auth/authentication.js';
import type { Sessions } from '../../src/services/accounts/sessions.js';
import { createBrowserCookies } from '../../src/http/auth/cookies.js';
import type { RouteServices } from '../../src/http/route-services.js';
import { imageRoutes } from '../../src/http/routes/catalog/images.js';
import type { Rasterizer } from '../../src/ports/rasterizer.js';
import { createMetering } from '../../src/services/metering.js';
import { someAccount } from '../support/accounts.js';
import { openPictures } from '../support/pictures.js';
import { recordStores } from '../support/stores.js';
import { temporaryDatabase } from '../support/temporary.js';

const SILENT = { error: () => undefined, info: () => undefined, isLevelEnabled: () => false };

export interface DrawingAccount {
  readonly ask: (path: string, method?: 'GET' | 'HEAD') => Promise<Response>;
  /** Sends the request on a connection of its own and does not read the answer. */
  readonly open: (path: string) => Promise<Socket>;
  readonly used: (bucket: Bucket) => Promise<number>;
}

export interface DrawingServer {
  account(email: string): Promise<DrawingAccount>;
  close(): Promise<void>;
}

export async function openDrawingServer(rasterizer: Rasterizer): Promise<DrawingServer> {
  const pictures = await openPictures(rasterizer);
  const { db, close: closeDatabase } = temporaryDatabase();
  const plans = readPlans();
  const counting = createMetering({ admissions: openEmbeddedQuotaAdmissions({ db, plans, now: Date.now }), plans });
  const app = createHttpApp({
    routes: imageRoutes,
    services: { ...pictures, metering: counting } as unknown as RouteServices,
    identify: createAuthentication({
      // No request signs in here.
      sessions: {} as Sessions,
      cookies: createBrowserCookies('http://localhost'),
      origin: 'http://localhost',
    }),
    log: SILENT,
    origin: 'http://localhost:3000',
    trustedProxies: 0,
    isDraining: () => false,
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    async account(email) {
      const { account, apiKey } = someAccount({ email, tier: 'internal' });
      await recordStores(db).accounts.insert(account);
      return {
        ask: (path, method = 'GET') =>
          fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { 'X-API-Key': apiKey } }),
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
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await pictures.close();
      closeDatabase();
    },
  };
}
