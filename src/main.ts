// The process: configure, compose, import the catalog if there is none, listen, and drain when told to stop.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processEnv, type Env } from '../config/env.js';
import { ConfigError } from '../config/refusal.js';
import { compose, openLog, type Service } from './compose.js';
import { packageVersion } from './package-version.js';

/** sysexits.h: EX_CONFIG */
const EXIT_CONFIG = 78;
/** What is still open after this is cut off; the promise is to be gone within 10 s. */
const DRAIN_MS = 8000;
const REQUEST_TIMEOUT_MS = 30_000;

async function main(): Promise<void> {
  const env = processEnv(packageVersion());
  const log = openLog(env);
  const service = await compose(env, log);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, service.handle);
  server.on('clientError', service.handleUnreadable);
  try {
    await listen(server, env);
  } catch (error) {
    await service.close();
    throw error;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      void stop(server, service).then(() => process.exit(0));
    });
  }
  announce(env, server);
  // A supervisor that waits for it (pm2 wait_ready) learns that requests may come.
  process.send?.('ready');
}

function listen(server: Server, { PORT, HOST }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new ConfigError(`PORT: ${PORT} is taken on ${HOST}; stop what listens there or choose another, as in PORT=3001 npm start`));
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') reject(new ConfigError(`HOST: ${HOST} is not an address of this machine; allowed: 127.0.0.1, 0.0.0.0 or one that is`));
      else if (error.code === 'EACCES') reject(new ConfigError(`PORT: ${PORT} needs more rights than this process has; allowed: 1024 to 65535`));
      else reject(error);
    });
    server.listen(PORT, HOST, resolve);
  });
}

/** Stops accepting, lets what is in flight finish, closes the stores. */
async function stop(server: Server, service: Service): Promise<void> {
  service.drain();
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cutOff);
  await service.close();
}

function announce(env: Env, server: Server): void {
  const { port } = server.address() as AddressInfo;
  const address = env.PUBLIC_URL.replace(/:0$/, `:${port}`);
  console.log(`
  Blazon ${env.VERSION} serves at ${address}

  Reference   ${address}/docs
  Next step   curl -s ${address}/auth/register -H 'Content-Type: application/json' \\
                -d '{"email":"you@example.com","password":"a long pass phrase"}'
  Then        curl ${address}/v1/svg/github -H 'X-API-Key: <the key it shows once>'
`);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    console.error(error.message);
    process.exit(EXIT_CONFIG);
  }
  console.error(error);
  process.exit(1);
});
