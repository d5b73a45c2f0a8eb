// The family under test, chosen by the environment.
import { openClusterBackend } from './cluster-backend.js';
import { openEmbeddedBackend } from './embedded-backend.js';
import type { TestBackend } from './test-backend.js';

/** `embedded`, or `cluster` with BLAZON_TEST_FAMILY=cluster. */
const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

/** With the imported catalog, and without accounts. `now`: ms since the epoch. */
export function openBackend(dataDir: string, now: () => number): Promise<TestBackend> {
  return FAMILY === 'cluster' ? openClusterBackend(dataDir, now) : openEmbeddedBackend(dataDir, now);
}
