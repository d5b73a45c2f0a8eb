// Global setup of `npm test`: imports the catalogs that tests need, once before all tests.
import { importedCatalog } from './catalog.js';
import { IS_WHOLE } from './extent.js';
import { sampleCatalog } from './sample-catalog.js';

export async function mochaGlobalSetup(): Promise<void> {
  await sampleCatalog();
  if (IS_WHOLE) await importedCatalog();
}
