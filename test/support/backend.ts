// The family under test, chosen by the environment: its stores, as another process beside the service has them, with
// what tests look at and set.
import type { CatalogPart } from './sample-catalog.js';
import type { TestBackend } from './test-backend.js';

/** `embedded`, or `cluster` with BLAZON_TEST_FAMILY=cluster. */
export const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

interface Options {
  /** ms since the epoch */
  readonly now: () => number;
  /** Part of the imported catalog that a new folder has. */
  readonly catalog: CatalogPart | 'none';
}

/** The stores that belong to this folder: new ones, or those of an earlier call. */
export async function openBackend(dataDir: string, options: Options): Promise<TestBackend> {
  // Imported when used: processes that tests kill by the hundred load no drivers that they do not need.
  if (FAMILY === 'cluster') return (await import('./cluster-backend.js')).openClusterBackend(dataDir, options);
  return (await import('./embedded-backend.js')).openEmbeddedBackend(dataDir, options);
}
