// The store of site icons.
import type { FeatureRecords } from '../platform/feature.js';
import { exportTable } from '../platform/stores/feature-stores.js';
import { createSiteIconStore, ICONS_AT_ONCE, SITE_ICONS } from './site-icon-store.records.js';

export const records: FeatureRecords = {
  tables: [exportTable('icons of sites', SITE_ICONS, { atOnce: ICONS_AT_ONCE, isHistory: true })],
  stores: ({ table }) => ({ siteIconStore: createSiteIconStore(table) }),
};
