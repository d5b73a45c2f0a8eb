// Serves single routes in this process. The test provides the services that they use.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthentication } from '../../src/accounts/authentication/authentication.js';
import { createBrowserCookies } from '../../src/accounts/authentication/cookies.js';
import type { Route } from '../../src/platform/http/route.js';
import { createHttpApp } from '../../src/serving/app.js';

interface Options {
  readonly routes: readonly Route[];
  readonly services: object;
  /** Replaces the service `sessions`, which checks cookies and access tokens. */
  readonly sessions?: object;
  readonly origin?: string;
  readonly trustedProxies?: number;
}

export type RouteServer = Awaited<ReturnType<typeof startRoutes>>;

export async function startRoutes(options: Options) {
  const { routes, services, sessions = {}, origin = 'http://localhost', trustedProxies = 0 } = options;
  const handle = createHttpApp({
    ...{ routes, origin, trustedProxies, services: { now: Date.now, ...services } as never },
    identify: createAuthentication({
      sessions: sessions as never,
      verifyKey: undefined as never,
      cookies: createBrowserCookies(origin),
      origin,
      now: Date.now,
    }),
    log: { error: () => undefined, info: () => undefined, isLevelEnabled: () => false },
    isDraining: () => false,
    bounds: { uploadBytes: 2 ** 27, addressBytes: 2 ** 23 },
  });
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
