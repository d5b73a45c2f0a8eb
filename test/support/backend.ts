// The family under test, chosen by the environment.
import { openClusterBackend } from './cluster-backend.js';
import { openEmbeddedBackend } from './embedded-backend.js';
import type { TestBackend } from './test-backend.js';

/** `embedded`, or `cluster` with BLAZON_TEST_FAMILY=cluster. */
const FAMILY = process.env.BLAZON_TEST_FAMILY === 'cluster' ? 'cluster' : 'embedded';

interface Options {
  /** ms since the epoch */
  readonly now: () => number;
  /** With the imported catalog, unless the folder has one. */
  readonly catalog: boolean;
}

/** The stores that belong to this folder: new ones, or those of an earlier call. */
export function openBackend(dataDir: string, options: Options): Promise<TestBackend> {
  return FAMILY === 'cluster' ? openClusterBackend(dataDir, options) : openEmbeddedBackend(dataDir, options);
}
