// Iconify API with given sets, in a separate process. Tests compare the responses of Blazon with the responses of
// Iconify API.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { untilAnswers } from '../../scripts/processes.js';
import { freePort } from '../../scripts/server-process.js';

export type IconifyApi = Awaited<ReturnType<typeof startIconifyApi>>;

/** Starts Iconify API. `sets`: prefix → content of the set's file. */
export async function startIconifyApi(sets: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-iconify-'));
  mkdirSync(join(folder, 'icons'));
  for (const [prefix, set] of Object.entries(sets))
    writeFileSync(join(folder, 'icons', `${prefix}.json`), JSON.stringify(set));
  const port = await freePort();
  const entry = join(dirname(createRequire(import.meta.url).resolve('@iconify/api/package.json')), 'lib/index.js');
  const settings = { ICONIFY_SOURCE: 'none', PORT: String(port), HOST: '127.0.0.1', LOG: 'false' };
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [entry], { cwd: folder, env, stdio: 'ignore' });
  const base = `http://127.0.0.1:${port}`;
  await untilAnswers(`${base}/collections`, child);
  return {
    base,
    close(): void {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
