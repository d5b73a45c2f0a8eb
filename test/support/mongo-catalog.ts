// Catalog stores in a MongoDB database of their own, each through its own connection.
import { MongoClient, type Db } from 'mongodb';
import { createMongoCatalogStore } from '../../src/adapters/mongodb/catalog/catalog-store.js';
import { CATALOG_MIGRATIONS } from '../../src/adapters/mongodb/catalog/migrations.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';

interface Options {
  readonly now?: () => number;
  readonly leaseMs?: number;
}

export interface MongoCatalog {
  readonly db: Db;
  readonly store: CatalogStore;
  readonly beside: (options?: Options) => CatalogStore;
  /** Drops the database. */
  readonly close: () => Promise<void>;
}

export async function openMongoCatalog(uri: string, options: Options = {}): Promise<MongoCatalog> {
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
    beside: (others = options) => storeOf(connect(), others),
    async close() {
      await db.dropDatabase();
      for (const client of clients) await client.close();
    },
  };
}
