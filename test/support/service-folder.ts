// Data folder of the services of a suite, with the imported catalog, new for each test.
import { cpSync } from 'node:fs';
import { sampleCatalog } from './sample-catalog.js';
import { endServices } from './service-process.js';
import { temporaryDir } from './temporary.js';

/** Registers hooks of the suite; after each test all services end. Returns the folder of the test that runs. */
export function serviceFolder(): () => string {
  let folder: ReturnType<typeof temporaryDir>;
  beforeEach(async () => {
    folder = temporaryDir();
    cpSync(await sampleCatalog(), folder.path, { recursive: true });
  });
  afterEach(async () => {
    await endServices();
    folder.remove();
  });
  return () => folder.path;
}
