// Generates load with wrk. A small client, and not wrk, measures uncached pictures and latencies.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CONNECTIONS = 64;
const SECONDS = 4;
const ROUNDS = 5;
const WARM_UP_SECONDS = 2;
const run = promisify(execFile);

export interface Load {
  readonly base: string;
  /** Default: GET. */
  readonly method?: 'GET' | 'POST';
  /** Paths that are requested in rotation. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** API keys. Each request uses the next path and the next key. */
  readonly keys?: readonly string[];
  readonly seconds: number;
  readonly connections?: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

/**
 * Returns the median rate of each load. The loads alternate in several rounds, so that a slow moment of the machine
 * affects all of them.
 */
export async function compareRates<Name extends string>(
  loads: Readonly<Record<Name, Omit<Load, 'seconds'>>>,
): Promise<Record<Name, number>> {
  const all = Object.entries(loads) as [Name, Omit<Load, 'seconds'>][];
  const rates = all.map((): number[] => []);
  for (const [, load] of all) await runLoad({ ...load, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, [, load]] of all.entries())
      rates[at]?.push((await runLoad({ ...load, seconds: SECONDS })).requestsPerSecond);
  return Object.fromEntries(all.map(([name], at) => [name, median(rates[at] ?? [])])) as Record<Name, number>;
}

function requestsOf({ paths, headers = {}, keys = [] }: Load) {
  return Array.from({ length: Math.max(paths.length, keys.length) }, (_, index) => {
    const key = keys[index % keys.length];
    return { path: paths[index % paths.length] ?? '/', headers: { ...headers, ...(key && { 'X-API-Key': key }) } };
  });
}

/** Runs wrk. Throws if any response is an error. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { base, method = 'GET', paths, seconds, connections = CONNECTIONS } = load;
  const folder = mkdtempSync(join(tmpdir(), 'blazon-bench-'));
  const script = join(folder, 'requests.lua');
  const fieldsOf = (headers: Readonly<Record<string, string>>): string =>
    Object.entries(headers)
      .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
      .join(', ');
  const requests = requestsOf(load).map(
    ({ path, headers }) => `  { ${JSON.stringify(path)}, { ${fieldsOf(headers)} } },\n`,
  );
  writeFileSync(
    script,
    `local requests = {
${requests.join('')}}
local texts, at = {}, 0
init = function()
  for index, one in ipairs(requests) do texts[index] = wrk.format("${method}", one[1], one[2]) end
end
request = function() at = at % #texts + 1 return texts[at] end
`,
  );
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, base]);
  rmSync(folder, { recursive: true });
  if (/Non-2xx or 3xx responses|Socket errors/.test(stdout)) throw new Error(`${base}${paths[0] ?? ''}: ${stdout}`);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p99Ms: Number(p99) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? NaN),
  };
}

export interface Visit {
  readonly ms: number;
  readonly bytes: number;
}

interface VisitOptions {
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a GET request. Rejects unless the status of the response is 200. */
export function visit(url: string, { agent, headers = {} }: VisitOptions): Promise<Visit> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ ms: performance.now() - startedMs, bytes });
        else reject(new Error(`${url} answered ${response.statusCode ?? 'nothing'}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Requests each URL once, with limited concurrency. */
export async function visitAll(
  urls: readonly string[],
  atOnce: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Visit[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const visits: Visit[] = [];
  const rest = urls.values();
  const worker = async () => {
    for (const url of rest) visits.push(await visit(url, { agent, headers }));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  return visits;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
