// The bundled catalog of this installation: a package has one, a clone has none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBundle, type BundledCatalog } from './bundled-catalog.js';

export { writeBundle } from './bundled-catalog.js';

/** Where `npm pack` writes it: `dist/catalog`. */
export const BUNDLE_FOLDER = fileURLToPath(new URL('../../../catalog', import.meta.url));

/** Throws AppError `invalid_request` when it is damaged. */
export function bundledCatalog(folder = BUNDLE_FOLDER): BundledCatalog | undefined {
  return existsSync(folder) ? openBundle(folder) : undefined;
}
