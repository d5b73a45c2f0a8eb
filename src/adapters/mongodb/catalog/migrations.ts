// Migrations of the catalog's collections. Each may run again without harm.
import type { Db } from 'mongodb';
import { catalogCollections } from './collections.js';

export const CATALOG_MIGRATIONS: readonly { readonly id: string; readonly run: (db: Db) => Promise<void> }[] = [
  {
    // The sweep looks up which assets a candidate still uses. All other lookups are by `_id`.
    id: 'catalog-candidates-by-asset',
    async run(db) {
      await catalogCollections(db).candidates.createIndex({ etags: 1 });
    },
  },
];
