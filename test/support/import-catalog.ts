// Global setup of `npm test`: imports the needed catalogs before the first test.
import { importedCatalog } from './catalog.js';
import { IS_WHOLE } from './extent.js';
import { sampleCatalog } from './sample-catalog.js';

export async function mochaGlobalSetup(): Promise<void> {
  await sampleCatalog();
  if (IS_WHOLE) await importedCatalog();
}
