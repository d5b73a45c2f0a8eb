// Command of `npm test`: imports what the runs beside each other all need of the real catalog, once and before them.
import { importedCatalog } from './catalog.js';
import { IS_WHOLE } from './extent.js';
import { sampleCatalog } from './sample-catalog.js';

await sampleCatalog();
if (IS_WHOLE) await importedCatalog();
