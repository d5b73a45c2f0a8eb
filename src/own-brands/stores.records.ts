// The store of own brands.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createOwnBrandTexts, OWN_BRAND_TEXTS, TEXTS_AT_ONCE } from './own-brand-texts.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('texts of own brands', OWN_BRAND_TEXTS, { atOnce: TEXTS_AT_ONCE })],
  stores: ({ table }) => ({ ownBrandTexts: createOwnBrandTexts(table) }),
};
