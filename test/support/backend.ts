// The tested family, chosen by the environment: its stores as seen by another process, and test functions to read and change
// them.
import type { CatalogPart } from './sample-catalog.js';
import type { TestBackend } from './test-backend.js';

/** `embedded`, or `cluster` with BLAZON_TEST_FAMILY=cluster. */
export const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

interface Options {
  /** ms since the epoch */
  readonly now: () => number;
  /** Part of the imported catalog in a new folder. */
  readonly catalog: CatalogPart | 'none';
}

/** Returns the stores of this folder: new ones, or the ones of an earlier call. */
export async function openBackend(dataDir: string, options: Options): Promise<TestBackend> {
  // Imported on use, so that processes that are killed by the hundred load no unneeded drivers.
  if (FAMILY === 'cluster') return (await import('./cluster-backend.js')).openClusterBackend(dataDir, options);
  return (await import('./embedded-backend.js')).openEmbeddedBackend(dataDir, options);
}
