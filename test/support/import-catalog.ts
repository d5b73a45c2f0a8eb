// Command of `npm test`: imports the real catalog once, and takes its sample, before the runs beside each other that all need it.
import { sampleCatalog } from './sample-catalog.js';

await sampleCatalog();
