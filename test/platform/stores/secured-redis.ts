// Redis servers that accept only TLS connections with a password: a single Redis or a cluster.
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { findBinary } from '../../../scripts/server-binaries.js';
import { startServerProcess, type ServerProcess } from '../../../scripts/server-process.js';
import { makeCertificate } from '../../support/certificate.js';
import { formCluster, freeNodePort, redisArguments } from '../../support/servers.js';
import { temporaryDir } from '../../support/temporary.js';

/** The password contains characters that must be percent-encoded in a URL. */
const REDIS_PASSWORD = 'p@ss/word:100%';

export interface SecuredRedis {
  /** Returns the `rediss://…` URLs of the nodes, separated by commas, with this password. */
  readonly url: (password?: string) => string;
  /** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
  /** Returns how often the servers have executed this command. */
  readonly calls: (command: string) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts one server, or a cluster of three masters. Returns undefined if `openssl` is missing, because it is needed for
 * the certificate.
 */
export async function startSecuredRedis(count: 1 | 3): Promise<SecuredRedis | undefined> {
  const made = makeCertificate();
  if (!made) return undefined;
  const { key, certificate, remove } = made;
  const nodes: ServerProcess[] = [];
  for (let at = 0; at < count; at++) {
    const dir = temporaryDir();
    const port = await freeNodePort();
    nodes.push(
      await startServerProcess({
        binary: findBinary('redis-server') ?? 'redis-server',
        port,
        args: [
          ...redisArguments(0, dir.path),
          ...['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key],
          ...['--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no', '--requirepass', REDIS_PASSWORD],
          ...(count > 1 ? ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--tls-replication', 'yes'] : []),
        ],
      }),
    );
  }
  const clients = nodes.map(
    ({ port }) =>
      new Redis({ host: '127.0.0.1', port, password: REDIS_PASSWORD, tls: { ca: readFileSync(certificate) } }),
  );
  if (count > 1) await formCluster(nodes, clients);
  return {
    url: (password = REDIS_PASSWORD) =>
      nodes.map(({ port }) => `rediss://:${encodeURIComponent(password)}@127.0.0.1:${port}`).join(','),
    certificate,
    async calls(command) {
      const infos = await Promise.all(clients.map((client) => client.info('commandstats')));
      const counts = infos.map((info) => Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(info)?.[1] ?? 0));
      return counts.reduce((sum, one) => sum + one);
    },
    async stop() {
      for (const client of clients) client.disconnect();
      await Promise.all(nodes.map((node) => node.kill()));
      remove();
    },
  };
}
