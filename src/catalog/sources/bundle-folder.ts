// The bundled catalog of this installation. The npm package contains a bundled catalog; a clone of the repository does
// not.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBundle, type BundledCatalog } from './bundled-catalog.js';

export { writeBundle } from './bundled-catalog.js';

/** Folder to which `npm pack` writes the bundled catalog: `dist/catalog`. */
export const BUNDLE_FOLDER = fileURLToPath(new URL('../../../catalog', import.meta.url));

/**
 * Opens the bundled catalog. Returns undefined if the installation has none. Throws AppError `invalid_request` if the
 * bundled catalog is damaged.
 */
export function bundledCatalog(folder = BUNDLE_FOLDER): BundledCatalog | undefined {
  return existsSync(folder) ? openBundle(folder) : undefined;
}
