// Catalog stores in a new MongoDB database. Each store has its own connection.
import type { Db } from 'mongodb';
import { mongoCatalogRows } from '../../src/catalog/catalog-rows.mongodb.js';
import { openMongo, type MongoConnection } from '../../src/platform/stores/mongodb/connection.js';
import { mongoTables } from '../../src/platform/stores/mongodb/tables.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import type { Tables } from '../../src/platform/stores/tables.js';
import { createCatalogStore } from '../../src/catalog/catalog-store.records.js';

interface Options {
  readonly now?: () => number;
  readonly lockMs?: number;
}

export interface MongoCatalog {
  readonly db: Db;
  readonly table: Tables;
  readonly store: CatalogStore;
  readonly beside: (options?: Options) => Promise<CatalogStore>;
  readonly close: () => Promise<void>;
}

export async function openMongoCatalog(uri: string, options: Options = {}): Promise<MongoCatalog> {
  const connections: MongoConnection[] = [];
  async function connect({ now = Date.now, lockMs }: Options) {
    const mongo = await openMongo(uri);
    connections.push(mongo);
    const table = mongoTables(mongo);
    const store = createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now, lockMs });
    return { db: mongo.db, table, store };
  }
  const { db, table, store } = await connect(options);
  return {
    db,
    table,
    store,
    beside: async (others = options) => (await connect(others)).store,
    async close() {
      await db.dropDatabase();
      for (const connection of connections) await connection.close();
    },
  };
}
