// Migrations of the catalog's collections. Each may run again without harm.
import type { Migration } from '../migrations.js';
import { catalogCollections } from './collections.js';

export const CATALOG_MIGRATIONS: readonly Migration[] = [
  {
    // The sweep looks up which drawings a candidate still uses. All other lookups are by `_id`.
    id: 'catalog-candidates-by-asset',
    async apply(db) {
      await catalogCollections(db).candidates.createIndex({ etags: 1 });
    },
  },
];
