// Store of the catalog for a cluster: MongoDB.
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { mongoCatalogRows } from './catalog-rows.mongodb.js';
import { createCatalogStore } from './catalog-store.records.js';

export const openStores = ({ table, mongo, now }: ClusterFamily) => ({
  catalog: createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now }),
});
