// The store of the catalog in the cluster family.
import type { ClusterFamily } from '../platform/stores/feature-stores.js';
import { mongoCatalogRows } from './catalog-rows.mongodb.js';
import { createCatalogStore } from './catalog-store.records.js';

export const openStores = ({ table, mongo, now }: ClusterFamily) => ({
  catalog: createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now }),
});
