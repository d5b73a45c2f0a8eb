// Command of `npm test`: imports the real catalog once, before the runs beside each other that all need it.
import { importedCatalog } from './catalog.js';

await importedCatalog();
