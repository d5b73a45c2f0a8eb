// Load generators: wrk where it is installed, else autocannon; and a small client for cold pictures and latencies.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peersFolder } from './peers.js';

const CONNECTIONS = 64;
const run = promisify(execFile);

export interface Load {
  readonly base: string;
  /** Asked in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

export const loadTool = hasWrk() ? 'wrk -t1 -c64' : 'autocannon -c64';

/** Requests per second; throws when any answer was an error. */
export async function requestsPerSecond(load: Load): Promise<number> {
  return hasWrk() ? withWrk(load) : withAutocannon(load);
}

async function withWrk({ base, paths, headers = {}, seconds }: Load): Promise<number> {
  const script = join(mkdtempSync(join(tmpdir(), 'blazon-bench-')), 'paths.lua');
  writeFileSync(
    script,
    `local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local at = 0
request = function() at = at % #paths + 1 return wrk.format("GET", paths[at]) end
`,
  );
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...fields, '-s', script, base]);
  if (/Non-2xx or 3xx responses|Socket errors/.test(stdout)) throw new Error(`${base}${paths[0] ?? ''}: ${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

async function withAutocannon({ base, paths, headers = {}, seconds }: Load): Promise<number> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const [path = '/'] = paths;
  const { stdout } = await run(process.execPath, [`${peersFolder}node_modules/autocannon/autocannon.js`, '-c', String(CONNECTIONS), '-d', String(seconds), '-j', ...fields, base + path]);
  const result = JSON.parse(stdout) as { requests: { average: number }; errors: number };
  if (result.errors > 0) throw new Error(`${base}${path}: ${result.errors} errors`);
  return result.requests.average;
}

function hasWrk(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Visit {
  readonly ms: number;
  readonly bytes: number;
  readonly status: number;
}

/** Asks each address once, so many at a time. */
export async function visitAll(urls: readonly string[], atOnce: number, headers: Readonly<Record<string, string>> = {}): Promise<Visit[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const visits: Visit[] = [];
  const rest = urls.values();
  const worker = async () => {
    for (const url of rest) visits.push(await visit(url, agent, headers));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  return visits;
}

export function visit(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<Visit> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ ms: performance.now() - startedAt, bytes, status: response.statusCode ?? 0 }));
      response.on('error', reject);
    }).on('error', reject);
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
