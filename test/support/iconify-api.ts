// Iconify's own API over given sets, in a process of its own: what ours must answer.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface IconifyApi {
  readonly base: string;
  close(): void;
}

/** Of these files, by prefix. */
export async function startIconifyApi(sets: Readonly<Record<string, unknown>>): Promise<IconifyApi> {
  const require = createRequire(import.meta.url);
  const folder = mkdtempSync(join(tmpdir(), 'blazon-iconify-'));
  mkdirSync(join(folder, 'icons'));
  for (const [prefix, set] of Object.entries(sets))
    writeFileSync(join(folder, 'icons', `${prefix}.json`), JSON.stringify(set));
  const port = await freePort();
  const entry = join(dirname(require.resolve('@iconify/api/package.json')), 'lib/index.js');
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { PATH: process.env.PATH, ICONIFY_SOURCE: 'none', PORT: String(port), HOST: '127.0.0.1', LOG: 'false' },
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${base}/collections`).catch(() => undefined);
    if (answer?.ok === true) break;
    if (tries > 200 || child.exitCode !== null) throw new Error('@iconify/api did not start');
    await sleep(50);
  }
  return {
    base,
    close() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
