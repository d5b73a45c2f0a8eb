// Catalog stores in a MongoDB database of their own, each through its own connection.
import { MongoClient, type Db } from 'mongodb';
import { createMongoCatalogStore } from '../../src/adapters/mongodb/catalog/catalog-store.js';
import { CATALOG_MIGRATIONS } from '../../src/adapters/mongodb/catalog/migrations.js';

interface Options {
  readonly now?: () => number;
  readonly leaseMs?: number;
}

export type MongoCatalog = Awaited<ReturnType<typeof openMongoCatalog>>;

export async function openMongoCatalog(uri: string, options: Options = {}) {
  const clients: MongoClient[] = [];
  const connect = (): Db => {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1000 });
    clients.push(client);
    return client.db();
  };
  const storeOf = (db: Db, { now = Date.now, leaseMs }: Options) =>
    createMongoCatalogStore(db, now, leaseMs === undefined ? {} : { leaseMs });
  const db = connect();
  for (const step of CATALOG_MIGRATIONS) await step.apply(db);
  return {
    db,
    store: storeOf(db, options),
    /** Another store over a connection of its own. */
    beside: (others: Options = options) => storeOf(connect(), others),
    /** Drops the database. */
    close: async (): Promise<void> => {
      await db.dropDatabase();
      for (const client of clients) await client.close();
    },
  };
}
