// Opens the stores under test like a separate process would. Tests can then read and change the stored data.
import type { CatalogPart } from './sample-catalog.js';
import type { TestBackend } from './test-backend.js';

/** Stores under test: `embedded` (SQLite), or `cluster` (MongoDB and Redis) if BLAZON_TEST_FAMILY is `cluster`. */
export const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

interface Options {
  /** Returns the current time, ms since the epoch. */
  readonly now: () => number;
  /** Part of the default catalog that new stores contain. `none`: new stores contain no catalog. */
  readonly catalog: CatalogPart | 'none';
}

/** Opens the stores of this data folder. The first call creates them. */
export async function openBackend(dataDir: string, options: Options): Promise<TestBackend> {
  // Loads only the drivers of this family. Tests start hundreds of processes, and each would need more time to load all
  // drivers.
  if (FAMILY === 'cluster') return (await import('./cluster-backend.js')).openClusterBackend(dataDir, options);
  return (await import('./embedded-backend.js')).openEmbeddedBackend(dataDir, options);
}
