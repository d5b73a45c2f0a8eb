// Main program: reads the configuration, opens the service and listens. Imports the catalog if it is empty. Shuts down
// gracefully on SIGTERM.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { Command, Option } from 'commander';
import { processEnv, processWarnings, VARIABLES, type Env } from '../config/env.js';
import { ConfigError, EXIT_CONFIG } from '../config/config-error.js';
import { configFolderWarnings } from '../config/json-file.js';
import { EXIT_USAGE } from './platform/command-line/command.js';
import { COMMANDS } from './cli/commands.js';
import type { Service } from './service.js';
import { fillCatalog, ImportFailed, updateCatalog } from './catalog/first-import.js';
import { drained, createHttpServer } from './platform/http/connections/server.js';
import { createLog, redacted } from './platform/log.js';
import { commandText, withCommandTexts } from './platform/command-text.js';
import { packageVersion } from './platform/package-version.js';

async function main({ trial }: CliFlags): Promise<void> {
  const shutdown = new AbortController();
  // `once` is not enough, because Ctrl-C with `npm start` sends the signal twice: once from the terminal, once from
  // npm.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.abort());
  const env = processEnv(packageVersion());
  for (const warning of [...processWarnings(env), ...configFolderWarnings()]) console.error(warning);
  // `service.js` is loaded only after the environment is checked, because loading it takes most of the start time.
  const { compose } = await import('./service.js');
  const log = createLog(env);
  const service = await compose(env, log);
  const server = createHttpServer(service.handle);
  try {
    // Listens before the catalog is imported, so that a port conflict is reported immediately. During the import,
    // /readyz reports that the catalog is missing.
    await listen(server, { variable: 'PORT', host: env.HOST, port: env.PORT });
    if (service.metricsServer) await listen(service.metricsServer, metricsListener(env));
    if (trial !== true) service.startJobs();
    if (service.catalogIsEmpty() && !shutdown.signal.aborted) await fillCatalog(service, shutdown.signal);
  } catch (error) {
    if (server.listening) await stop(server, service);
    else await service.close();
    if (shutdown.signal.aborted) return;
    throw error;
  }
  if (!shutdown.signal.aborted) {
    announce(env, server);
    if (process.getuid?.() === 0)
      log.warn('the service runs as root, and so do its worker processes: run it as a dedicated user');
    // Tells a process manager (pm2's wait_ready) that the service accepts requests.
    process.send?.('ready');
    const updated = trial === true ? undefined : updateCatalog(service, shutdown.signal);
    await once(shutdown.signal, 'abort');
    await updated;
  }
  await stop(server, service);
}

interface Address {
  readonly variable: 'PORT' | 'METRICS_PORT';
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the address for metrics. The first process on this host uses METRICS_PORT. The number of each further process
 * is added to the port.
 */
function metricsListener({ METRICS_PORT, NODE_APP_INSTANCE }: Env): Address {
  return { variable: 'METRICS_PORT', host: '127.0.0.1', port: METRICS_PORT + NODE_APP_INSTANCE };
}

async function listen(server: Server, address: Address): Promise<void> {
  server.listen(address.port, address.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, address);
  }
}

const OTHER_PORTS = { PORT: 3001, METRICS_PORT: 9500 } as const;

function listenError(error: NodeJS.ErrnoException, { variable, host, port }: Address): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `${variable}: ${port} is already in use on ${host}. Stop the program that uses it, or choose another ` +
          `port, for example ${variable}=${OTHER_PORTS[variable]} ${commandText()}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `HOST: ${host} is not an IP address of this machine; allowed: 127.0.0.1, 0.0.0.0 or an address of this ` +
          'machine',
      );
    case 'EACCES':
      return new ConfigError(`${variable}: this process is not allowed to use port ${port}; allowed: 1024 to 65535`);
    case undefined:
    default:
      return error;
  }
}

/** Stops accepting requests, waits for the requests that are being answered, and closes the stores. */
async function stop(server: Server, service: Service): Promise<void> {
  service.drain();
  await drained(server);
  service.metricsServer?.close();
  service.metricsServer?.closeAllConnections();
  await service.close();
}

function announce(env: Env, server: Server): void {
  const { port } = server.address() as AddressInfo;
  const address = env.PUBLIC_URL.replace(/:0$/, `:${port}`);
  const mails =
    env.SMTP_URL === ''
      ? `\n  Mails       files in ${resolve(env.DATA_DIR, 'outbox')}, because SMTP_URL is not set`
      : '';
  console.log(`
  Blazon ${env.VERSION} serves at ${address}

  Reference   ${address}/docs${mails}
  Next step   ${commandText('account create you@example.com --tier internal')}
  Then        curl ${address}/v1/svg/github -H 'X-API-Key: <the key that it printed>'
`);
}

interface CliFlags {
  /**
   * True for a test start by `npm run reload`. A test start runs no jobs and processes no payment events, because the
   * processes that serve requests do both.
   */
  readonly trial?: true;
}

/** Parses the command line. `--help`, `--version` and wrong usage end the process. */
function readWords(): CliFlags {
  return new Command(commandText())
    .description(`Blazon ${packageVersion()}: serves icons and brand assets. Configure it with environment variables:`)
    .version(packageVersion(), '-V, --version')
    .helpOption('--help')
    .addHelpText(
      'after',
      `\nVariables (default): purpose\n${variableLines().join('\n')}\n\nExample: PORT=8080 ${commandText()}\n` +
        `Other commands (for example ${commandText('account --help')}): ${Object.keys(COMMANDS).join(', ')}`,
    )
    .addOption(new Option('--trial').hideHelp())
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE))
    .parse()
    .opts<CliFlags>();
}

function variableLines(): string[] {
  return Object.entries(VARIABLES).map(
    ([name, { default: fallback, meaning }]) =>
      `  ${name}${fallback === '' ? '' : ` (${fallback})`}: ${withCommandTexts(meaning.replaceAll('`', ''))}`,
  );
}

main(readWords()).then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof ConfigError) {
      console.error(error.message);
      process.exit(EXIT_CONFIG);
    }
    if (error instanceof ImportFailed) {
      console.error(error.message);
      process.exit(1);
    }
    console.error(redacted(inspect(error)));
    process.exit(1);
  },
);
