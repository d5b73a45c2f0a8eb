// Measures one service process with Redis and mongod on this machine, and compares it with Iconify API.
import { Agent } from 'node:http';
import { measureRegenerations } from './accounts.js';
import { startDatabaseServers, type DatabaseServers } from './database-servers.js';
import { PEER_SVG, SVG, VISITS } from './delivery.js';
import { someSets } from './large.js';
import { compareRates, visit } from './load.js';
import { startIconify } from './peers.js';
import { importSeconds, startProcess, unlimitedAccount, type Variables } from './service.js';
import { measureReady } from './start.js';
import { limited, ratio, type Row } from './table.js';

const ACCOUNTS = 200;
const SEQUENTIAL_REQUESTS = 2000;
const PICTURES = 600;
const LARGE_LIMIT_S = 300;
/** Size of the picture cache, MB. The requested pictures do not fit, so each one is evicted before its next request. */
const SMALL_MEMORY = '1';

export async function measureCluster(): Promise<Row[]> {
  const servers = await startDatabaseServers();
  const { variables } = servers;
  try {
    const importedS = await importSeconds(variables);
    const keys: string[] = [];
    for (let count = 0; count < ACCOUNTS; count++) keys.push((await unlimitedAccount(variables)).key);
    return [
      limited('cluster: import of default catalog into MongoDB', importedS, ' s', { atMost: 40 }),
      ...(await measureReady(variables, { name: 'cluster: ', seconds: 3 })),
      ...(await measureSvg(variables, keys)),
      ...(await measureRoundTrips(servers, keys[0] ?? '')),
      await measurePictures(variables, keys[0] ?? ''),
      await measureRegenerations(variables, { name: 'cluster: ', goal: { atLeast: 200 } }),
    ];
  } finally {
    await servers.stop();
  }
}

/** Measures an import of about two hundred thousand icons. */
export async function measureLargeImport(): Promise<Row[]> {
  const servers = await startDatabaseServers();
  const { variables } = servers;
  try {
    await importSeconds(variables);
    const seconds = await importSeconds(variables, someSets(variables.DATA_DIR ?? ''));
    return [limited('cluster: import of 180,000 entries into MongoDB', seconds, ' s', { atMost: LARGE_LIMIT_S })];
  } finally {
    await servers.stop();
  }
}

/** Compares Blazon with Iconify API, which neither verifies keys nor counts requests. */
async function measureSvg(variables: Variables, keys: readonly string[]): Promise<Row[]> {
  const iconify = await startIconify();
  const service = await startProcess(variables);
  const { base } = service;
  try {
    const rates = await compareRates({
      peer: { base: iconify.base, paths: [PEER_SVG] },
      one: { base, keys: keys.slice(0, 1), paths: [SVG] },
      many: { base, keys, paths: [SVG] },
      visits: { base, ...VISITS },
    });
    const peer = { name: 'Iconify API', rate: rates.peer };
    const what = `cluster: \`GET ${SVG}\`, verified and metered`;
    return [
      ratio(what, rates.one, peer, 0.9),
      ratio(`${what}, ${ACCOUNTS} accounts in turn`, rates.many, peer),
      ratio('cluster: a visit counted', rates.visits, { name: 'our SVG', rate: rates.one }, 0.5),
    ];
  } finally {
    iconify.stop();
    await service.stop();
  }
}

/**
 * Sends one request at a time, because concurrent requests would share round trips to the databases. The result
 * includes round trips of background work.
 */
async function measureRoundTrips(servers: DatabaseServers, key: string): Promise<Row[]> {
  const service = await startProcess(servers.variables);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++)
      await visit(service.base + SVG, { agent, headers: { 'X-API-Key': key } });
  };
  try {
    await ask(SEQUENTIAL_REQUESTS / 10);
    const before = await servers.work();
    await ask(SEQUENTIAL_REQUESTS);
    const after = await servers.work();
    const each = (name: keyof typeof after) => (after[name] - before[name]) / SEQUENTIAL_REQUESTS;
    return [
      limited('cluster: round trips to Redis of each, one after the other', each('redisReads'), '', { atMost: 1.02 }),
      limited('cluster: commands to MongoDB of each', each('mongoCommands'), '', { atMost: 0.02 }),
    ];
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/**
 * Compares two services that use the same data folder. One keeps all pictures in memory, and the other reads each
 * picture from disk.
 */
async function measurePictures(variables: Variables, key: string): Promise<Row> {
  const headers = { 'X-API-Key': key };
  const paths = Array.from({ length: PICTURES }, (_, index) => `/v1/png/github?size=${200 + index}`);
  const drawing = await startProcess(variables);
  const agent = new Agent({ keepAlive: true });
  for (const path of paths) await visit(drawing.base + path, { agent, headers });
  agent.destroy();
  await drawing.stop();
  const memory = await startProcess(variables);
  const disk = await startProcess({ ...variables, RENDER_CACHE_MB: SMALL_MEMORY });
  try {
    const rates = await compareRates({
      memory: { base: memory.base, headers, paths },
      disk: { base: disk.base, headers, paths },
    });
    const peer = { name: 'from memory', rate: rates.memory };
    return ratio(`cluster: ${PICTURES} PNG from the disk after a restart`, rates.disk, peer, 0.5);
  } finally {
    await Promise.all([memory.stop(), disk.stop()]);
  }
}
