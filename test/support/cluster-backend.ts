// Cluster stores (MongoDB and Redis) for tests. Each data folder has its own databases. All tests of this process share
// the servers.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { FEATURES } from '../../src/features.js';
import { openClusterStores } from '../../src/platform/stores/cluster-stores.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import { dayNumber, utcDay } from '../../src/platform/utc-day.js';
import { accountKeys } from '../../src/metering/account-keys.redis.js';
import { copyCatalog } from '../../src/operations/copy-catalog.js';
import { catalogFolder, type CatalogPart } from './sample-catalog.js';
import { REDIS_DATABASES, shared } from './servers.js';
import { embeddedIn } from './stores.js';
import { temporaryDir } from './temporary.js';
import type { TestBackend } from './test-backend.js';

const JWT_SECRET = 'a secret of the tests that is the same for all processes';

let opened = 0;

interface ClusterAddresses {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

/**
 * Returns the databases of this folder. They do not change when the folder is opened again, even by another process.
 */
async function addressesOf(dataDir: string): Promise<ClusterAddresses> {
  const file = join(dataDir, 'cluster.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClusterAddresses;
  const [mongo, redis] = await Promise.all([shared.mongo(), shared.redis()]);
  const addresses = { mongodbUri: mongo.uri(), redisUrl: `${redis.url}/${++opened % REDIS_DATABASES}` };
  const cache = new Redis(addresses.redisUrl);
  await cache.flushdb();
  cache.disconnect();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(addresses));
  return addresses;
}

/**
 * Opens the MongoDB and Redis stores that belong to the folder `dataDir`. If the folder is new, copies the requested
 * part of the catalog into MongoDB.
 */
export async function openClusterBackend(
  dataDir: string,
  { now, catalog }: { readonly now: () => number; readonly catalog: CatalogPart | 'none' },
): Promise<TestBackend> {
  const isNew = !existsSync(join(dataDir, 'cluster.json'));
  const { mongodbUri, redisUrl } = await addressesOf(dataDir);
  const client = await MongoClient.connect(mongodbUri);
  const db = client.db();
  if (catalog !== 'none' && isNew) await copyTemplate(client, { name: db.databaseName, catalog });
  const stores = await openClusterStores({ mongodbUri, redisUrl, features: FEATURES, now, onError: () => undefined });
  const cache = new Redis(redisUrl);
  return {
    variables: { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl, JWT_SECRET },
    stores,
    async records(id) {
      const accounts = await db.collection('accounts').countDocuments();
      return accounts + (await stores.audit.read(id, { limit: 1000 })).length;
    },
    async isMailing() {
      if ((await db.collection('passwordResetRequests').countDocuments()) > 0) return true;
      return (await db.collection('accounts').countDocuments({ mailAt: { $ne: null, $exists: true } })) > 0;
    },
    async setUsed(id, bucket, used) {
      const day = dayNumber(utcDay(now()));
      await cache.hset(accountKeys(id).usage, { [`${day}:${bucket}`]: used, [`${day}:rev`]: 1 });
    },
    stored: async () =>
      Buffer.from(JSON.stringify([await documentsOf(client, db.databaseName), await valuesOf(cache)])),
    block: blockServers,
    async close({ keep = false } = {}) {
      await stores.close();
      if (!keep) {
        await db.dropDatabase();
        await cache.flushdb();
      }
      await client.close();
      cache.disconnect();
    },
  };
}

/** Pauses MongoDB and Redis. Returns a function that resumes them. */
async function blockServers(): Promise<() => void> {
  const servers = [...(await shared.mongo()).nodes, await shared.redis()];
  for (const server of servers) server.pause();
  return () => {
    for (const server of servers) server.resume();
  };
}

const templates = new Map<CatalogPart, Promise<string>>();

interface CopyOf {
  /** Name of the new database, into which the catalog is copied. */
  readonly name: string;
  readonly catalog: CatalogPart;
}

async function copyTemplate(client: MongoClient, { name, catalog }: CopyOf): Promise<void> {
  const template = templates.get(catalog) ?? fillTemplate(catalog);
  templates.set(catalog, template);
  const from = client.db(await template);
  for (const { name: collection } of await from.listCollections({ name: /^catalog/ }).toArray()) {
    await from
      .collection(collection)
      .aggregate([{ $out: { db: name, coll: collection } }])
      .toArray();
  }
}

/** Imports the catalog into a new database. Returns the name of the database. */
async function fillTemplate(catalog: CatalogPart): Promise<string> {
  const [mongo, redis] = await Promise.all([shared.mongo(), shared.redis()]);
  const uri = mongo.uri();
  const onError = () => undefined;
  const to = await openClusterStores({
    mongodbUri: uri,
    redisUrl: redis.url,
    features: FEATURES,
    now: Date.now,
    onError,
  });
  // Opens a copy of the folder, because other test processes use the same folder.
  const { path, remove } = temporaryDir();
  cpSync(await catalogFolder(catalog), path, { recursive: true });
  const from = await openCommandStores(embeddedIn(path), { features: FEATURES, now: Date.now, onError });
  await copyCatalog(from.catalog, to.catalog, () => undefined);
  await Promise.all([to.close(), from.close()]);
  remove();
  return new URL(uri).pathname.slice(1);
}

async function documentsOf(client: MongoClient, name: string): Promise<unknown[]> {
  const collections = await client.db(name).listCollections().toArray();
  const own = collections.filter((collection) => !collection.name.startsWith('catalog'));
  return Promise.all(own.map((collection) => client.db(name).collection(collection.name).find().toArray()));
}

async function valuesOf(cache: Redis): Promise<unknown[]> {
  const keys = await cache.keys('*');
  return Promise.all(
    keys.map(async (key) => {
      switch (await cache.type(key)) {
        case 'hash':
          return [key, await cache.hgetall(key)];
        case 'zset':
          return [key, await cache.zrange(key, '0', '-1')];
        default:
          return [key, await cache.get(key)];
      }
    }),
  );
}
