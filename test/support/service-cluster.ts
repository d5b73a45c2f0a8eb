// Two service processes with the same MongoDB and Redis, a small catalog, and direct access to the stores.
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { FEATURES } from '../../src/features.js';
import { accountKeys } from '../../src/metering/account-keys.redis.js';
import { openCatalogTools } from '../../src/catalog/catalog-tools.js';
import { openClusterStores } from '../../src/platform/stores/cluster-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import type { Bucket, Tier } from '../../src/accounts/plan.js';
import { dayNumber, utcDay } from '../../src/platform/utc-day.js';
import { PASSWORD } from './accounts.js';
import { eventually, from } from './auth.js';
import { smallSource } from './catalog-imports.js';
import { createCustomer, PUBLIC_ORIGIN } from './server.js';
import { REDIS_DATABASES, shared } from './servers.js';
import { endServices, startService, type ServiceProcess } from './service-process.js';
import { temporaryDir } from './temporary.js';

const JWT_SECRET = 'a secret of the tests that is the same for all processes';
export const ICONS = ['acme', 'bolt', 'coil'] as const;

export interface ClusterAddresses {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

export type ServiceCluster = Awaited<ReturnType<typeof openServiceCluster>>;

interface Options extends ClusterAddresses {
  /** URLs that the services use instead of the servers' URLs, for example the URL of a proxy. */
  readonly through?: Partial<ClusterAddresses>;
  readonly variables?: Readonly<Record<string, string>>;
}

let opened = 0;

/** Returns new databases on the servers that all tests of this process share. */
export async function sharedAddresses(): Promise<ClusterAddresses> {
  const [mongo, redis] = await Promise.all([shared.mongo(), shared.redis()]);
  // Uses the last databases of Redis, because test/support/cluster-backend.ts uses the first ones.
  return { mongodbUri: mongo.uri(), redisUrl: `${redis.url}/${REDIS_DATABASES - 1 - (opened++ % 32)}` };
}

export const openTestStores = ({ mongodbUri, redisUrl }: ClusterAddresses): Promise<Stores> =>
  openClusterStores({ mongodbUri, redisUrl, features: FEATURES, now: Date.now, onError: () => undefined });

export function clusterVariables({ mongodbUri, redisUrl }: ClusterAddresses): Record<string, string> {
  return { MONGODB_URI: mongodbUri, REDIS_URL: redisUrl, JWT_SECRET, PUBLIC_URL: PUBLIC_ORIGIN, TRUST_PROXY: '1' };
}

export async function openServiceCluster(options: Options) {
  const { mongodbUri, redisUrl, through, variables: more } = options;
  const folders: ReturnType<typeof temporaryDir>[] = [];
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined);
  await redis.flushdb();
  await importSmallCatalog({ mongodbUri, redisUrl });
  const stores = await openTestStores({ mongodbUri, redisUrl });
  const variables = { ...clusterVariables({ mongodbUri, redisUrl, ...through }), ...more };
  async function start(own: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const folder = temporaryDir();
    folders.push(folder);
    return startService({ ...variables, DATA_DIR: folder.path, ...own });
  }
  const processes = await Promise.all([start(), start()]);

  return {
    processes,
    /** Environment variables of the services, without DATA_DIR and PORT. */
    variables,
    /** Stores of a third process, which uses the same databases. */
    stores,
    customer: (tier: Tier = 'internal') =>
      createCustomer({ base: processes[0].base, accounts: stores.accounts, at: new Date() }, tier),
    /** Sets today's usage of the key's account in this bucket. */
    async setUsed(key: string, bucket: Bucket, used: number): Promise<void> {
      const id = parseApiKey(key)!.accountId;
      const day = dayNumber(utcDay(Date.now()));
      await redis.hset(accountKeys(id).usage, { [`${day}:${bucket}`]: used, [`${day}:rev`]: 1 });
    },
    /** Starts another process. To replace a killed process, pass its `PORT`. */
    start,
    async close(): Promise<void> {
      await endServices();
      await stores.close();
      redis.disconnect();
      await dropDatabase(mongodbUri);
      for (const { remove } of folders) remove();
    },
  };
}

/** Imports three icons, because sanitizing thousands takes long. Imports into `dataDir` if there are no server URLs. */
export async function importSmallCatalog({ mongodbUri, redisUrl }: ClusterAddresses, dataDir?: string): Promise<void> {
  const { path, remove } = temporaryDir();
  const tools = await openCatalogTools({ DATA_DIR: dataDir ?? path, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl });
  try {
    await tools.importSources(() => undefined, [await smallSource(path, ICONS)]);
  } finally {
    await tools.close();
    remove();
  }
}

async function dropDatabase(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri);
  const isDropped = () =>
    client
      .db()
      .dropDatabase()
      .then(
        () => true,
        () => false,
      );
  // Retries, because the command fails if MongoDB changes its primary in the meantime.
  await eventually(isDropped, 'dropped database');
  await client.close();
}

export interface KeyAnswer {
  readonly status: number;
  /** New key, or undefined if the request failed. */
  readonly apiKey: string | undefined;
}

export async function regenerateKey(base: string, bearer: string): Promise<KeyAnswer> {
  const response = await fetch(`${base}/auth/regenerate-key`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', ...from() },
    body: JSON.stringify({ currentPassword: PASSWORD }),
  });
  const text = await response.text();
  return { status: response.status, apiKey: (JSON.parse(text) as { readonly apiKey?: string }).apiKey };
}

/** Replaces the key and returns the new key. Retries while the response is 503. */
export const replacedKey = (base: string, bearer: string): Promise<string> =>
  eventually(async () => {
    const { status, apiKey } = await regenerateKey(base, bearer);
    if (apiKey === undefined && status !== 503) throw new Error(`regenerate-key: ${status}`);
    return apiKey;
  }, 'new key');

/** Returns the status of a metered request with this key. */
export async function statusOfKey(base: string, apiKey: string, signal?: AbortSignal): Promise<number> {
  const response = await fetch(`${base}/v1/svg/${ICONS[0]}`, {
    headers: { 'X-API-Key': apiKey },
    ...(signal && { signal }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Retries while the response is 503, which a busy or unavailable database causes. */
export const finalAnswer = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await ask();
    return answer === 503 ? undefined : answer;
  }, 'answer other than 503');
