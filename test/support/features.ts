// Lists and stores that tests read from all features.
import { FEATURES } from '../../src/features.js';
import type { Route } from '../../src/platform/http/route.js';
import { jobsOf } from '../../src/platform/jobs/all.job.js';
import { routesOf } from '../../src/platform/routes-of.js';
import type { Deployment } from '../../src/platform/services.js';
import type { RecordParts } from '../../src/platform/stores/feature-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { createJobSlots } from '../../src/platform/jobs/job-slots.records.js';

/** `deployment`: what the routes that a test looks at are made of. */
export const allRoutes = (deployment: Partial<Deployment> = {}): Promise<readonly Route[]> =>
  routesOf(FEATURES, deployment as Deployment);

export const JOBS = await jobsOf(FEATURES);

const RECORDS = await Promise.all(FEATURES.map(async (feature) => feature.records?.()));

export type RecordStores = ReturnType<typeof createRecordStores>;

/** Stores above tables of records. `beside`: other stores that these use. */
export function createRecordStores({
  beside = {},
  ...parts
}: Omit<RecordParts, 'stores'> & { readonly beside?: Partial<Stores> }) {
  const stores = { ...beside, jobSlots: createJobSlots(parts.table, parts.now) } as Stores;
  for (const records of RECORDS) Object.assign(stores, records?.stores({ ...parts, stores }, FEATURES));
  return stores;
}
