// Installs the compared services into .peers/ if they are missing, and starts them.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../server-process.js';
import { untilAnswers } from '../processes.js';

const ROOT = fileURLToPath(new URL('../../../.peers/', import.meta.url));
const PACKAGES = ['@iconify/api@3.1', 'ipx@3', '@iconify-json/simple-icons@1', '@iconify-json/logos@1'];
const LARGE_PACKAGE = '@iconify/json@2';

export interface Peer {
  readonly base: string;
  readonly pid: number;
  stop(): void;
}

export const peersFolder = ROOT;

export function installPeers({ large }: { large: boolean }): void {
  mkdirSync(ROOT, { recursive: true });
  const wanted = [...PACKAGES, ...(large ? [LARGE_PACKAGE] : [])];
  const missing = wanted.filter(
    (spec) => !existsSync(`${ROOT}node_modules/${spec.slice(0, spec.lastIndexOf('@'))}/package.json`),
  );
  if (missing.length === 0) return;
  console.log(`installing ${missing.join(', ')} into .peers/ …`);
  if (!existsSync(`${ROOT}package.json`)) writeFileSync(`${ROOT}package.json`, '{"private":true}\n');
  execFileSync('npm', ['install', '--prefix', ROOT, '--no-audit', '--no-fund', ...missing], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts Iconify API with the icon sets that are most similar to Blazon's catalog. */
export async function startIconify(): Promise<Peer> {
  const folder = `${ROOT}iconify/`;
  mkdirSync(`${folder}icons`, { recursive: true });
  for (const name of ['simple-icons', 'logos'])
    cpSync(`${ROOT}node_modules/@iconify-json/${name}/icons.json`, `${folder}icons/${name}.json`);
  const port = await freePort();
  const child = spawn(process.execPath, [`${ROOT}node_modules/@iconify/api/lib/index.js`], {
    cwd: folder,
    env: { ...process.env, ICONIFY_SOURCE: 'none', PORT: String(port), HOST: '127.0.0.1', LOG: 'false' },
    stdio: 'ignore',
  });
  return peer(child, port, '/simple-icons/github.svg');
}

const IPX_SERVER = `import { createServer } from 'node:http';
import { createIPX, createIPXNodeServer, ipxFSStorage } from 'ipx';
const ipx = createIPX({ storage: ipxFSStorage({ dir: process.env.PICTURES }) });
createServer(createIPXNodeServer(ipx)).listen(Number(process.env.PORT), '127.0.0.1');
`;

export async function startIpx(pictures: string, probe: string): Promise<Peer> {
  writeFileSync(`${ROOT}ipx-server.mjs`, IPX_SERVER);
  const port = await freePort();
  const child = spawn(process.execPath, [`${ROOT}ipx-server.mjs`], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), PICTURES: pictures },
    stdio: 'ignore',
  });
  return peer(child, port, probe);
}

async function peer(child: ChildProcess, port: number, probe: string): Promise<Peer> {
  const base = `http://127.0.0.1:${port}`;
  await untilAnswers(base + probe, child);
  return { base, pid: child.pid ?? 0, stop: () => void child.kill('SIGKILL') };
}
