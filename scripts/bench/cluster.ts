// The cluster family: one service process, Redis and mongod on this machine, against Iconify API.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../../config/env.js';
import { composeAccounts } from '../../src/compose/accounts.js';
import { openCommandStores } from '../../src/compose/open-stores.js';
import type { Stores } from '../../src/compose/stores.js';
import { newAccount } from '../../src/domain/account/changes/lifecycle.js';
import { AT_ONCE, insertAccounts, MANY, REGENERATIONS, regenerationsPerSecond } from './accounts.js';
import { measurePictures } from './cluster-pictures.js';
import { measureCounters } from './counters.js';
import { measureTwoProcesses } from './cluster-processes.js';
import {
  increase,
  startDatabaseServers,
  type Cluster,
  type DatabaseServers,
  type ServerWork,
} from './database-servers.js';
import { compareRates } from './delivery.js';
import { someSets } from './large.js';
import { visit } from './load.js';
import { startIconify } from './peers.js';
import { memoryMb } from '../processes.js';
import { catalogCommand, startProcess, temporaryData } from './service.js';
import { perSecond, round, type Row } from './table.js';

const ACCOUNTS = 200;
const SEQUENTIAL_REQUESTS = 2000;
const SETTLE_MS = 10_000;
const SVG = '/v1/svg/github';

export async function measureCluster(): Promise<Row[]> {
  return withServers(async (servers, dataDir) => {
    const variables = { ...servers.variables, DATA_DIR: dataDir };
    const importMs = await catalogCommand(variables, 'import');
    const keys = await withStores(variables, createAccounts);
    const cluster = { servers, variables, keys };
    return [
      importRow('default catalog', importMs, 40),
      ...(await measureStart(cluster)),
      ...(await measureSvg(cluster)),
      ...(await measureRoundTrips(cluster)),
      ...(await measureTwoProcesses(cluster)),
      ...(await measurePictures(cluster)),
      ...(await measureRegenerations(cluster)),
    ];
  });
}

export async function measureClusterCounters(): Promise<Row[]> {
  return withServers(async (servers, dataDir) => {
    const variables = { ...servers.variables, DATA_DIR: dataDir };
    await catalogCommand(variables, 'import');
    const [key = ''] = await withStores(variables, createAccounts);
    const service = await startProcess(variables);
    try {
      return await measureCounters({ family: 'cluster: ', base: service.base, key });
    } finally {
      await service.stop();
    }
  });
}

/** Two hundred thousand icons. */
export async function measureLargeImport(): Promise<Row[]> {
  return withServers(async (servers, dataDir) => {
    const variables = { ...servers.variables, DATA_DIR: dataDir };
    await catalogCommand(variables, 'import');
    const importMs = await catalogCommand(variables, 'import', '--iconify', someSets(dataDir));
    return [importRow('180,000 entries', importMs, 300)];
  });
}

async function withServers(measure: (servers: DatabaseServers, dataDir: string) => Promise<Row[]>): Promise<Row[]> {
  const servers = await startDatabaseServers();
  const data = temporaryData();
  try {
    return await measure(servers, data.path);
  } finally {
    await servers.stop();
    data.remove();
  }
}

function importRow(what: string, ms: number, atMost: number): Row {
  const figure = ms / 1000;
  return {
    what: `cluster: import of ${what} into MongoDB`,
    measured: `${round(figure)} s`,
    peer: '–',
    figure,
    goal: { atMost },
    unit: ' s',
  };
}

async function withStores<Result>(
  variables: Cluster['variables'],
  use: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await openCommandStores(readEnv(variables, '0.0.0'), { now: Date.now, onError: console.error });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** Their keys. */
async function createAccounts({ accounts }: Stores): Promise<string[]> {
  const keys: string[] = [];
  for (let count = 0; count < ACCOUNTS; count++) {
    const email = `bench-key-${count}@example.com`;
    const { account, result } = newAccount({ email, passwordHash: 'none', tier: 'internal', at: new Date() });
    await accounts.insert(account);
    keys.push(result.apiKey);
  }
  return keys;
}

async function measureStart({ variables }: Cluster): Promise<Row[]> {
  const service = await startProcess(variables);
  await sleep(SETTLE_MS);
  const [seconds, megabytes] = [service.readyMs / 1000, memoryMb(service.pid) ?? NaN];
  await service.stop();
  return [
    {
      what: 'cluster: ready with an imported catalog',
      measured: `${round(seconds)} s`,
      peer: '–',
      figure: seconds,
      goal: { atMost: 3 },
      unit: ' s',
    },
    {
      what: 'cluster: resident memory of one process, idle',
      measured: `${megabytes} MB`,
      peer: '–',
      figure: megabytes,
      goal: { atMost: 300 },
      unit: ' MB',
    },
  ];
}

/** Against Iconify API, which neither verifies nor meters; with the log of requests, and without. */
async function measureSvg({ variables, keys }: Cluster): Promise<Row[]> {
  const iconify = await startIconify();
  const quiet = await startProcess({ ...variables, LOG_LEVEL: 'warn' });
  const logging = await startProcess({ ...variables, LOG_LEVEL: 'info' });
  try {
    const one = keys.slice(0, 1);
    const rates = await compareRates({
      peer: { base: iconify.base, paths: ['/simple-icons/github.svg'] },
      one: { base: quiet.base, keys: one, paths: [SVG] },
      many: { base: quiet.base, keys, paths: [SVG] },
      logged: { base: logging.base, keys: one, paths: [SVG] },
    });
    const rate = (name: string): number => rates[name] ?? NaN;
    const row = (what: string, name: string, other: string, goal: Row['goal']): Row => ({
      what: `cluster: \`GET ${SVG}\`, verified and metered${what}`,
      measured: perSecond(rate(name)),
      peer: `${other === 'peer' ? 'Iconify API' : 'one account'} ${perSecond(rate(other))}`,
      figure: rate(name) / rate(other),
      goal,
      unit: '×',
    });
    return [
      row(', LOG_LEVEL=warn', 'one', 'peer', { atLeast: 0.9 }),
      row(`, ${ACCOUNTS} accounts in turn`, 'many', 'peer', { atLeast: 0.9 }),
      row(', LOG_LEVEL=info to a pipe', 'logged', 'one', null),
    ];
  } finally {
    iconify.stop();
    await Promise.all([quiet.stop(), logging.stop()]);
  }
}

/** One request after the other, so that none can share its round trip. */
async function measureRoundTrips({ servers, variables, keys }: Cluster): Promise<Row[]> {
  const service = await startProcess(variables);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) await visit(service.base + SVG, agent, { 'X-API-Key': keys[0] ?? '' });
  };
  try {
    await ask(SEQUENTIAL_REQUESTS / 10);
    const before = await servers.work();
    await ask(SEQUENTIAL_REQUESTS);
    const after = await servers.work();
    const row = { peer: "the process's work in the background included", unit: '' };
    return [
      {
        ...row,
        what: 'cluster: round trips to Redis of each, one after the other',
        measured: workPer(SEQUENTIAL_REQUESTS, before, after).redis,
        figure: (after.redisReads - before.redisReads) / SEQUENTIAL_REQUESTS,
        goal: { atMost: 1.02 },
      },
      {
        ...row,
        what: 'cluster: commands to MongoDB of each',
        measured: workPer(SEQUENTIAL_REQUESTS, before, after).mongo,
        figure: sum(increase(before.mongoCommands, after.mongoCommands)) / SEQUENTIAL_REQUESTS,
        goal: { atMost: 0.02 },
      },
    ];
  } finally {
    agent.destroy();
    await service.stop();
  }
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** As words, of each of so many requests. */
function workPer(requests: number, before: ServerWork, after: ServerWork): { redis: string; mongo: string } {
  const words = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([, count]) => count / requests >= 0.001)
      .map(([name, count]) => `${name} ${round(count / requests)}`)
      .join(', ') || 'none';
  const reads = (after.redisReads - before.redisReads) / requests;
  return {
    redis: `${round(reads)} reads; ${words(increase(before.redisCalls, after.redisCalls))}`,
    mongo: words(increase(before.mongoCommands, after.mongoCommands)),
  };
}

/** Through the actor, without HTTP and without the password that a customer has to give. */
async function measureRegenerations({ servers, variables }: Cluster): Promise<Row[]> {
  return withStores(variables, async (stores) => {
    const parts = composeAccounts({
      env: readEnv(variables, '0.0.0'),
      stores,
      now: Date.now,
      onError: console.error,
      mails: 'by the job',
    });
    const ids = await insertAccounts(parts);
    const before = await servers.work();
    const rate = await regenerationsPerSecond(parts, (index) => ids[index % MANY]);
    const after = await servers.work();
    await parts.close();
    const work = workPer(REGENERATIONS, before, after);
    return [
      {
        what: `cluster: regenerations, ${MANY} accounts, ${AT_ONCE} at once`,
        measured: perSecond(rate),
        peer: `of each: Redis ${work.redis}; MongoDB ${work.mongo}`,
        figure: rate,
        goal: { atLeast: 200 },
        unit: '/s',
      },
    ];
  });
}
