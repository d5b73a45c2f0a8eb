// Routes, jobs and stores of all features.
import { FEATURES } from '../../src/features.js';
import type { Route } from '../../src/platform/http/route.js';
import { jobsOf } from '../../src/platform/jobs/all.job.js';
import { routesOf } from '../../src/platform/routes-of.js';
import type { Deployment } from '../../src/platform/services.js';
import type { RecordParts } from '../../src/platform/stores/feature-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { createJobSlots } from '../../src/platform/jobs/job-slots.records.js';

/** Returns all routes. `deployment` needs only the fields that are relevant for the tested routes. */
export const allRoutes = (deployment: Partial<Deployment> = {}): Promise<readonly Route[]> =>
  routesOf(FEATURES, deployment as Deployment);

export const JOBS = await jobsOf(FEATURES);

const RECORDS = await Promise.all(FEATURES.map(async (feature) => feature.records?.()));

export type RecordStores = ReturnType<typeof createRecordStores>;

/** Creates all stores that work with any implementation of `Tables`. `beside`: other stores that these stores need. */
export function createRecordStores({
  beside = {},
  ...parts
}: Omit<RecordParts, 'stores'> & { readonly beside?: Partial<Stores> }) {
  const stores = { ...beside, jobSlots: createJobSlots(parts.table, parts.now) } as Stores;
  for (const records of RECORDS) Object.assign(stores, records?.stores({ ...parts, stores }, FEATURES));
  return stores;
}
